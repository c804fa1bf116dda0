"""What a parse has to comply with, and what sees to it."""

from rearc.constraints.tasks import ConstraintError, Constraints, Task, put_back, task_for

__all__ = ["ConstraintError", "Constraints", "Task", "put_back", "task_for"]
