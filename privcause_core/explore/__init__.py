"""The non-private view: one pair analysed, its runs, curves and plans."""
