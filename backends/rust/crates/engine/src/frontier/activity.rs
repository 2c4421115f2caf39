//! The project as arrays: an activity-on-arc network with integer marginal-cost tables.

use crate::error::{EngineError, ask_for_memory};

/// A project; see `lowtime.network.activity.ActivityNetwork` for the meaning of every array.
///
/// Events are numbered topologically: every arc has `tail < head`, the source is event 0 and the
/// sink the last one.
#[derive(Clone, Debug, Default)]
pub struct Activity {
    /// Number of events, `n`.
    pub num_events: usize,
    /// `[m]`, event where the arc starts.
    pub tail: Vec<i32>,
    /// `[m]`, event where the arc ends.
    pub head: Vec<i32>,
    /// `[m]`, shortest duration, quanta.
    pub shortest: Vec<i64>,
    /// `[m]`, longest useful duration, quanta.
    pub longest: Vec<i64>,
    /// `[m]`, cost table of the arc; -1 on fixed arcs.
    pub table: Vec<i32>,
    /// `[t + 1]`, first piece of every table.
    pub table_start: Vec<i64>,
    /// `[p]`, quanta.
    pub piece_start: Vec<i64>,
    /// `[p]`, quanta.
    pub piece_end: Vec<i64>,
    /// `[p]`, cost units per quantum.
    pub marginal: Vec<i64>,
    /// The integer that stands for "unbounded": above the sum of the arcs' largest marginals.
    pub unbounded: i64,
}

/// Above this, sums of durations would leave no room in `i64`.
pub const MAX_TOTAL_TIME: i64 = 1 << 62;
/// What a session needs at least.
const BYTES_PER_EVENT: usize = 64;
const BYTES_PER_ARC: usize = 100;
/// The largest value of `unbounded`.
const MAX_UNBOUNDED: i64 = 1 << 50;

impl Activity {
    /// Number of arcs.
    #[must_use]
    pub fn num_arcs(&self) -> usize {
        self.tail.len()
    }

    /// Checks everything that the tracer relies on, in O(arcs + pieces).
    ///
    /// # Errors
    /// [`EngineError::Invalid`] names the array and entry that break a rule; [`EngineError::Range`]
    /// when times could leave `i64`; [`EngineError::Memory`] when a session would not get the memory
    /// it needs.
    pub fn check(&self) -> Result<(), EngineError> {
        let (n, m) = (self.num_events, self.num_arcs());
        if n < 2 || n > i32::MAX as usize || 2 * m > i32::MAX as usize {
            return Err(EngineError::Invalid(format!("{n} events and {m} arcs")));
        }
        let lengths = [self.head.len(), self.shortest.len(), self.longest.len(), self.table.len()];
        if lengths.iter().any(|&length| length != m) {
            return Err(EngineError::Invalid(format!(
                "arrays of {lengths:?} entries for {m} arcs"
            )));
        }
        ask_for_memory(n * BYTES_PER_EVENT + m * BYTES_PER_ARC)?;
        self.check_tables()?;
        let mut largest: i64 = 0;
        let mut total: i64 = 0;
        for arc in 0..m {
            let (tail, head) = (self.tail[arc], self.head[arc]);
            if tail < 0 || tail >= head || head as usize >= n {
                return Err(EngineError::Invalid(format!(
                    "arc {arc} goes {tail} -> {head}; expected 0 <= tail < head < {n}"
                )));
            }
            largest += self.check_durations(arc)?;
            total = total
                .checked_add(self.longest[arc])
                .filter(|&total| total <= MAX_TOTAL_TIME)
                .ok_or_else(|| {
                EngineError::Range("the longest durations sum beyond 2^62 quanta".to_owned())
            })?;
            if largest >= self.unbounded {
                break;
            }
        }
        if self.unbounded > MAX_UNBOUNDED || largest >= self.unbounded {
            return Err(EngineError::Invalid(format!(
                "unbounded is {}; expected more than the largest marginals' sum, at most 2^50",
                self.unbounded
            )));
        }
        Ok(())
    }

    /// Checks one arc against its table; returns its largest marginal, 0 on fixed arcs.
    fn check_durations(&self, arc: usize) -> Result<i64, EngineError> {
        let (shortest, longest) = (self.shortest[arc], self.longest[arc]);
        let wrong = || {
            EngineError::Invalid(format!(
                "arc {arc} lasts {shortest} .. {longest} quanta with cost table {}",
                self.table[arc]
            ))
        };
        if shortest < 0 || shortest > longest {
            return Err(wrong());
        }
        if self.table[arc] < 0 {
            return if shortest == longest { Ok(0) } else { Err(wrong()) };
        }
        let table = self.table[arc] as usize;
        if table + 1 >= self.table_start.len() {
            return Err(wrong());
        }
        let (first, end) = self.pieces(table);
        if self.piece_start[first] != shortest || self.piece_end[end - 1] != longest {
            return Err(wrong());
        }
        Ok(self.marginal[first])
    }

    fn check_tables(&self) -> Result<(), EngineError> {
        let pieces = self.piece_start.len();
        let starts = &self.table_start;
        let mut sound = self.piece_end.len() == pieces
            && self.marginal.len() == pieces
            && pieces <= i32::MAX as usize
            && starts.first() == Some(&0)
            && starts.last() == Some(&(pieces as i64))
            && starts.windows(2).all(|pair| pair[0] < pair[1]);
        if sound {
            for table in 0..starts.len() - 1 {
                let (first, end) = self.pieces(table);
                sound &= self.marginal[end - 1] >= 1
                    && self.marginal[first] <= MAX_UNBOUNDED
                    && (first..end).all(|j| self.piece_start[j] < self.piece_end[j])
                    && (first + 1..end).all(|j| {
                        self.piece_start[j] == self.piece_end[j - 1]
                            && self.marginal[j] < self.marginal[j - 1]
                    });
            }
        }
        if sound {
            return Ok(());
        }
        Err(EngineError::Invalid(
            "cost pieces must join end to start with marginals that fall strictly and are >= 1"
                .to_owned(),
        ))
    }

    /// The pieces of a table, as `first .. end`.
    #[must_use]
    pub fn pieces(&self, table: usize) -> (usize, usize) {
        (self.table_start[table] as usize, self.table_start[table + 1] as usize)
    }

    /// Where the arcs out of every event start in the second array, `[n + 1]`; and all arcs, grouped by
    /// tail.
    #[must_use]
    pub fn arcs_by_tail(&self) -> (Vec<u32>, Vec<u32>) {
        let mut first = vec![0u32; self.num_events + 2];
        // Counts land two places on, so that filling leaves `first` where it belongs.
        for &tail in &self.tail {
            first[tail as usize + 2] += 1;
        }
        for event in 1..first.len() {
            first[event] += first[event - 1];
        }
        let mut by_tail = vec![0u32; self.num_arcs()];
        for (arc, &tail) in self.tail.iter().enumerate() {
            let place = &mut first[tail as usize + 1];
            by_tail[*place as usize] = arc as u32;
            *place += 1;
        }
        first.pop();
        (first, by_tail)
    }

    /// `[n]`, earliest time of every event with the given durations: the longest path from event 0.
    #[must_use]
    pub fn earliest_times(&self, duration: &[i64]) -> Vec<i64> {
        let (_, by_tail) = self.arcs_by_tail(); // tails are in topological order
        let mut time = vec![0; self.num_events];
        for arc in by_tail {
            let arc = arc as usize;
            let finish = time[self.tail[arc] as usize] + duration[arc];
            let head = &mut time[self.head[arc] as usize];
            *head = finish.max(*head);
        }
        time
    }
}
