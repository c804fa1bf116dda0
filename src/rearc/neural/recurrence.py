"""A bidirectional LSTM layer for training in PyTorch.

PyTorch's own computes the gradient of its weights anew at each word; here it is one product for all words of a batch,
and both directions run side by side. On a CPU and in single precision the steps are compiled (`learning`), as there are
too few sentences in a batch to make up for the price of a call to PyTorch.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from rearc.neural.learning import backwards, forwards

# All arrays are directions × steps × sentences × units; the gates come in the order i, f, g, o.
# The logistic function is a tanh: σ(x) = ½ tanh(½x) + ½.


class Recurrence(torch.autograd.Function):
    """From what the inputs give to the gates, and the recurrent weights, to the outputs."""

    @staticmethod
    def forward(ctx: Any, given: Tensor, weights: Tensor) -> Tensor:
        directions, steps, sentences, width = given.shape
        hidden = width // 4
        half = given.new_full((4, 1), 0.5)
        half[2] = 1
        scale = half.expand(4, hidden).reshape(width)
        offset = 1 - scale
        gates = (given * scale).contiguous()
        scaled = (weights * scale).contiguous()
        cells = given.new_empty(directions, steps, sentences, hidden)
        squashed = torch.empty_like(cells)
        outputs = torch.empty_like(cells)
        ctx.compiled = given.device.type == "cpu" and given.dtype == torch.float32
        if ctx.compiled:
            forwards(*(each.numpy() for each in (gates, scaled, cells, squashed, outputs)))
            steps = 0
        for t in range(steps):
            gate = gates[:, t]
            if t:
                torch.baddbmm(gate, outputs[:, t - 1], scaled, out=gate)
            gate.tanh_()
            torch.addcmul(offset, gate, scale, out=gate)
            i, f, g, o = gate.chunk(4, dim=2)
            if t:
                torch.mul(f, cells[:, t - 1], out=cells[:, t]).addcmul_(i, g)
            else:
                torch.mul(i, g, out=cells[:, t])
            torch.tanh(cells[:, t], out=squashed[:, t])
            torch.mul(o, squashed[:, t], out=outputs[:, t])
        ctx.save_for_backward(weights, gates, cells, squashed, outputs)
        return outputs

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor]:
        weights, gates, cells, squashed, outputs = ctx.saved_tensors
        steps, hidden = cells.shape[1], cells.shape[3]
        before = outputs[:, :-1].flatten(1, 2)
        if ctx.compiled:
            factors = torch.empty_like(gates)
            gradient = gradients[0].clone(memory_format=torch.contiguous_format)  # which is added to
            arrays = (gates, weights.contiguous(), cells, squashed, gradient, factors)
            backwards(*(each.detach().numpy() for each in arrays))
            return factors, before.transpose(1, 2) @ factors[:, 1:].flatten(1, 2)
        i, f, g, o = gates.chunk(4, dim=3)
        # what a cell's gradient is worth to the gates before their squashing, and an output's to its gate and cell
        factors = torch.empty_like(gates)
        torch.mul(g, i * (1 - i), out=factors[..., :hidden])
        factors[:, 0, :, hidden : 2 * hidden] = 0
        torch.mul(cells[:, :-1], (f * (1 - f))[:, 1:], out=factors[:, 1:, :, hidden : 2 * hidden])
        torch.mul(i, 1 - g * g, out=factors[..., 2 * hidden : 3 * hidden])
        torch.mul(squashed, o * (1 - o), out=factors[..., 3 * hidden :])
        to_cell = o * (1 - squashed * squashed)
        across = weights.transpose(1, 2)
        cell = torch.zeros_like(cells[:, 0])
        for t in range(steps - 1, -1, -1):
            output = gradients[0][:, t]
            if t + 1 < steps:
                output = torch.baddbmm(output, factors[:, t + 1], across)
                cell = cell * f[:, t + 1]
            cell = torch.addcmul(cell, output, to_cell[:, t])
            factor = factors[:, t]
            factor[..., : 3 * hidden].view(*factor.shape[:2], 3, hidden).mul_(cell.unsqueeze(2))
            factor[..., 3 * hidden :].mul_(output)
        return factors, before.transpose(1, 2) @ factors[:, 1:].flatten(1, 2)


class BiLSTMLayer(nn.Module):
    """One layer; a model file has its weights by these names."""

    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.input = nn.Parameter(torch.empty(2, width, 4 * hidden))
        self.recurrent = nn.Parameter(torch.empty(2, hidden, 4 * hidden))
        self.bias = nn.Parameter(torch.zeros(2, 4 * hidden))
        for k in range(2):
            nn.init.xavier_uniform_(self.input.data[k], gain=1.0)
            for gate in self.recurrent.data[k].chunk(4, dim=1):
                nn.init.orthogonal_(gate)
        self.bias.data[:, hidden : 2 * hidden] = 1  # nothing is forgotten in the beginning
        self.hidden = hidden

    def forward(self, inputs: Tensor, lengths: Tensor) -> Tensor:
        """sentences × words × units, in and out; behind a sentence's last word all is 0."""
        steps = inputs.shape[1]
        places = torch.arange(steps, device=inputs.device)
        back = (lengths.unsqueeze(1) - 1 - places).remainder(steps)  # turns each sentence round, what is behind it not
        inside = places < lengths.unsqueeze(1)
        back = torch.where(inside, back, places)
        turned = inputs.gather(1, back.unsqueeze(2).expand_as(inputs))
        both = torch.stack([inputs, turned]).transpose(1, 2)  # directions × steps × sentences × width
        given = torch.baddbmm(self.bias.unsqueeze(1), both.flatten(1, 2), self.input)
        outputs: Tensor = Recurrence.apply(given.view(2, steps, len(inputs), -1), self.recurrent)  # type: ignore[no-untyped-call]
        ahead, behind = outputs.transpose(1, 2)
        behind = behind.gather(1, back.unsqueeze(2).expand_as(behind))
        return torch.cat([ahead, behind], dim=2) * inside.unsqueeze(2)
