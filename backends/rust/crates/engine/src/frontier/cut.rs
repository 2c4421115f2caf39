//! The arcs between source side and sink side: what changes with the next step, and what ends it.

use super::activity::Activity;
use super::crash_loop::CrashLoop;
use super::place::Place;
use super::source_side::SourceSide;
use crate::residual::Residual;

/// An arc that changes with every quantum of the current step.
#[derive(Clone, Copy, Debug)]
pub(super) struct CutArc {
    pub(super) arc: u32,
    /// The half-arc that leaves the source side.
    pub(super) half: u32,
    /// -1 crash, +1 relax.
    pub(super) sign: i8,
    /// Quanta until the next kink.
    pub(super) room: i64,
}

impl CrashLoop {
    /// The next arc that becomes tight, with the shift at which it does.
    pub(super) fn soonest(&mut self) -> Option<(i64, u32)> {
        self.closing.soonest(|arc| due(&self.activity, &self.place, &self.tight, &self.side, arc))
    }

    /// Brings the list of cut arcs up to date with the source side.
    pub(super) fn update_cut(&mut self) {
        let (side, residual) = (&self.side, &self.residual);
        let crosses = |half: u32| {
            let half = residual.half[half as usize];
            !side.holds(half.head) && side.holds(residual.half[half.mate as usize].head)
        };
        let in_cut = &mut self.in_cut;
        self.cut.retain(|cut| {
            let stays = crosses(cut.half);
            in_cut[cut.arc as usize] = stays;
            stays
        });
        let mut fresh = std::mem::take(&mut self.side.blocked);
        fresh.retain(|&half| {
            let half = self.residual.half[half as usize];
            !self.side.holds(half.head)
                && self.side.holds(self.residual.half[half.mate as usize].head)
        });
        let before = self.cut.len();
        for &half in &fresh {
            self.add_to_cut(half);
        }
        if self.cut.len() > before {
            self.cut.sort_unstable_by_key(|cut| cut.arc);
        }
        fresh.clear();
        self.side.blocked = fresh;
    }

    fn add_to_cut(&mut self, half: u32) {
        let (arc, backward) =
            (self.arc_of[half as usize] >> 1, self.arc_of[half as usize] & 1 == 1);
        let place = &self.place[arc as usize];
        if !self.tight[arc as usize] {
            if !backward {
                let due = |arc| due(&self.activity, &self.place, &self.tight, &self.side, arc);
                if let Some(shift) = due(arc) {
                    self.closing.push(shift, arc, due);
                }
            }
        } else if backward && place.at_longest() {
            // Its tail moves away from its head: the arc becomes slack and carries nothing.
            self.tight[arc as usize] = false;
            let forward = self.residual.forward[arc as usize];
            self.residual.half[forward as usize].residual = 0;
        } else if !self.in_cut[arc as usize] {
            let (sign, room) = if backward {
                (1, place.relax_room(&self.activity))
            } else {
                (-1, place.crash_room(&self.activity))
            };
            self.in_cut[arc as usize] = true;
            self.cut.push(CutArc { arc, half, sign, room });
        }
    }
}

/// The shift at which an arc becomes tight: None unless it is slack and crosses forward.
fn due(
    activity: &Activity,
    place: &[Place],
    tight: &[bool],
    side: &SourceSide,
    arc: u32,
) -> Option<i64> {
    let arc = arc as usize;
    let (tail, head) = (activity.tail[arc] as u32, activity.head[arc] as u32);
    (!tight[arc] && side.holds(tail) && !side.holds(head))
        .then(|| side.own_time(head) - side.own_time(tail) - place[arc].duration)
}

/// Changes the duration of a cut arc and the bounds that follow from it.
///
/// A crashed arc carries its old upper bound, which is its new lower bound; a relaxed one its old
/// lower bound, the new upper one. So the last maximum flow stays feasible.
pub(super) fn change(
    activity: &Activity,
    place: &mut Place,
    residual: &mut Residual,
    cut: &mut CutArc,
    step: i64,
) {
    let mate = residual.half[cut.half as usize].mate as usize;
    let (lower, upper) = place.bounds(activity);
    cut.room -= step;
    let gained = if cut.sign < 0 {
        place.crash(activity, step);
        place.bounds(activity).1 - upper
    } else {
        place.relax(activity, step);
        lower - place.bounds(activity).0
    };
    residual.half[cut.half as usize].residual = gained; // 0 within a piece
    residual.half[mate].residual = 0;
}
