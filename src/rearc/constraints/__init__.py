"""What a parse has to comply with, and what sees to it."""

from rearc.constraints.tasks import ConstraintError, Constraints, Task, put_back, task_for
from rearc.oracles.table import is_exact

__all__ = ["ConstraintError", "Constraints", "Task", "is_exact", "put_back", "task_for"]
