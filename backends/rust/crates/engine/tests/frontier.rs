//! Sessions against brute force: every cut of small projects, one quantum at a time.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use lowtime_engine::frontier::{Activity, Segments, Session, State};
use support::{Random, project, project_of_operations};

/// One quantum of a frontier: slope, then the arcs that change with their sign.
type Quantum = (i64, Vec<(i32, i8)>);

/// Marginal cost of the quantum from `duration - 1` to `duration`.
fn marginal(activity: &Activity, arc: usize, duration: i64) -> i64 {
    let (first, end) = activity.pieces(activity.table[arc] as usize);
    (first..end)
        .find(|&j| activity.piece_start[j] < duration && duration <= activity.piece_end[j])
        .map(|j| activity.marginal[j])
        .unwrap()
}

fn bounds(activity: &Activity, arc: usize, duration: i64) -> (i64, i64) {
    let at_longest = duration == activity.longest[arc];
    let lower = if at_longest { 0 } else { marginal(activity, arc, duration + 1) };
    let at_shortest = duration == activity.shortest[arc];
    (lower, if at_shortest { activity.unbounded } else { marginal(activity, arc, duration) })
}

/// The frontier by listing all cuts; the canonical one is the intersection of all minimum cuts.
fn brute_force(activity: &Activity) -> Vec<Quantum> {
    let n = activity.num_events;
    let mut duration = activity.longest.clone();
    let mut quanta = Vec::new();
    loop {
        let time = activity.earliest_times(&duration);
        let tight: Vec<usize> = (0..activity.num_arcs())
            .filter(|&a| {
                time[activity.head[a] as usize] - time[activity.tail[a] as usize] == duration[a]
            })
            .collect();
        let (mut least, mut canonical) = (i64::MAX, 0u32);
        for inner in 0..1u32 << (n - 2) {
            let side = inner << 1 | 1;
            let holds = |event: i32| side >> event & 1 == 1;
            let mut value = 0;
            for &arc in &tight {
                let (lower, upper) = bounds(activity, arc, duration[arc]);
                match (holds(activity.tail[arc]), holds(activity.head[arc])) {
                    (true, false) => value += upper,
                    (false, true) => value -= lower,
                    _ => {}
                }
            }
            if value < least {
                (least, canonical) = (value, side);
            } else if value == least {
                canonical &= side;
            }
        }
        let to_sink = tight.iter().any(|&arc| activity.head[arc] as usize == n - 1);
        if least >= activity.unbounded || !to_sink {
            return quanta;
        }
        let mut changes = Vec::new();
        for &arc in &tight {
            let holds = |event: i32| canonical >> event & 1 == 1;
            match (holds(activity.tail[arc]), holds(activity.head[arc])) {
                (true, false) => changes.push((arc as i32, -1)),
                (false, true) if duration[arc] < activity.longest[arc] => {
                    changes.push((arc as i32, 1));
                }
                _ => {}
            }
        }
        for &(arc, sign) in &changes {
            duration[arc as usize] += i64::from(sign);
        }
        quanta.push((least, changes));
    }
}

fn unrolled(segments: &Segments) -> Vec<Quantum> {
    let mut quanta = Vec::new();
    for k in 0..segments.length.len() {
        let range = segments.offset[k] as usize..segments.offset[k + 1] as usize;
        let changes: Vec<(i32, i8)> = segments.arc[range.clone()]
            .iter()
            .copied()
            .zip(segments.sign[range].iter().copied())
            .collect();
        assert!(changes.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(segments.length[k] >= 1);
        for _ in 0..segments.length[k] {
            quanta.push((segments.slope[k], changes.clone()));
        }
    }
    quanta
}

fn whole(mut session: Session) -> Vec<Quantum> {
    let mut quanta = Vec::new();
    loop {
        let turn = session.advance(usize::MAX);
        quanta.extend(unrolled(&turn));
        if turn.done {
            return quanta;
        }
    }
}

/// Event times are the earliest, and the flow obeys bounds on tight arcs and is 0 on others.
fn check_state(activity: &Activity, state: &State) {
    let mut excess = vec![0; activity.num_events];
    for arc in 0..activity.num_arcs() {
        let (tail, head) = (activity.tail[arc] as usize, activity.head[arc] as usize);
        let slack = state.event_time[head] - state.event_time[tail] - state.duration[arc];
        assert!(slack >= 0);
        let (lower, upper) = bounds(activity, arc, state.duration[arc]);
        let flow = state.flow[arc];
        assert!(if slack == 0 { lower <= flow && flow <= upper } else { flow == 0 });
        excess[tail] -= flow;
        excess[head] += flow;
    }
    assert!(excess[1..activity.num_events - 1].iter().all(|&excess| excess == 0));
    assert!(-excess[0] <= activity.unbounded);
    assert_eq!(state.event_time, activity.earliest_times(&state.duration));
}

#[test]
fn frontiers_equal_brute_force() {
    let mut random = Random(3);
    for _ in 0..1500 {
        let activity = project(&mut random, 8);
        let expected = brute_force(&activity);
        assert_eq!(whole(Session::new(activity, None).unwrap()), expected);
    }
}

#[test]
fn contraction_changes_no_bit() {
    let mut random = Random(8);
    for _ in 0..400 {
        let activity = project_of_operations(&mut random, 5);
        let expected = brute_force(&activity);
        assert_eq!(whole(Session::new(activity, None).unwrap()), expected);
    }
}

#[test]
fn a_restored_session_goes_on_with_the_same_bits() {
    let mut random = Random(4);
    for round in 0..400 {
        let activity = match round % 2 {
            0 => project(&mut random, 14),
            _ => project_of_operations(&mut random, 9),
        };
        let expected = whole(Session::new(activity.clone(), None).unwrap());
        let mut quanta = Vec::new();
        let mut session = Session::new(activity.clone(), None).unwrap();
        loop {
            let turn = session.advance(random.within(1, 3) as usize);
            quanta.extend(unrolled(&turn));
            let state = session.state();
            check_state(&activity, &state);
            assert_eq!(state.done, turn.done);
            session = Session::new(activity.clone(), Some(state.clone())).unwrap();
            assert_eq!(session.state(), state);
            if turn.done {
                break;
            }
        }
        assert_eq!(quanta, expected);
        assert!(session.advance(9).done);
    }
}

/// Operations in series, each with one quantum to give.
fn chain(arcs: usize, marginals: impl Fn(usize) -> i64) -> Activity {
    let steps: Vec<i64> = (0..arcs as i64).collect();
    let marginal: Vec<i64> = (0..arcs).map(marginals).collect();
    Activity {
        num_events: arcs + 1,
        tail: (0..arcs as i32).collect(),
        head: (1..=arcs as i32).collect(),
        shortest: vec![1; arcs],
        longest: vec![2; arcs],
        table: (0..arcs as i32).collect(),
        table_start: steps.iter().copied().chain([arcs as i64]).collect(),
        piece_start: vec![1; arcs],
        piece_end: vec![2; arcs],
        unbounded: 1 + marginal.iter().sum::<i64>(),
        marginal,
    }
}

#[test]
fn in_series_the_operation_nearest_the_source_is_crashed_first() {
    let quanta = whole(Session::new(chain(5, |_| 3), None).unwrap());
    let expected: Vec<Quantum> = (0..5).map(|arc| (3, vec![(arc, -1)])).collect();
    assert_eq!(quanta, expected);
}

#[test]
fn a_chain_of_a_million_arcs_needs_no_stack() {
    let arcs = 1_000_000;
    let mut session = Session::new(chain(arcs, |_| 2), None).unwrap();
    let mut steps = 0;
    let mut last = None;
    while steps < arcs {
        let turn = session.advance(usize::MAX);
        steps += turn.length.len();
        last = turn.arc.last().copied().or(last);
        if turn.done {
            break;
        }
    }
    assert_eq!((steps, last), (arcs, Some(arcs as i32 - 1)));
}

#[test]
fn nothing_to_shorten_is_a_frontier_of_one_point() {
    let fixed = Activity {
        num_events: 2,
        tail: vec![0],
        head: vec![1],
        shortest: vec![4],
        longest: vec![4],
        table: vec![-1],
        table_start: vec![0],
        unbounded: 1,
        ..Activity::default()
    };
    assert_eq!(whole(Session::new(fixed.clone(), None).unwrap()), []);
    let unconnected = Activity {
        tail: vec![],
        head: vec![],
        shortest: vec![],
        longest: vec![],
        table: vec![],
        ..fixed
    };
    assert_eq!(whole(Session::new(unconnected, None).unwrap()), []);
}

#[test]
fn sessions_in_two_threads_do_not_disturb_each_other() {
    let activities: Vec<Activity> = {
        let mut random = Random(5);
        (0..20).map(|_| project(&mut random, 40)).collect()
    };
    let run = |activities: &[Activity]| -> Vec<Vec<Quantum>> {
        activities.iter().map(|a| whole(Session::new(a.clone(), None).unwrap())).collect()
    };
    let alone = run(&activities);
    let (one, other) = std::thread::scope(|scope| {
        let one = scope.spawn(|| run(&activities));
        let other = scope.spawn(|| run(&activities));
        (one.join().unwrap(), other.join().unwrap())
    });
    assert!(one == alone && other == alone);
}

#[test]
fn broken_arrays_are_refused_and_never_panic() {
    let mut random = Random(6);
    let mut refused = 0;
    for _ in 0..3000 {
        let mut activity = project(&mut random, 8);
        let strange = [-1, 0, 1, 3, 1 << 40, i64::MAX, i64::MIN][random.within(0, 6) as usize];
        let at = random.next() as usize;
        match random.within(0, 10) {
            0 => activity.num_events = strange as usize,
            1 => poke(&mut activity.tail, at, strange as i32),
            2 => poke(&mut activity.head, at, strange as i32),
            3 => poke(&mut activity.shortest, at, strange),
            4 => poke(&mut activity.longest, at, strange),
            5 => poke(&mut activity.table, at, strange as i32),
            6 => poke(&mut activity.table_start, at, strange),
            7 => poke(&mut activity.piece_start, at, strange),
            8 => poke(&mut activity.piece_end, at, strange),
            9 => poke(&mut activity.marginal, at, strange),
            _ => activity.unbounded = strange,
        }
        match Session::new(activity, None) {
            Ok(mut session) => _ = session.advance(200),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 1000, "{refused}");
}

#[test]
fn broken_states_are_refused_and_never_panic() {
    let mut random = Random(7);
    let mut refused = 0;
    for _ in 0..3000 {
        let activity = project(&mut random, 8);
        let mut session = Session::new(activity.clone(), None).unwrap();
        session.advance(random.within(0, 5) as usize);
        let mut state = session.state();
        let strange = [-1, 0, 1, 3, 1 << 40, i64::MAX, i64::MIN][random.within(0, 6) as usize];
        let at = random.next() as usize;
        match random.within(0, 2) {
            0 => poke(&mut state.duration, at, strange),
            1 => poke(&mut state.event_time, at, strange),
            _ => poke(&mut state.flow, at, strange),
        }
        match Session::new(activity, Some(state)) {
            Ok(mut session) => _ = session.advance(200),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 1000, "{refused}");
}

fn poke<T>(array: &mut [T], at: usize, value: T) {
    if !array.is_empty() {
        let length = array.len();
        array[at % length] = value;
    }
}
