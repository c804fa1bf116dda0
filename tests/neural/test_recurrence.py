"""The LSTM layer for training against PyTorch's own."""

import pytest

torch = pytest.importorskip("torch", reason='no PyTorch; pip install "rearc[neural]"')

from rearc.neural.recurrence import BiLSTMLayer
from tests.naive.neural import torch_lstm

WIDTH, HIDDEN = 5, 4


def random_layer(seed: int) -> BiLSTMLayer:
    torch.manual_seed(seed)
    layer = BiLSTMLayer(WIDTH, HIDDEN).double()
    for parameter in layer.parameters():
        parameter.data.normal_()
    return layer


@pytest.mark.parametrize("lengths", [[7], [1], [6, 1, 4, 6], [1, 2, 3, 4, 5], [1, 1, 1]], ids=str)
def test_outputs_and_gradients(lengths: list[int]):
    layer = random_layer(len(lengths))
    inputs = torch.randn(len(lengths), max(lengths), WIDTH, dtype=torch.float64, requires_grad=True)
    outputs = layer(inputs, torch.tensor(lengths))
    tastes = torch.randn_like(outputs)  # what the loss thinks of each number
    (outputs * tastes).sum().backward()
    assert outputs.shape == (len(lengths), max(lengths), 2 * HIDDEN)

    theirs = torch_lstm(layer.input.detach(), layer.recurrent.detach(), layer.bias.detach())
    copy = inputs.detach().clone().requires_grad_()
    total = torch.zeros((), dtype=torch.float64)
    for k, n in enumerate(lengths):
        alone = theirs(copy[k : k + 1, :n])[0][0]
        torch.testing.assert_close(outputs[k, :n], alone)
        assert not outputs[k, n:].any()
        total = total + (alone * tastes[k, :n]).sum()
    total.backward()
    torch.testing.assert_close(inputs.grad, copy.grad)
    for k, suffix in enumerate(("l0", "l0_reverse")):
        torch.testing.assert_close(layer.input.grad[k], getattr(theirs, f"weight_ih_{suffix}").grad.T)
        torch.testing.assert_close(layer.recurrent.grad[k], getattr(theirs, f"weight_hh_{suffix}").grad.T)
        torch.testing.assert_close(layer.bias.grad[k], getattr(theirs, f"bias_ih_{suffix}").grad)


def test_gradients_against_differences():
    torch.manual_seed(2)
    layer = BiLSTMLayer(2, 2).double()
    names = [name for name, _ in layer.named_parameters()]
    lengths = torch.tensor([3, 1])

    def run(inputs: torch.Tensor, *weights: torch.Tensor) -> torch.Tensor:
        return torch.func.functional_call(layer, dict(zip(names, weights, strict=True)), (inputs, lengths))

    inputs = torch.randn(2, 3, 2, dtype=torch.float64, requires_grad=True)
    weights = [torch.randn_like(p).requires_grad_() for p in layer.parameters()]
    assert torch.autograd.gradcheck(run, (inputs, *weights))


def test_what_is_behind_a_sentence_does_not_matter():
    layer = random_layer(3)
    inputs = torch.randn(2, 6, WIDTH, dtype=torch.float64)
    lengths = torch.tensor([6, 2])
    before = layer(inputs, lengths)
    inputs[1, 2:] = 1e6
    assert torch.equal(layer(inputs, lengths), before)


def test_large_numbers_saturate():
    layer = random_layer(4)
    inputs = torch.full((1, 4, WIDTH), 1e6, dtype=torch.float64, requires_grad=True)
    outputs = layer(inputs, torch.tensor([4]))
    outputs.sum().backward()
    assert outputs.isfinite().all()
    assert inputs.grad.isfinite().all()


def test_single_precision_is_compiled_and_the_same():
    """Outputs and gradients beside those of double precision, which PyTorch computes."""
    lengths = torch.tensor([9, 2, 5, 9, 1])
    single = BiLSTMLayer(WIDTH, 19)
    double = BiLSTMLayer(WIDTH, 19).double()
    double.load_state_dict({name: tensor.double() for name, tensor in single.state_dict().items()})
    found = []
    inputs = torch.randn(5, 9, WIDTH, generator=torch.Generator().manual_seed(4))
    for layer in (single, double):
        own = inputs.detach().clone().to(layer.bias.dtype).requires_grad_()
        outputs = layer(own, lengths)
        outputs.square().sum().backward()
        found.append([outputs, own.grad, *(parameter.grad for parameter in layer.parameters())])
    for ours, theirs in zip(*found, strict=True):
        torch.testing.assert_close(ours, theirs.float(), rtol=1e-4, atol=1e-5)
