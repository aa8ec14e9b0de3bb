"""Files people bring, read into tables and pairs."""
