//! The embedded strategies for 6x6 Lines of Action.
//!
//! `loa6.strategy` wins for the first player, and for the second player after three losing first moves; after c1-a3 the
//! second player does not lose. It stores the positions in which the other side holds out for 17 plies or more, and some
//! with fewer: all those in which the solver needs 20,000 nodes (see `calibrate solve --cut`).
//!
//! These commands make it:
//!
//! ```sh
//! after='--after= --after c1-c3 --after b1-d3 --after b1-f1 --after c1-a3'
//! calibrate solve --store proof --strategy whole $after --aim win --aim win --aim win --aim win --aim hold
//! calibrate solve --cut whole $after --plies 17 --nodes 250000 --output part
//! calibrate solve --cut part $after --nodes 250000 --output src/engine/knowledge/solved/loa6.strategy
//! ```
//!
//! `calibrate solve --verify src/engine/knowledge/solved/loa6.strategy`, with the same first moves, verifies that `loa6` wins
//! or holds with it against every reply.
//!
//! `loa6.defense` serves the second player after c1-e3, which wins like b1-b3. It stores the positions of that win in
//! which the second player holds out for 30 plies or more, and some with fewer:
//!
//! ```sh
//! calibrate solve --store proof --after c1-e3 --winner first --strategy won
//! calibrate solve --cut won --cut-for loser --plies 30 --output src/engine/knowledge/solved/loa6.defense
//! ```
//!
//! | file | SHA-256 |
//! | --- | --- |
//! | `loa6.strategy` | 556fd7d7d400ca3348c6a4d42d3730160530157a31b2df394d800dbcf0ecf7bc |
//! | `loa6.defense` | 97dbb2c585acdb36044397c340918b38b50c77f2d36c99594fee5447f10c96d3 |
//!
//! Another run may find other strategies, because the search order depends on thread timing. The files are read in
//! place. Without the feature `tables`, the program has none.

use std::sync::OnceLock;

use super::strategy::Strategy;
use crate::loa::Position;

#[cfg(feature = "tables")]
const STRATEGY: &[u8] = include_bytes!("loa6.strategy");
#[cfg(feature = "tables")]
const DEFENSE: &[u8] = include_bytes!("loa6.defense");
// Empty files hold no strategy.
#[cfg(not(feature = "tables"))]
const STRATEGY: &[u8] = &[];
#[cfg(not(feature = "tables"))]
const DEFENSE: &[u8] = &[];

/// The embedded strategy for 6x6 Lines of Action; `None` without the feature `tables`.
pub fn embedded() -> Option<&'static Strategy<'static, Position<6>>> {
    static OPEN: OnceLock<Option<Strategy<'static, Position<6>>>> = OnceLock::new();
    OPEN.get_or_init(|| Strategy::open(STRATEGY).ok()).as_ref()
}

/// The lost positions after c1-e3 in which the second player holds out longest; `None` without the feature `tables`.
pub fn embedded_defense() -> Option<&'static Strategy<'static, Position<6>>> {
    static OPEN: OnceLock<Option<Strategy<'static, Position<6>>>> = OnceLock::new();
    OPEN.get_or_init(|| Strategy::open(DEFENSE).ok()).as_ref()
}

#[cfg(test)]
#[cfg(feature = "tables")]
mod tests {
    use super::*;
    use crate::game::{Canonical, Color, Game};

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
}
