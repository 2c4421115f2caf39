//! The plain s-t network and its maximum flow.

use crate::error::{EngineError, ask_for_memory};

/// A directed network with integer capacities; arc `i` goes `tail[i] -> head[i]`.
///
/// Parallel arcs, antiparallel arcs and self-loops are legal.
#[derive(Clone, Copy, Debug)]
pub struct Network<'a> {
    /// Nodes are `0 .. num_nodes`; at most `i32::MAX`.
    pub num_nodes: usize,
    /// `[m]`, tail node of every arc.
    pub tail: &'a [i32],
    /// `[m]`, head node of every arc.
    pub head: &'a [i32],
    /// `[m]`, capacity of every arc, at least 0.
    pub capacity: &'a [i64],
    /// Node the flow leaves.
    pub source: usize,
    /// Node the flow reaches, another one than `source`.
    pub sink: usize,
}

/// What every solver needs at least: nodes without arcs cost memory, too.
const BYTES_PER_NODE: usize = 40;
const BYTES_PER_ARC: usize = 44;

/// A maximum flow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaxFlow {
    /// Net flow out of the source.
    pub value: i64,
    /// `[m]`, flow of every arc, in the order of the network's arcs; 0 on self-loops.
    pub flow: Vec<i64>,
}

impl Network<'_> {
    /// Number of arcs.
    #[must_use]
    pub fn num_arcs(&self) -> usize {
        self.tail.len()
    }

    /// Checks the rules that the solvers rely on, in one pass over the arcs.
    ///
    /// # Errors
    /// [`EngineError::Invalid`] for a node out of range, a negative capacity or arrays of different
    /// length; [`EngineError::Range`] when the capacities that leave the source sum beyond
    /// `i64::MAX`, because that sum bounds every number a solver adds up; [`EngineError::Memory`]
    /// when a solver would not get the memory it needs.
    pub fn check(&self) -> Result<(), EngineError> {
        let (n, m) = (self.num_nodes, self.num_arcs());
        if n > i32::MAX as usize || 2 * m > u32::MAX as usize {
            return Err(EngineError::Range(format!("{n} nodes and {m} arcs: more than 2^31 - 1")));
        }
        if self.head.len() != m || self.capacity.len() != m {
            return Err(EngineError::Invalid(format!(
                "tail, head and capacity have {m}, {} and {} entries; expected one of each per arc",
                self.head.len(),
                self.capacity.len()
            )));
        }
        if self.source >= n || self.sink >= n || self.source == self.sink {
            return Err(EngineError::Invalid(format!(
                "source {} and sink {} must be two of {n} nodes",
                self.source, self.sink
            )));
        }
        // One pass without branches; what is wrong is looked for only when something is.
        let (mut wrong, mut high, mut low) = (false, 0u64, 0u64);
        for ((&tail, &head), &capacity) in self.tail.iter().zip(self.head).zip(self.capacity) {
            // A negative i32 becomes a huge u32 and fails the same comparison.
            wrong |= (tail as u32 >= n as u32) | (head as u32 >= n as u32) | (capacity < 0);
            let leaves = (tail as u32 == self.source as u32) & (head != tail);
            let leaving = if leaves { capacity as u64 } else { 0 };
            // At most 2^31 arcs: neither sum of halves wraps.
            high += leaving >> 32;
            low += leaving & 0xffff_ffff;
        }
        if wrong {
            return Err(self.first_wrong_arc());
        }
        if high + (low >> 32) > i64::MAX as u64 >> 32 {
            return Err(EngineError::Range(format!(
                "the capacities that leave the source {} sum beyond 2^63 - 1",
                self.source
            )));
        }
        ask_for_memory(n * BYTES_PER_NODE + m * BYTES_PER_ARC)
    }

    fn first_wrong_arc(&self) -> EngineError {
        let n = self.num_nodes;
        for (arc, ((&tail, &head), &capacity)) in
            self.tail.iter().zip(self.head).zip(self.capacity).enumerate()
        {
            if tail as u32 >= n as u32 || head as u32 >= n as u32 {
                return EngineError::Invalid(format!(
                    "arc {arc} goes {tail} -> {head}; nodes are 0 .. {}",
                    n - 1
                ));
            }
            if capacity < 0 {
                return EngineError::Invalid(format!("arc {arc} has capacity {capacity} < 0"));
            }
        }
        EngineError::Invalid("an arc breaks a rule".to_owned())
    }
}
