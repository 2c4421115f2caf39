"""Backends with one fault each, to test the suite itself.

An author who adds a check adds a backend that only this check catches.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lowtime.backends.protocol import MaxFlowBackend
from lowtime.conformance.known_bad import arcs, arithmetic, flows, manners, memory, tracers
from lowtime.conformance.registry import Level


@dataclass(frozen=True, slots=True)
class KnownBad:
    """A backend with a fault.

    Attributes:
        make: makes the backend.
        level: level of the check.
        caught_by: name of the check that must fail.
    """

    make: Callable[[], MaxFlowBackend]
    level: Level
    caught_by: str

    @property
    def name(self) -> str:
        """The backend's name."""
        return self.make().info.name


KNOWN_BAD: tuple[KnownBad, ...] = (
    KnownBad(flows.SourceMaximalCut, "core", "equal_cuts"),
    KnownBad(flows.ExcessLeftBehind, "core", "tiny_networks"),
    KnownBad(flows.GreedyFlow, "core", "earlier_paths_undone"),
    KnownBad(flows.FixedNumberOfPaths, "core", "many_disjoint_paths"),
    KnownBad(flows.SwappedTerminals, "core", "source_and_sink_in_every_place"),
    KnownBad(flows.SortedArcs, "core", "distinct_arcs_in_falling_order"),
    KnownBad(flows.RecursiveSearch, "core", "long_path"),
    KnownBad(arcs.LastParallelArc, "core", "parallel_arcs_of_every_size"),
    KnownBad(arcs.MergedParallelArcs, "core", "parallel_arcs"),
    KnownBad(arcs.DroppedAntiparallelArc, "core", "antiparallel_arcs"),
    KnownBad(arcs.CountedSelfLoops, "core", "self_loops"),
    KnownBad(arcs.ZeroIsUnbounded, "core", "zero_capacities"),
    KnownBad(arcs.UnreachableSinkRaises, "core", "sink_out_of_reach"),
    KnownBad(arcs.NodesOnlyFromArcs, "core", "terminals_without_arcs"),
    KnownBad(arithmetic.Int32Wrap, "limits", "powers_of_two"),
    KnownBad(arithmetic.FloatRounding, "limits", "powers_of_two"),
    KnownBad(arithmetic.FloatTolerance, "limits", "crumbs_beside_large_flows"),
    KnownBad(arithmetic.TooLargeRange, "limits", "widest_arcs"),
    KnownBad(arithmetic.WrappedTotal, "limits", "largest_total"),
    KnownBad(arithmetic.FloatLimits, "limits", "declaration"),
    KnownBad(memory.MutatedInput, "core", "input_left_alone"),
    KnownBad(memory.StaleCapacities, "core", "capacities_changed"),
    KnownBad(memory.StaleTerminals, "core", "terminals_changed"),
    KnownBad(memory.ReusedBuffer, "core", "result_owned_by_caller"),
    KnownBad(memory.AnotherFlowEachTime, "core", "same_flow_every_time"),
    KnownBad(memory.SharedWorkspace, "robustness", "threads_at_once"),
    KnownBad(memory.OneThreadOnly, "robustness", "calls_from_another_thread"),
    KnownBad(memory.DiesAfterFork, "robustness", "forked_process"),
    KnownBad(memory.CannotBePickled, "robustness", "fresh_process"),
    KnownBad(manners.FloatResult, "core", "types_of_the_result"),
    KnownBad(manners.LeakedException, "robustness", "wrong_arguments"),
    KnownBad(manners.ExitsTheProcess, "robustness", "odd_but_legal_networks"),
    KnownBad(manners.Hangs, "robustness", "steps_that_do_not_follow_capacities"),
    KnownBad(manners.Prints, "robustness", "silence"),
    KnownBad(manners.ReseedsNumPy, "robustness", "settings_left_alone"),
    KnownBad(tracers.SkippedTie, "frontier", "traces_small_projects"),
    KnownBad(tracers.EarlyEnd, "frontier", "ends_at_the_shortest_schedule"),
    KnownBad(tracers.RestoredFromTheStart, "frontier", "restores_from_any_state"),
    KnownBad(tracers.RestoredWithoutFlow, "frontier", "restores_from_any_state"),
    KnownBad(tracers.OwnStateOnly, "frontier", "restores_from_the_loop"),
    KnownBad(tracers.MoreThanAsked, "frontier", "keeps_to_the_asked_number"),
    KnownBad(tracers.StateInPlace, "frontier", "state_is_a_copy"),
    KnownBad(tracers.SharedSession, "frontier", "sessions_in_turn"),
    KnownBad(tracers.RaisesAtTheEnd, "frontier", "stays_at_the_end"),
    KnownBad(tracers.NumPyCounters, "frontier", "counts_its_work"),
    KnownBad(tracers.NeedsSomethingToCrash, "frontier", "traces_the_least_projects"),
)
