"""Text in both directions: numbers as people type them, names made harmless, and what a promise means in words."""
