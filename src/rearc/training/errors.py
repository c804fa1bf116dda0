"""What goes wrong in training."""


class TrainingError(ValueError):
    """Training cannot be done as asked; the message says what was found, what was expected and what to do."""
