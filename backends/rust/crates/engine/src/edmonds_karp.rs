//! Maximum flow by the `pathfinding` crate's Edmonds-Karp, on its sparse or dense capacity store.
//!
//! The crate keeps one capacity per ordered pair of nodes and the *net* flow between them, and
//! panics on nodes that do not exist. So parallel arcs are merged first, self-loops dropped, and the
//! net flow of a pair is split over its arcs in their order.
//!
//! Source: J. Edmonds, R. M. Karp, "Theoretical improvements in algorithmic efficiency for network
//! flow problems", Journal of the ACM 19 (1972), doi:10.1145/321694.321699.

use std::collections::HashMap;

use pathfinding::directed::edmonds_karp::{DenseCapacity, EdmondsKarp, SparseCapacity};

use crate::EngineError;
use crate::network::{MaxFlow, Network};

/// The dense store holds two tables of `nodes^2` numbers; this many nodes make 1 GiB of them.
pub const MAX_DENSE_NODES: usize = 8192;

type Pair = (usize, usize);
type Arc = (Pair, i64);

/// A maximum flow with capacities in ordered maps.
///
/// # Errors
/// [`EngineError`] when the network breaks a rule, or parallel arcs sum beyond `i64::MAX`.
pub fn sparse(network: &Network<'_>) -> Result<MaxFlow, EngineError> {
    solve::<SparseCapacity<i64>>(network, usize::MAX)
}

/// A maximum flow with capacities in a matrix.
///
/// # Errors
/// As [`sparse`]; also [`EngineError::Range`] above [`MAX_DENSE_NODES`] nodes.
pub fn dense(network: &Network<'_>) -> Result<MaxFlow, EngineError> {
    solve::<DenseCapacity<i64>>(network, MAX_DENSE_NODES)
}

fn solve<Store: EdmondsKarp<i64>>(
    network: &Network<'_>,
    max_nodes: usize,
) -> Result<MaxFlow, EngineError> {
    network.check()?;
    let merged = merge_parallel(network)?;
    let (direct, detour) = separate_antiparallel(&merged);
    let size = network.num_nodes + detour.len();
    if size > max_nodes {
        return Err(EngineError::Range(format!(
            "{size} nodes: the dense capacity store takes at most {max_nodes}; use the sparse store"
        )));
    }
    let mut store = Store::new(size, network.source, network.sink);
    for &((tail, head), capacity) in &direct {
        store.set_capacity(tail, head, capacity);
    }
    for (middle, &((tail, head), capacity)) in (network.num_nodes..).zip(&detour) {
        store.set_capacity(tail, middle, capacity);
        store.set_capacity(middle, head, capacity);
    }
    let (flows, value, _) = store.augment();
    let mut net: HashMap<Pair, i64> = HashMap::with_capacity(flows.len());
    for ((tail, head), flow) in flows {
        if head < network.num_nodes {
            let tail = match tail.checked_sub(network.num_nodes) {
                Some(middle) => detour[middle].0.0,
                None => tail,
            };
            *net.entry((tail, head)).or_insert(0) += flow;
        }
    }
    Ok(MaxFlow { value, flow: split_over_parallel(network, net) })
}

/// One capacity per ordered pair of nodes, in order of the pairs; self-loops and zeros left out.
fn merge_parallel(network: &Network<'_>) -> Result<Vec<Arc>, EngineError> {
    let mut arcs: Vec<Arc> = network
        .tail
        .iter()
        .zip(network.head)
        .zip(network.capacity)
        .filter(|&((tail, head), &capacity)| tail != head && capacity > 0)
        .map(|((&tail, &head), &capacity)| ((tail as usize, head as usize), capacity))
        .collect();
    arcs.sort_unstable_by_key(|&(pair, _)| pair);
    let mut merged: Vec<Arc> = Vec::with_capacity(arcs.len());
    for (pair, capacity) in arcs {
        match merged.last_mut() {
            Some((last, sum)) if *last == pair => {
                *sum = sum.checked_add(capacity).ok_or_else(|| {
                    EngineError::Range(format!(
                        "the parallel arcs {} -> {} sum beyond 2^63 - 1",
                        pair.0, pair.1
                    ))
                })?;
            }
            _ => merged.push((pair, capacity)),
        }
    }
    Ok(merged)
}

/// Moves an arc aside when it and its opposite sum beyond `i64::MAX`.
///
/// The store's residual capacity of a pair is its capacity plus the flow on the opposite pair; a
/// detour through a node of its own keeps that sum within one capacity.
fn separate_antiparallel(merged: &[Arc]) -> (Vec<Arc>, Vec<Arc>) {
    merged.iter().partition(|&&((tail, head), capacity)| {
        if tail < head {
            return true; // of the two, the arc from the larger node moves
        }
        match merged.binary_search_by_key(&(head, tail), |&(pair, _)| pair) {
            Ok(opposite) => capacity.checked_add(merged[opposite].1).is_some(),
            Err(_) => true,
        }
    })
}

fn split_over_parallel(network: &Network<'_>, mut net: HashMap<Pair, i64>) -> Vec<i64> {
    let mut flow = vec![0; network.num_arcs()];
    for (arc, arc_flow) in flow.iter_mut().enumerate() {
        let (tail, head) = (network.tail[arc] as usize, network.head[arc] as usize);
        if let Some(left) = net.get_mut(&(tail, head)) {
            *arc_flow = (*left).min(network.capacity[arc]);
            *left -= *arc_flow;
        }
    }
    flow
}
