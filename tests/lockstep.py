"""The naive and the compiled systems side by side."""

from functools import cache
from random import Random
from typing import Any

from rearc.systems import State, system

from .naive import NAMES, naive_system
from .naive.attardi import derives
from .naive.gold import Tree, all_trees, gold_trees, random_tree
from .naive.search import Space

ONE_ROOT_ALWAYS = {"arc-eager-tree", "arc-eager-unshift"}
NON_PROJECTIVE = {name for name in NAMES if "covington" in name or "swap" in name or name == "attardi"}


@cache
def space(name: str, single_root: bool, n: int) -> Space:
    return Space(naive_system(name, single_root), n)


@cache
def states(name: str, single_root: bool, n: int) -> dict[Any, State]:
    """For every reachable naive configuration, in an order in which it can be reached, the compiled one."""
    compiled = system(name, single_root=single_root)
    naive = space(name, single_root, n)
    found = {naive.first: compiled.start(n)}
    waiting = [naive.first]
    while waiting:
        c = waiting.pop()
        for transition, after in naive.after[c].items():
            if after not in found:
                found[after] = found[c].copy()
                compiled.apply(found[after], transition)
                waiting.append(after)
    return found


def derivable(name: str, single_root: bool, n: int) -> list[Tree]:
    """The trees over n words that the system is made for."""
    trees = gold_trees(n, single_root or name in ONE_ROOT_ALWAYS, name not in NON_PROJECTIVE)
    return [tree for tree in trees if is_derived(name, tree)]


def is_derived(name: str, tree: Tree) -> bool:
    """Attardi's system derives some of the non-projective trees, the others all or none."""
    return name != "attardi" or derives(tree)


def judged(name: str, single_root: bool, n: int) -> list[Tree]:
    """The trees that its oracles are asked about: with one root wanted, trees with one; else any.

    Arc-swift's are asked about projective trees alone: the penalty is not defined for others.
    """
    return derivable(name, single_root, n) if single_root or name == "arc-swift" else all_trees(n)


def random_derivable(name: str, single_root: bool, n: int, rng: Random) -> Tree:
    while True:
        tree = random_tree(n, rng, single_root or name in ONE_ROOT_ALWAYS, name not in NON_PROJECTIVE)
        if is_derived(name, tree):
            return tree
