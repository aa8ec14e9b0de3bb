"""Numbers behind the live lessons; every data set here is made up on the spot."""
