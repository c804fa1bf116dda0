"""Averaged perceptron: weights, learning; the tagger and the transition scorer built on it."""
