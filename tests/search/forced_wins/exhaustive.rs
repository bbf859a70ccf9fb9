//! Memoized exhaustive search for longer forced wins in Lines of Action.

use std::collections::HashMap;

use kingline::game::{Game, Outcome};
use kingline::loa::{Move, Position};

use super::moves;

#[derive(Default)]
pub(super) struct Exhaustive<const N: usize> {
    /// For each position, the most plies known to allow no forced win, and the fewest known to allow one.
    seen: HashMap<Position<N>, (u16, u16)>,
    /// Defense that last refuted a win, by plies left.
    defenses: [Option<Move>; 16],
}

impl<const N: usize> Exhaustive<N> {
    /// Returns `true` if the side to move can force a win in at most `plies` plies, an odd number.
    pub(super) fn wins(&mut self, position: &Position<N>, plies: u16) -> bool {
        if plies == 1 {
            let won = Some(Outcome::Win(position.turn()));
            return moves(position).iter().any(|&mv| position.play(mv).outcome() == won);
        }
        let (none, one) = self.seen.get(position).copied().unwrap_or((0, u16::MAX));
        if plies <= none || plies >= one {
            return plies >= one;
        }
        let won = self.wins(position, plies - 2)
            || moves(position).iter().any(|&mv| {
                let next = position.play(mv);
                next.outcome().is_none() && self.loses(&next, plies - 1)
            });
        let known = self.seen.entry(*position).or_insert((0, u16::MAX));
        if won {
            known.1 = known.1.min(plies);
        } else {
            known.0 = known.0.max(plies);
        }
        won
    }

    /// Returns `true` if the side to move loses in at most `plies` plies, an even number, whatever it does.
    fn loses(&mut self, position: &Position<N>, plies: u16) -> bool {
        let mut list = moves(position).to_vec();
        let defense = self.defenses[usize::from(plies)];
        list.sort_by_key(|&mv| Some(mv) != defense);
        list.into_iter().all(|mv| {
            let next = position.play(mv);
            let lost = match next.outcome() {
                Some(outcome) => outcome == Outcome::Win(next.turn()),
                None => self.wins(&next, plies - 1),
            };
            if !lost {
                self.defenses[usize::from(plies)] = Some(mv);
            }
            lost
        })
    }
}
