//! Counts of the work that a session has done, so that a regression shows without a clock.

/// Work done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Steps taken.
    pub steps: u64,
    /// Times the sink was reached and the flow had to grow.
    pub augmentations: u64,
    /// Extensions of the source side.
    pub searches: u64,
    /// Events looked at by them.
    pub nodes_visited: u64,
    /// Paths along which flow was sent.
    pub pushes: u64,
    /// Events that lost their place in the search tree and looked for another.
    pub orphans: u64,
    /// Arcs that became tight.
    pub events: u64,
}

impl Counters {
    /// Every counter with its name.
    #[must_use]
    pub fn named(&self) -> [(&'static str, u64); 7] {
        [
            ("steps", self.steps),
            ("augmentations", self.augmentations),
            ("searches", self.searches),
            ("nodes_visited", self.nodes_visited),
            ("pushes", self.pushes),
            ("orphans", self.orphans),
            ("events", self.events),
        ]
    }
}
