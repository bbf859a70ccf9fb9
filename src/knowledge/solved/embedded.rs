//! The embedded strategy for 6x6 Lines of Action.
//!
//! It wins for the first player, and for the second player after three losing first moves; after c1-a3 the second
//! player does not lose. It stores the positions in which the other side holds out for 17 plies or more, and some with
//! fewer (see `calibrate solve --cut`).
//!
//! These commands make `loa6.strategy`:
//!
//! ```sh
//! after='--after= --after c1-c3 --after b1-d3 --after b1-f1 --after c1-a3'
//! calibrate solve --store proof --strategy whole $after --aim win --aim win --aim win --aim win --aim hold
//! calibrate solve --cut whole $after --plies 17 --output src/knowledge/solved/loa6.strategy
//! ```
//!
//! Its SHA-256 is ae67b4f84edd6971c879d47ed2ac2e665ad9b051a43754a75784b0bf86bd8dd9. Another run may find another
//! strategy, because the search order depends on thread timing. `calibrate solve --verify
//! src/knowledge/solved/loa6.strategy`, with the same first moves, verifies that `loa6` wins or holds with it against
//! every reply. The strategy is read in place. Without the feature `tables`, the program has no strategy.

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
        assert_eq!(plies, 57);
        for alike in Color::ALL.map(|turn| Position::of_form(start.form(), turn).expect("a position")) {
            assert_eq!(strategy.winning_move(&alike).map(|(_, plies)| plies), Some(57), "{alike}");
        }
    }

    #[test]
    fn the_second_player_wins_after_three_first_moves() {
        let strategy = embedded().expect("a strategy");
        let start = Position::<6>::start();
        for (first, expected) in [("c1-c3", 47), ("b1-d3", 47), ("b1-f1", 49)] {
            let after = start.play(start.parse_move(first).expect("a move"));
            assert_eq!(strategy.winning_move(&after).map(|(_, plies)| plies), Some(expected), "{first}");
        }
        for first in ["b1-b3", "c1-a3", "c1-e3"] {
            let after = start.play(start.parse_move(first).expect("a move"));
            assert_eq!(strategy.winning_move(&after), None, "{first}");
            let holding = strategy.holding_move(&after).map(|mv| after.play(mv).form());
            let known = (first == "c1-a3").then(|| after.play(after.parse_move("a5-c5").expect("a move")).form());
            assert_eq!(holding, known, "{first}");
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
