//! The embedded strategy for 6x6 Lines of Action.
//!
//! It wins for the first player, and for the second player after three losing first moves. It stores the positions in
//! which the other side holds out for 15 plies or more, and some with fewer (see `calibrate solve --cut`).
//!
//! These commands make `loa6.strategy`:
//!
//! ```sh
//! calibrate solve --store proof --strategy whole --after "" --after c1-c3 --after b1-d3 --after b1-f1
//! calibrate solve --cut whole --after "" --after c1-c3 --after b1-d3 --after b1-f1 --output src/knowledge/solved/loa6.strategy
//! ```
//!
//! Its SHA-256 is 1c9c9fd9e48a1551b0fd65f127a238bef950b3b444bcfcbc649f5f4bca5cb2a8. Another run may find another
//! winning strategy, because the search order depends on thread timing. `calibrate solve --verify
//! src/knowledge/solved/loa6.strategy`, with the same first moves, verifies that `loa6` wins with it against every
//! reply. The strategy is read in place. Without the feature `tables`, the program has no strategy.

use std::sync::OnceLock;

use super::strategy::Strategy;
use crate::loa::Position;

/// The embedded strategy for 6x6 Lines of Action; `None` without the feature `tables`.
pub fn embedded() -> Option<&'static Strategy<'static, Position<6>>> {
    static STRATEGY: OnceLock<Option<Strategy<'static, Position<6>>>> = OnceLock::new();
    STRATEGY.get_or_init(open).as_ref()
}

#[cfg(feature = "tables")]
fn open() -> Option<Strategy<'static, Position<6>>> {
    Strategy::open(include_bytes!("loa6.strategy")).ok()
}

#[cfg(not(feature = "tables"))]
fn open() -> Option<Strategy<'static, Position<6>>> {
    None
}

#[cfg(test)]
#[cfg(feature = "tables")]
mod tests {
    use super::*;
    use crate::game::{Canonical, Color, Game, Outcome};
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn the_first_player_wins() {
        let strategy = embedded().expect("a strategy");
        let start = Position::<6>::start();
        let (_, plies) = strategy.winning_move(&start).expect("a move");
        assert_eq!(plies, 49);
        for alike in Color::ALL.map(|turn| Position::of_form(start.form(), turn).expect("a position")) {
            assert_eq!(strategy.winning_move(&alike).map(|(_, plies)| plies), Some(49), "{alike}");
        }
    }

    #[test]
    fn the_second_player_wins_after_three_first_moves() {
        let strategy = embedded().expect("a strategy");
        let start = Position::<6>::start();
        for (first, expected) in [("c1-c3", 41), ("b1-d3", 51), ("b1-f1", 49)] {
            let after = start.play(start.parse_move(first).expect("a move"));
            assert_eq!(strategy.winning_move(&after).map(|(_, plies)| plies), Some(expected), "{first}");
        }
        for first in ["b1-b3", "c1-a3", "c1-e3"] {
            let after = start.play(start.parse_move(first).expect("a move"));
            assert_eq!(strategy.winning_move(&after), None, "{first}");
        }
    }

    /// Every reply to a random position leads to a shorter win in the set, or to a position left to the solver.
    #[test]
    fn ten_thousand_positions_are_lost_in_the_plies_stored() {
        let strategy = embedded().expect("a strategy");
        let all: Vec<(u128, u8)> = strategy.positions().collect();
        let mut rng = StdRng::seed_from_u64(49);
        let mut left_out = 0;
        for _ in 0..10_000 {
            let (form, plies) = all[rng.random_range(0..all.len())];
            let position = Position::<6>::of_form(form, Color::White).expect("a position");
            assert_eq!(position.outcome(), None);
            let mut longest = 0;
            for mv in position.legal_moves() {
                let after = position.play(mv);
                let lost = match after.outcome() {
                    Some(Outcome::Win(side)) => {
                        assert_eq!(side, after.turn(), "{position} {mv}");
                        1
                    }
                    Some(Outcome::Draw) => panic!("{position} {mv}"),
                    None => match strategy.winning_move(&after) {
                        Some((_, plies)) => plies + 1,
                        None => {
                            left_out += 1;
                            0
                        }
                    },
                };
                longest = longest.max(lost);
            }
            assert!(longest <= u16::from(plies), "{position}: {longest} plies, expected at most {plies}");
        }
        assert!(left_out > 0 && left_out < 65_000, "{left_out} replies are left to the solver");
    }
}
