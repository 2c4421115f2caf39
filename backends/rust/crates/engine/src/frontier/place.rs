//! Where an arc's duration stands in its cost table.

use super::activity::Activity;

/// The duration of an arc with the pieces next to it.
///
/// The piece just below the duration gives the upper flow bound (what one quantum less costs), the
/// one just above gives the lower bound (what one quantum more saves). Within a piece both are the
/// same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Quanta.
    pub duration: i64,
    /// One before the first piece at the shortest duration.
    below: i32,
    /// One after the last piece at the longest duration.
    above: i32,
    /// First piece of the table.
    first: i32,
    /// One after the last piece of the table; equal to `first` on fixed arcs.
    end: i32,
}

impl Place {
    /// The place of a duration within `shortest ..= longest`, in O(log pieces).
    #[must_use]
    pub fn new(activity: &Activity, arc: usize, duration: i64) -> Self {
        let Ok(table) = usize::try_from(activity.table[arc]) else {
            return Self { duration, below: -1, above: 0, first: 0, end: 0 };
        };
        let (first, end) = activity.pieces(table);
        let passed = activity.piece_end[first..end].partition_point(|&stop| stop < duration);
        let begun = activity.piece_start[first..end].partition_point(|&start| start <= duration);
        let at_shortest = duration == activity.piece_start[first];
        let at_longest = duration == activity.piece_end[end - 1];
        Self {
            duration,
            below: (first + passed) as i32 - i32::from(at_shortest),
            above: (first + begun) as i32 - 1 + i32::from(at_longest),
            first: first as i32,
            end: end as i32,
        }
    }

    /// Whether the arc cannot get longer.
    #[must_use]
    pub fn at_longest(&self) -> bool {
        self.above == self.end
    }

    /// Flow bounds of the arc while it is tight, cost units.
    #[must_use]
    pub fn bounds(&self, activity: &Activity) -> (i64, i64) {
        let lower = if self.above == self.end { 0 } else { activity.marginal[self.above as usize] };
        let upper = if self.below < self.first {
            activity.unbounded
        } else {
            activity.marginal[self.below as usize]
        };
        (lower, upper)
    }

    /// Quanta until the arc, crashed, reaches the next kink; only above the shortest duration.
    #[must_use]
    pub fn crash_room(&self, activity: &Activity) -> i64 {
        self.duration - activity.piece_start[self.below as usize]
    }

    /// Quanta until the arc, relaxed, reaches the next kink; only below the longest duration.
    #[must_use]
    pub fn relax_room(&self, activity: &Activity) -> i64 {
        activity.piece_end[self.above as usize] - self.duration
    }

    /// Shortens the arc by at most its room; true when it stands at a kink then.
    pub fn crash(&mut self, activity: &Activity, step: i64) -> bool {
        self.duration -= step;
        self.above = self.below;
        let kink = self.duration == activity.piece_start[self.below as usize];
        self.below -= i32::from(kink);
        kink
    }

    /// Lengthens the arc by at most its room; true when it stands at a kink then.
    pub fn relax(&mut self, activity: &Activity, step: i64) -> bool {
        self.duration += step;
        self.below = self.above;
        let kink = self.duration == activity.piece_end[self.above as usize];
        self.above += i32::from(kink);
        kink
    }
}
