"""Where the time of a solve goes: phases, call by call, and the counters of the backends."""

from lowtime.profiling.phase_times import PhaseTimes
from lowtime.profiling.recorder import Profile, note_counters, phase, phased, profile

__all__ = ["PhaseTimes", "Profile", "note_counters", "phase", "phased", "profile"]
