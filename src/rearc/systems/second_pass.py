"""What is a second pass: once there is a tree, a system that can change its mind looks at all pairs of words again."""

SYSTEM = "covington-nonmonotonic"
LONGEST = 400  # words: in a longer sentence there are too many pairs to look at, and it is left as it is
