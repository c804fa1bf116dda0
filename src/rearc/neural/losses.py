"""What a network is made to pay for a configuration: three ways to compare its scores with the optimal transitions."""

from __future__ import annotations

import torch
from torch import Tensor


def transition_loss(scores: Tensor, optimal: Tensor, kind: str) -> Tensor:
    """The sum over configurations, a row each; what is not legal has the score −∞.

    best: cross-entropy of the best-scoring optimal transition. marginal: of all optimal ones together.
    margin: how far the best of the others comes within 1 of it, as in 002.
    """
    right = scores.masked_fill(~optimal, -torch.inf)
    if kind == "marginal":
        return (torch.logsumexp(scores, dim=1) - torch.logsumexp(right, dim=1)).sum()
    best = right.max(dim=1).values
    if kind == "best":
        return (torch.logsumexp(scores, dim=1) - best).sum()
    others = scores.masked_fill(optimal, -torch.inf).max(dim=1).values
    return torch.relu(1 - best + others).sum()
