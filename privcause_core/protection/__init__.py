"""Who is protected: the test rows, or every row by public ranges or by voting blocks."""
