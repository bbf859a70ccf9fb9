//! Strategies: sets of positions that are lost for the side to move, or at least not won.
//!
//! A [`Strategy`] stores, for each of its lost positions, the largest number of plies that the side to move can hold out.
//! A player with a move to one of them makes the one that leaves the fewest plies. Every reply again allows such a move
//! or an immediate win, with fewer plies left, so no position repeats. Otherwise a player makes a move to a position that
//! is not won. Every reply again allows a move into the set, or ends the game without a loss, so the player never loses.
//! `calibrate solve` makes and verifies strategies.
//!
//! # The embedded strategies
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

mod file;

use std::marker::PhantomData;
use std::sync::OnceLock;

use crate::game::{Canonical, Knowledge, Outcome, Rules, Value};
use crate::loa::Position;
use file::Records;
pub use file::{BrokenStrategy, ENDLESS};

/// A set of positions that are lost, or at least not won, for the side to move. Its bytes are read in place.
#[derive(Clone, Copy, Debug)]
pub struct Strategy<'a, G> {
    records: Records<'a>,
    game: PhantomData<G>,
}

impl<'a, G: Canonical> Strategy<'a, G> {
    /// Opens the bytes of a file and checks all of them.
    ///
    /// # Errors
    /// The bytes are not a strategy for this game, or are damaged.
    pub fn open(bytes: &'a [u8]) -> Result<Strategy<'a, G>, BrokenStrategy> {
        Ok(Strategy { records: Records::read(bytes, G::NAME, G::CODES)?, game: PhantomData })
    }

    /// Encodes positions as a file. Each is given once, as form and plies up to [`ENDLESS`], in any order. The strategy must
    /// contain all its positions with at least `fewest` plies.
    pub fn to_bytes(positions: impl IntoIterator<Item = (u128, u8)>, fewest: u8) -> Vec<u8> {
        let mut kept: Vec<(u64, u8)> = positions.into_iter().map(|(form, plies)| (G::code(form), plies)).collect();
        kept.sort_unstable();
        file::to_bytes(G::NAME, fewest, &kept)
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.records.positions
    }

    /// Returns true if it has no positions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Smallest number of plies at which the strategy is complete; 0 if it is complete throughout. Of the positions
    /// with fewer plies, it stores only those needed to keep the others from suggesting a wrong move.
    pub fn fewest_plies(&self) -> u8 {
        self.records.fewest
    }

    /// Iterates over the forms and plies of all positions, in ascending order of codes. The plies of positions that are
    /// not won are [`ENDLESS`].
    pub fn positions(&self) -> impl Iterator<Item = (u128, u8)> + '_ {
        self.records.iter().map(|(code, plies)| (G::of_code(code), plies))
    }

    /// Largest number of plies before the side to move loses; `None` if the set does not say that positions of this form
    /// are lost.
    pub fn plies(&self, form: u128) -> Option<u8> {
        self.known(form).filter(|&plies| plies != ENDLESS)
    }

    fn known(&self, form: u128) -> Option<u8> {
        self.records.find(G::code(form))
    }

    /// Finds a winning move, and the largest number of plies that the win takes: a move that wins at once, or the move
    /// to the position in the set with the fewest plies. Equivalent positions get equivalent moves, except moves that
    /// win at once.
    pub fn winning_move(&self, position: &G) -> Option<(G::Move, u16)> {
        let (moves, won) = (position.legal_moves(), Some(Outcome::Win(position.turn())));
        // Much cheaper than the forms below.
        if let Some(&mv) = moves.iter().find(|&&mv| position.play(mv).outcome() == won) {
            return Some((mv, 1));
        }
        let known = |mv| {
            let form = position.play(mv).form();
            Some((u16::from(self.plies(form)?) + 1, form, mv))
        };
        let best = moves.into_iter().filter_map(known).min_by_key(|&(plies, form, _)| (plies, form));
        best.map(|(plies, _, mv)| (mv, plies))
    }

    /// Finds a move after which the other side does not win: one that draws, or leads to a position in the set that is not
    /// won. Equivalent positions get equivalent moves, except moves that draw.
    pub fn holding_move(&self, position: &G) -> Option<G::Move> {
        let holding = |mv| {
            let after = position.play(mv);
            let form = after.form();
            let holds = match after.outcome() {
                Some(outcome) => outcome == Outcome::Draw,
                None => self.known(form) == Some(ENDLESS),
            };
            holds.then_some((form, mv))
        };
        position.legal_moves().into_iter().filter_map(holding).min_by_key(|&(form, _)| form).map(|(_, mv)| mv)
    }
}

/// Knows only lost positions. The search finds won positions by their moves to lost ones.
impl<G: Canonical> Knowledge<G> for Strategy<'_, G> {
    fn probe(&self, position: &G, _quiet_turns: u16, _rules: Rules) -> Option<Value> {
        self.plies(position.form()).map(|plies| Value::Loss(plies.into()))
    }
}

#[cfg(feature = "tables")]
const STRATEGY: &[u8] = include_bytes!("solved/loa6.strategy");
#[cfg(feature = "tables")]
const DEFENSE: &[u8] = include_bytes!("solved/loa6.defense");
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
mod tests {
    use super::*;
    use crate::game::{Canonical, Color, Game};
    use crate::loa::Position;

    type Six<'a> = Strategy<'a, Position<6>>;

    fn positions() -> Vec<(u128, u8)> {
        let start = Position::<6>::start();
        let moves = start.legal_moves();
        let mut all: Vec<_> = moves.iter().map(|&mv| start.play(mv).form()).zip(40..).collect();
        all.sort_unstable_by_key(|&(form, _)| Position::<6>::code(form));
        all.dedup_by_key(|&mut (form, _)| form);
        all
    }

    #[test]
    fn strategies_round_trip() {
        let all = positions();
        for fewest in [0, 42, 100] {
            let kept: Vec<_> = all.iter().copied().filter(|&(_, plies)| plies >= fewest).collect();
            let bytes = Six::to_bytes(kept.iter().copied().rev(), fewest);
            let read = Six::open(&bytes).unwrap();
            assert_eq!(read.positions().collect::<Vec<_>>(), kept);
            assert_eq!((read.len(), read.is_empty(), read.fewest_plies()), (kept.len(), kept.is_empty(), fewest));
            for &(form, plies) in &all {
                assert_eq!(read.plies(form), (plies >= fewest).then_some(plies));
            }
            assert_eq!(read.plies(0), None);
        }
    }

    #[test]
    fn damaged_files_are_refused() {
        let bytes = Six::to_bytes(positions(), 0);
        let refused = |bytes: &[u8]| Six::open(bytes).unwrap_err().to_string();
        for place in 0..bytes.len() {
            for change in [1, 0x80] {
                let mut altered = bytes.clone();
                altered[place] ^= change;
                refused(&altered);
            }
            refused(&bytes[..place]);
        }
        refused(&[&bytes[..], &[0]].concat());
        assert_eq!(refused(b"kltables"), "found something else, expected a strategy, which begins with \"klsolved\"");
        let other = Strategy::<Position<5>>::open(&bytes).unwrap_err();
        assert_eq!(other.to_string(), "found a strategy for \"loa6\", expected one for \"loa5\"");
    }

    #[test]
    fn forms_that_do_not_ascend_are_refused() {
        let all = positions();
        let twice = [all[0], all[0]];
        let bytes = Six::to_bytes(twice, 0);
        let error = Six::open(&bytes).unwrap_err().to_string();
        assert!(error.contains("expected each once, ascending"), "{error}");
    }

    #[test]
    fn a_holding_move_is_found() {
        let start = Position::<6>::start();
        let all = positions();
        let with = |plies: [u8; 2]| {
            let kept = all.iter().take(2).zip(plies).map(|(&(form, _), plies)| (form, plies));
            let bytes = Six::to_bytes(kept, 0);
            let strategy = Six::open(&bytes).unwrap();
            let [won, held] = [strategy.winning_move(&start).map(|(mv, _)| mv), strategy.holding_move(&start)];
            [won, held].map(|mv| mv.map(|mv| start.play(mv).form()))
        };
        let [one, other] = [all[0].0, all[1].0];
        assert_eq!(with([ENDLESS, 40]), [Some(other), Some(one)]);
        assert_eq!(with([ENDLESS, ENDLESS]), [None, Some(one)]);
        assert_eq!(with([40, 40]), [Some(one), None]);
    }

    #[test]
    fn the_fastest_winning_move_is_found() {
        let start = Position::<6>::start();
        let all = positions();
        let bytes = Six::to_bytes(all.iter().copied(), 0);
        let strategy = Six::open(&bytes).unwrap();
        let (mv, plies) = strategy.winning_move(&start).unwrap();
        let fewest = all.iter().map(|&(_, plies)| plies).min().unwrap();
        assert_eq!(plies, u16::from(fewest) + 1);
        assert_eq!(strategy.probe(&start.play(mv), 0, Rules::Game), Some(Value::Loss(fewest.into())));
        assert_eq!(strategy.probe(&start, 0, Rules::Game), None);
        let won: Position<6> = "------/-bb---/----b-/--w---/------/w----w black".parse().unwrap();
        assert_eq!(strategy.winning_move(&won).map(|(_, plies)| plies), Some(1));
        assert_eq!(strategy.winning_move(&start.with_turn(Color::White)).map(|(_, plies)| plies), Some(plies));
        let lost: Position<6> = "bw----/ww----/------/------/------/-----w black".parse().unwrap();
        assert_eq!(strategy.winning_move(&lost), None);
    }

    #[cfg(feature = "tables")]
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

    #[cfg(feature = "tables")]
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
