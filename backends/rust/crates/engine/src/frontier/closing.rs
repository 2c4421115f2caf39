//! The arcs that become tight as the sink side moves earlier, soonest first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A queue of (shift at which the arc becomes tight, arc).
///
/// Entries are never searched for and removed: one that no longer holds is recognized when it
/// comes to the front. Entries far ahead could pile up over many repairs of the source side, so the
/// queue is thinned whenever it has doubled.
#[derive(Clone, Debug, Default)]
pub struct Closing {
    queue: BinaryHeap<Reverse<(i64, u32)>>,
    thin_at: usize,
}

const THIN_AT_LEAST: usize = 256;

impl Closing {
    /// Adds an arc; `due` tells for any arc when it becomes tight, or None if it no longer will.
    pub fn push(&mut self, shift: i64, arc: u32, due: impl Fn(u32) -> Option<i64>) {
        if self.queue.len() >= self.thin_at.max(THIN_AT_LEAST) {
            let mut entries = std::mem::take(&mut self.queue).into_vec();
            entries.retain(|&Reverse((shift, arc))| due(arc) == Some(shift));
            entries.sort_unstable();
            entries.dedup();
            self.thin_at = 2 * entries.len();
            self.queue = entries.into();
        }
        self.queue.push(Reverse((shift, arc)));
    }

    /// The soonest arc with its shift, after dropping entries that no longer hold.
    pub fn soonest(&mut self, due: impl Fn(u32) -> Option<i64>) -> Option<(i64, u32)> {
        while let Some(&Reverse((shift, arc))) = self.queue.peek() {
            if due(arc) == Some(shift) {
                return Some((shift, arc));
            }
            self.queue.pop();
        }
        None
    }
}
