"""PrivCause: what differential privacy does to a causal verdict."""

__version__ = "0.1.0"
