"""Averaged perceptron: weights, and the learner of transitions."""
