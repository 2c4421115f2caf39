"""Core checks: the flow is a maximum flow, on networks of every shape."""

from __future__ import annotations

from lowtime.conformance.instances import chain, diamond
from lowtime.conformance.registry import check
from lowtime.conformance.subject import Subject


@check("core", "1.0")
def tiny_networks(subject: Subject) -> None:
    """Any fault of small size: 150 networks of up to 7 nodes whose every cut was tried.

    Source: exhaustive search, as in MathOptInterface's small closed-form models.
    """
    subject.require_golden("tiny", range(150))


@check("core", "1.0")
def sparse_networks(subject: Subject) -> None:
    """A search that misses arcs: 60 nodes, arcs between any two of them.

    Source: lowtime's own study.
    """
    subject.require_golden("sparse", range(5))


@check("core", "1.0")
def dense_networks(subject: Subject) -> None:
    """A search that stops at the first saturated arc: every ordered pair of nodes has one.

    Source: lowtime's own study.
    """
    subject.require_golden("dense", range(5))


@check("core", "1.0")
def layered_networks(subject: Subject) -> None:
    """Levels counted wrongly: layers of equal width with many equal capacities.

    Source: the layered networks of the first DIMACS implementation challenge (1991).
    """
    subject.require_golden("layered", range(5))


@check("core", "1.0")
def grid_networks(subject: Subject) -> None:
    """Flow that must wind back and forth: grids with arcs both ways.

    Source: vision instances of Boykov and Kolmogorov (2004), doi:10.1109/TPAMI.2004.60.
    """
    subject.require_golden("grid", range(5))


@check("core", "1.0")
def pipeline_networks(subject: Subject) -> None:
    """What lowtime asks most: a pipeline's tight network, with unbounded arcs and one wide source.

    Source: 1F1B schedules of pipeline-parallel training.
    """
    subject.require_golden("pipeline", range(5))


@check("core", "1.0")
def bipartite_matchings(subject: Subject) -> None:
    """Unit capacities mishandled as weights or as booleans.

    Source: matching by maximum flow, Ford and Fulkerson (1962).
    """
    subject.require_golden("bipartite", range(5))


@check("core", "1.0")
def earlier_paths_undone(subject: Subject) -> None:
    """No reverse residual arcs: a greedy flow that never cancels what it sent is too small.

    Source: https://github.com/jgrapht/jgrapht/issues/1149
    """
    subject.require_golden("greedy_trap", range(5))


@check("core", "1.0")
def many_disjoint_paths(subject: Subject) -> None:
    """An end after a fixed number of augmentations: 400 paths that share nothing.

    Source: lowtime's own study.
    """
    subject.require_golden("wide", range(5))


@check("core", "1.0")
def equal_cuts(subject: Subject) -> None:
    """A flow whose residual network hides one of several minimum cuts: ties in every place.

    Source: https://github.com/networkx/networkx/issues/5239
    """
    subject.require_golden("ties", range(5))


@check("core", "1.0")
def long_path(subject: Subject) -> None:
    """Recursion over nodes: a path of 1,500 arcs, longer than Python's default stack is deep.

    Source: lowtime's own study.
    """
    network = chain(1500)
    expected = (2, tuple(node > 750 for node in range(1501)))
    subject.require_known(network, "chain(1500)", *expected)


@check("core", "1.0")
def unit_arc_between_wide_ones(subject: Subject) -> None:
    """Augmenting by single units: two wide paths, joined by an arc of capacity 1.

    Source: Ford and Fulkerson (1962), section I.8: the number of steps must not follow capacities.
    """
    for capacity in (1, 2, 1000, 2**20):
        network = diamond(capacity)
        side = (True, False, False, False)
        subject.require_known(network, f"diamond({capacity})", 2 * capacity, side)
