//! Traces the frontier of a project from a text file: for profilers and instruction counters.
//!
//! The file holds `events operations unbounded`, then one line per array of the project in the
//! order of `ActivityNetwork`. Usage: `trace FILE [MAX_SEGMENTS]`.

use std::error::Error;
use std::str::FromStr;
use std::time::Instant;

use lowtime_engine::frontier::{Activity, Session};

fn row<T: FromStr>(line: Option<&str>) -> Result<Vec<T>, Box<dyn Error>>
where
    T::Err: Error + 'static,
{
    line.unwrap_or_default().split_whitespace().map(|x| x.parse().map_err(Into::into)).collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let text = std::fs::read_to_string(arguments.next().ok_or("no file named")?)?;
    let most: usize = arguments.next().map_or(Ok(usize::MAX), |x| x.parse())?;
    let mut lines = text.lines();
    let sizes: Vec<i64> = row(lines.next())?;
    let activity = Activity {
        num_events: usize::try_from(sizes[0])?,
        unbounded: sizes[2],
        tail: row(lines.next())?,
        head: row(lines.next())?,
        shortest: row(lines.next())?,
        longest: row(lines.next())?,
        table: row(lines.next())?,
        table_start: row(lines.next())?,
        piece_start: row(lines.next())?,
        piece_end: row(lines.next())?,
        marginal: row(lines.next())?,
    };
    let start = Instant::now();
    let mut session = Session::new(activity, None)?;
    let (mut segments, mut quanta, mut changes, mut slope) = (0, 0, 0, 0);
    // FNV-1a over all segments: equal results give equal lines.
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    loop {
        let turn = session.advance(most - segments);
        segments += turn.length.len();
        quanta += turn.length.iter().sum::<i64>();
        changes += turn.arc.len();
        slope = turn.slope.last().copied().unwrap_or(slope);
        for (k, (&length, &slope)) in turn.length.iter().zip(&turn.slope).enumerate() {
            let mut add = |number: i64| {
                hash = (hash ^ number as u64).wrapping_mul(0x100_0000_01b3);
            };
            add(length);
            add(slope);
            for j in turn.offset[k] as usize..turn.offset[k + 1] as usize {
                add(i64::from(turn.arc[j]) * i64::from(turn.sign[j]));
            }
        }
        if turn.done || segments >= most {
            break;
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("{segments} segments, {quanta} quanta, {changes} changes, slope {slope}, {hash:016x}");
    println!("{seconds:.3} s, {:.3} us per quantum", seconds * 1e6 / quanta as f64);
    println!("{:?}", session.counters());
    Ok(())
}
