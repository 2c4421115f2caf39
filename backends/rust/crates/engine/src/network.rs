//! The plain s-t network and its maximum flow.

use crate::EngineError;

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
    /// `i64::MAX`, because that sum bounds every number a solver adds up.
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
        let mut leaving: i64 = 0;
        for (arc, ((&tail, &head), &capacity)) in
            self.tail.iter().zip(self.head).zip(self.capacity).enumerate()
        {
            // A negative i32 becomes a huge usize and fails the same comparison.
            if tail as usize >= n || head as usize >= n {
                return Err(EngineError::Invalid(format!(
                    "arc {arc} goes {tail} -> {head}; nodes are 0 .. {}",
                    n - 1
                )));
            }
            if capacity < 0 {
                return Err(EngineError::Invalid(format!("arc {arc} has capacity {capacity} < 0")));
            }
            if tail as usize == self.source && head != tail {
                leaving = leaving.checked_add(capacity).ok_or_else(|| {
                    EngineError::Range(format!(
                        "the capacities that leave the source {} sum beyond 2^63 - 1",
                        self.source
                    ))
                })?;
            }
        }
        Ok(())
    }
}
