"""What a private verdict is: mechanisms, their cost, their correctness, and what they promise."""
