//! Maximum flow by blocking flows in layered networks.
//!
//! Each phase labels nodes with their distance to the sink, then sends flow along shortest paths
//! only until every one of them is blocked. The distance of the source grows with each phase, so
//! there are fewer than `n` phases; a phase takes O(n m).
//!
//! Source: E. A. Dinic, "Algorithm for solution of a problem of maximum flow in networks with power
//! estimation", Soviet Mathematics Doklady 11 (1970).

use crate::network::{MaxFlow, Network};
use crate::residual::Residual;

const FAR: u32 = u32::MAX;

/// A maximum flow of a checked network.
#[must_use]
pub fn max_flow(network: &Network<'_>) -> MaxFlow {
    let mut residual = Residual::new(network);
    let (source, sink) = (network.source as u32, network.sink as u32);
    let mut distance = vec![FAR; network.num_nodes];
    let mut queue = Vec::with_capacity(network.num_nodes);
    let mut current = vec![0u32; network.num_nodes];
    let mut path = Vec::new();
    let mut value = 0;
    while label(&residual, source, sink, &mut distance, &mut queue) {
        for &node in &queue {
            current[node as usize] = residual.first[node as usize];
        }
        value += block(&mut residual, source, sink, &mut distance, &mut current, &mut path);
    }
    MaxFlow { value, flow: residual.flow() }
}

/// Distances to the sink by breadth-first search; true when the source has one.
fn label(
    residual: &Residual,
    source: u32,
    sink: u32,
    distance: &mut [u32],
    queue: &mut Vec<u32>,
) -> bool {
    distance.fill(FAR);
    queue.clear();
    distance[sink as usize] = 0;
    queue.push(sink);
    let mut next = 0;
    while let Some(&node) = queue.get(next) {
        next += 1;
        let one_more = distance[node as usize] + 1;
        if one_more > distance[source as usize] {
            break; // farther than the source: on no shortest path
        }
        for half in &residual.half[residual.out(node)] {
            if distance[half.head as usize] == FAR && residual.half[half.mate as usize].residual > 0
            {
                distance[half.head as usize] = one_more;
                queue.push(half.head);
            }
        }
    }
    distance[source as usize] != FAR
}

/// Sends flow along paths of falling distance until none is left; returns how much.
///
/// `path` is the stack of half-arcs from the source: an explicit one, so that a path of a million
/// arcs costs memory and not the call stack.
fn block(
    residual: &mut Residual,
    source: u32,
    sink: u32,
    distance: &mut [u32],
    current: &mut [u32],
    path: &mut Vec<u32>,
) -> i64 {
    let mut sent = 0;
    path.clear();
    let mut node = source;
    loop {
        if node == sink {
            let amount =
                path.iter().map(|&h| residual.half[h as usize].residual).min().unwrap_or(0);
            sent += amount;
            let mut kept = path.len();
            for index in (0..path.len()).rev() {
                let left = residual.push(path[index], amount);
                if left == 0 {
                    kept = index; // go on from the tail of the first saturated arc
                }
            }
            node = tail(residual, path[kept]);
            path.truncate(kept);
            continue;
        }
        let (end, wanted) =
            (residual.first[node as usize + 1], distance[node as usize].wrapping_sub(1));
        let mut half = current[node as usize];
        while half < end {
            let candidate = residual.half[half as usize];
            if candidate.residual > 0 && distance[candidate.head as usize] == wanted {
                break;
            }
            half += 1;
        }
        current[node as usize] = half;
        if half < end {
            path.push(half);
            node = residual.half[half as usize].head;
        } else if let Some(last) = path.pop() {
            distance[node as usize] = FAR; // a dead end for the rest of the phase
            node = tail(residual, last);
            current[node as usize] += 1;
        } else {
            return sent;
        }
    }
}

fn tail(residual: &Residual, half: u32) -> u32 {
    residual.half[residual.half[half as usize].mate as usize].head
}
