//! Every cold solver against each other and against the certificate of a maximum flow.

mod support;

use lowtime_engine::error::ask_for_memory;
use lowtime_engine::{EngineError, MaxFlow, Network, edmonds_karp, max_flow, max_flow_while};
use support::Random;

struct Owned {
    num_nodes: usize,
    tail: Vec<i32>,
    head: Vec<i32>,
    capacity: Vec<i64>,
}

impl Owned {
    fn random(random: &mut Random, nodes: i64, arcs: i64, largest: i64) -> Self {
        let n = random.within(2, nodes);
        let m = random.within(0, arcs) as usize;
        let mut ends = || (0..m).map(|_| random.within(0, n - 1) as i32).collect::<Vec<_>>();
        let (tail, head) = (ends(), ends());
        let capacity = (0..m).map(|_| random.within(0, largest)).collect();
        Self { num_nodes: n as usize, tail, head, capacity }
    }

    fn network(&self) -> Network<'_> {
        Network {
            num_nodes: self.num_nodes,
            tail: &self.tail,
            head: &self.head,
            capacity: &self.capacity,
            source: 0,
            sink: self.num_nodes - 1,
        }
    }
}

/// Within bounds, conserved, and no way left from the source to the sink.
fn certify(network: &Network<'_>, solved: &MaxFlow) {
    let mut excess = vec![0i128; network.num_nodes];
    let mut ways = vec![Vec::new(); network.num_nodes];
    for (arc, &flow) in solved.flow.iter().enumerate() {
        let (tail, head) = (network.tail[arc] as usize, network.head[arc] as usize);
        assert!((0..=network.capacity[arc]).contains(&flow));
        assert!(tail != head || flow == 0, "flow on the self-loop {arc}");
        excess[tail] -= i128::from(flow);
        excess[head] += i128::from(flow);
        if flow < network.capacity[arc] {
            ways[tail].push(head);
        }
        if flow > 0 {
            ways[head].push(tail);
        }
    }
    assert_eq!(excess[network.source], -i128::from(solved.value));
    assert_eq!(excess[network.sink], i128::from(solved.value));
    excess[network.source] = 0;
    excess[network.sink] = 0;
    assert!(excess.iter().all(|&excess| excess == 0));
    let mut reached = vec![false; network.num_nodes];
    let mut stack = vec![network.source];
    while let Some(node) = stack.pop() {
        if !std::mem::replace(&mut reached[node], true) {
            stack.extend(&ways[node]);
        }
    }
    assert!(!reached[network.sink]);
}

#[test]
fn solvers_agree_and_are_maximum() {
    let mut random = Random(1);
    for _ in 0..3000 {
        let largest = [1, 5, 1000, i64::MAX / 32][random.within(0, 3) as usize];
        let owned = Owned::random(&mut random, 9, 24, largest);
        let network = owned.network();
        let ours = max_flow(&network).unwrap();
        certify(&network, &ours);
        for solved in [edmonds_karp::sparse(&network), edmonds_karp::dense(&network)] {
            let solved = solved.unwrap();
            certify(&network, &solved);
            assert_eq!(solved.value, ours.value);
        }
    }
}

#[test]
fn larger_networks_are_maximum() {
    let mut random = Random(2);
    for _ in 0..40 {
        let owned = Owned::random(&mut random, 400, 2400, 50);
        certify(&owned.network(), &max_flow(&owned.network()).unwrap());
    }
}

#[test]
fn antiparallel_pairs_at_the_end_of_the_range_do_not_wrap() {
    let top = i64::MAX;
    // 0 -> 1 <-> 2 -> 3, with a detour that makes flow run 2 -> 1 first.
    let owned = Owned {
        num_nodes: 4,
        tail: vec![0, 0, 1, 2, 1, 2],
        head: vec![1, 2, 2, 1, 3, 3],
        capacity: vec![top / 2, top / 2, top, top, top, top],
    };
    let network = owned.network();
    for solved in
        [max_flow(&network), edmonds_karp::sparse(&network), edmonds_karp::dense(&network)]
    {
        let solved = solved.unwrap();
        certify(&network, &solved);
        assert_eq!(solved.value, top / 2 * 2);
    }
}

#[test]
fn a_chain_of_a_million_arcs_needs_no_stack() {
    let n = 1_000_001;
    let owned = Owned {
        num_nodes: n,
        tail: (0..n as i32 - 1).collect(),
        head: (1..n as i32).collect(),
        capacity: vec![7; n - 1],
    };
    assert_eq!(max_flow(&owned.network()).unwrap().value, 7);
}

#[test]
fn bad_input_is_refused_before_anything_runs() {
    let good = Network {
        num_nodes: 3,
        tail: &[0, 1],
        head: &[1, 2],
        capacity: &[1, 1],
        source: 0,
        sink: 2,
    };
    assert!(max_flow(&good).is_ok());
    let bad = [
        Network { tail: &[0, 3], ..good },
        Network { head: &[-1, 2], ..good },
        Network { capacity: &[1, -1], ..good },
        Network { capacity: &[1], ..good },
        Network { source: 2, ..good },
        Network { sink: 3, ..good },
        Network { num_nodes: 0, ..good },
    ];
    for network in bad {
        for solve in [max_flow, edmonds_karp::sparse, edmonds_karp::dense] {
            assert!(matches!(solve(&network), Err(EngineError::Invalid(_))), "{network:?}");
        }
    }
    let too_much = Network { tail: &[0, 0], head: &[1, 2], capacity: &[i64::MAX, 1], ..good };
    assert!(matches!(max_flow(&too_much), Err(EngineError::Range(_))));
}

#[test]
fn parallel_arcs_beyond_the_range_are_refused_where_they_are_merged() {
    let network = Network {
        num_nodes: 3,
        tail: &[0, 1, 1],
        head: &[1, 2, 2],
        capacity: &[5, i64::MAX, i64::MAX],
        source: 0,
        sink: 2,
    };
    assert_eq!(max_flow(&network).unwrap().value, 5);
    assert!(matches!(edmonds_karp::sparse(&network), Err(EngineError::Range(_))));
}

#[test]
fn the_dense_store_refuses_more_nodes_than_it_takes() {
    let num_nodes = edmonds_karp::MAX_DENSE_NODES + 1;
    let network = Network { num_nodes, tail: &[0], head: &[1], capacity: &[1], source: 0, sink: 1 };
    assert!(matches!(edmonds_karp::dense(&network), Err(EngineError::Range(_))));
    assert_eq!(edmonds_karp::sparse(&network).unwrap().value, 1);
}

#[test]
fn a_caller_can_stop_at_any_question() {
    let mut random = Random(9);
    let owned = Owned::random(&mut random, 400, 2400, 50);
    let mut questions = 0;
    let whole = max_flow_while(&owned.network(), &mut || {
        questions += 1;
        true
    });
    assert!(whole.is_ok() && questions > 0);
    for last in 0..questions {
        let mut asked = 0;
        let stopped = max_flow_while(&owned.network(), &mut || {
            asked += 1;
            asked <= last
        });
        assert_eq!(stopped, Err(EngineError::Stopped));
        assert_eq!(asked, last + 1);
    }
}

#[test]
fn memory_that_is_not_to_be_had_is_an_error_and_no_abort() {
    assert_eq!(ask_for_memory(1 << 27), Ok(()));
    let all = isize::MAX as usize;
    assert_eq!(ask_for_memory(all), Err(EngineError::Memory(all)));
}
