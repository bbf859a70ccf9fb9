//! Made-up games are solved correctly, and wrong strategies are refused.

use std::fmt;
use std::path::PathBuf;

use kingline::evaluate::solver::Evaluation;
use kingline::game::{Canonical, Color, Game, MoveList, Outcome, Progress};
use kingline::knowledge::solved::Strategy;
use kingline::loa::Position;
use kingline::score::Score;

use super::store::Store;
use super::verify::{Failure, Lost, check};
use super::walk::{Played, Walk};
use super::{longest, run, strategy, verify};
use crate::threads::Threads;

/// Game on numbered places: the list of moves from each place. A player without a move loses.
type Graph = &'static [&'static [u8]];

const GRAPHS: [Graph; 4] = [
    // The first player can only move in a cycle.
    &[&[1], &[0]],
    // Move 1 only leads into a cycle; move 3 wins.
    &[&[1, 3], &[0, 2], &[1], &[4], &[5], &[]],
    // The other player can stay in a cycle with move 2, and loses with move 4.
    &[&[1], &[2, 4], &[3], &[0], &[5], &[]],
    // Moves 1 and 3 lead to the same end, which is farther after move 1. Move 6 only leads into a cycle.
    &[&[1, 3, 6], &[2], &[3], &[4], &[5], &[], &[7], &[6]],
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct OnGraph<const GRAPH: usize> {
    place: u8,
    turn: Color,
}

impl<const GRAPH: usize> Game for OnGraph<GRAPH> {
    type Move = u8;
    const SLOTS: usize = 256;
    const STATIC_EVAL_SUFFICES: bool = true;

    fn start() -> Self {
        OnGraph { place: 0, turn: Color::Black }
    }
    fn turn(&self) -> Color {
        self.turn
    }
    fn moves(&self, list: &mut MoveList<u8>) {
        GRAPHS[GRAPH][usize::from(self.place)].iter().for_each(|&place| list.push(place));
    }
    fn play(self, place: u8) -> Self {
        OnGraph { place, turn: !self.turn }
    }
    fn outcome(&self) -> Option<Outcome> {
        None
    }
    fn key(&self) -> u64 {
        (u64::from(self.place) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(self.turn == Color::White)
    }
    fn progress(&self, _: u8) -> Progress {
        Progress::Reversible
    }
    fn is_quiet(&self, _: u8) -> bool {
        true
    }
    fn slot(place: u8) -> usize {
        place.into()
    }
    fn notation(&self, place: u8) -> impl fmt::Display {
        place
    }
}

impl<const GRAPH: usize> Canonical for OnGraph<GRAPH> {
    const NAME: &'static str = "graph";
    const FORM_BYTES: usize = 1;

    fn form(&self) -> u128 {
        self.place.into()
    }
    fn of_form(form: u128, turn: Color) -> Option<Self> {
        let place = u8::try_from(form).ok().filter(|&place| usize::from(place) < GRAPHS[GRAPH].len())?;
        Some(OnGraph { place, turn })
    }
}

impl<const GRAPH: usize> fmt::Display for OnGraph<GRAPH> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.place, self.turn)
    }
}

/// Scores that make the first player prefer to continue rather than end the game, which leads it into every cycle.
fn misleading<const GRAPH: usize>(position: &OnGraph<GRAPH>) -> Score {
    let for_first = Score::estimate(if position.place < 3 { 250 } else { -250 });
    if position.turn == Color::Black { for_first } else { -for_first }
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }
    fn store(&self) -> PathBuf {
        self.0.path().join("store")
    }
}

/// Returns the whole strategy of the first player, if it is proved to win.
fn solved<const GRAPH: usize>() -> Option<Vec<(u128, u8)>> {
    let folder = Folder::new();
    let store = Store::open::<OnGraph<GRAPH>>(&folder.store()).unwrap();
    let evaluator: fn(&OnGraph<GRAPH>) -> Score = misleading::<GRAPH>;
    let threads = Threads::new(Some(2));
    run::prove(&store, OnGraph::start(), &evaluator, threads, 1 << 20).ok()?;
    let mut positions = strategy::whole(&store, &[OnGraph::<GRAPH>::start()]).unwrap();
    positions.sort_unstable();
    Some(positions)
}

#[test]
fn no_win_rests_on_a_cycle() {
    assert_eq!(solved::<0>(), None);
    assert_eq!(solved::<2>(), None);
}

#[test]
fn a_win_beside_a_cycle_is_found() {
    assert_eq!(solved::<1>(), Some(vec![(3, 2), (5, 0)]));
    assert_eq!(solved::<3>(), Some(vec![(3, 2), (5, 0)]));
}

#[test]
fn a_strategy_with_a_cycle_is_refused() {
    // Whatever plies are claimed, they do not decrease along the cycle.
    for plies in [1, 2, 3, 4, 100, 255] {
        let positions = [(1, plies)];
        let bytes = Strategy::<OnGraph<0>>::to_bytes(positions, 0);
        let strategy = Strategy::<OnGraph<0>>::open(&bytes).unwrap();
        assert!(verify::run(&strategy, &[OnGraph::start()], Threads::new(Some(1))).is_err());
    }
}

/// Returns the complete strategy for 5x5 Lines of Action.
fn small() -> Vec<(u128, u8)> {
    let folder = Folder::new();
    let store = Store::open::<Position<5>>(&folder.store()).unwrap();
    let start = Position::<5>::start();
    run::prove(&store, start, &Evaluation::default(), Threads::new(Some(2)), 16 << 20).unwrap();
    strategy::whole(&store, &[start]).unwrap()
}

/// Returns what is wrong with these positions.
fn failures(positions: &[(u128, u8)]) -> Vec<Failure> {
    let lost = Lost::new(positions);
    positions.iter().filter_map(|&(form, plies)| check::<Position<5>>(&lost, form, plies).err()).collect()
}

#[test]
fn a_whole_strategy_is_verified_and_every_altered_one_refused() {
    let whole = small();
    assert_eq!(failures(&whole), []);
    let start = Position::<5>::start();
    let longest = whole.iter().map(|&(_, plies)| plies).max().unwrap();
    assert_eq!(Lost::new(&whole).won(&start), Some(u16::from(longest) + 1));
    for place in 0..whole.len() {
        // Removes a reply. Each position that needs it is refused; if none does, the start is not won.
        let mut missing = whole.clone();
        let (form, plies) = missing.remove(place);
        assert!(!failures(&missing).is_empty() || Lost::new(&missing).won(&start).is_none(), "{form:#x}");
        if plies > 0 {
            // A distance that does not decrease.
            let mut nearer = whole.clone();
            nearer[place].1 = plies - 1;
            assert!(!failures(&nearer).is_empty(), "{form:#x}");
        }
    }
    // An incomplete strategy.
    let bytes = Strategy::<Position<5>>::to_bytes(whole.iter().copied(), 6);
    let cut = Strategy::<Position<5>>::open(&bytes).unwrap();
    let error = verify::run(&cut, &[start], Threads::new(Some(1))).unwrap_err().to_string();
    assert!(error.ends_with("of fewer than 6 plies, expected a complete one"), "{error}");
    // A wrong move, and a leaf that is not a win: a position that is not lost.
    for (form, _) in &whole[..20] {
        let position = Position::<5>::of_form(*form, Color::White).unwrap();
        let mut more = whole.clone();
        let after = position.legal_moves().into_iter().map(|mv| position.play(mv)).find(|it| it.outcome().is_none());
        let Some(won) = after else { continue };
        more.push((won.form(), 0));
        let failures = failures(&more);
        assert!(failures.iter().any(|failure| failure.to_string().starts_with(&shown(won.form()))), "{failures:?}");
    }
    // A form without a position, and a position where the game is over.
    let over: Position<5> = "bb---/-----/w---w/-----/----- white".parse().unwrap();
    for (form, what) in [(u128::from(u64::MAX), "no position has this form"), (over.form(), "the game is over")] {
        let wrong = failures(&[(form, 2)]);
        assert!(wrong[0].to_string().ends_with(what), "{wrong:?}");
    }
}

/// Returns a position as a failure names it.
fn shown(form: u128) -> String {
    Position::<5>::of_form(form, Color::White).unwrap().to_string()
}

#[test]
fn the_longest_game_has_the_plies_of_the_strategy() {
    let bytes = Strategy::<Position<5>>::to_bytes(small(), 0);
    let strategy = Strategy::<Position<5>>::open(&bytes).unwrap();
    let start = Position::<5>::start();
    let record = longest::game(&strategy, start).unwrap();
    assert_eq!(record.result(), Some(Outcome::Win(Color::Black)));
    assert_eq!(Some(record.moves().len() as u16), strategy.winning_move(&start).map(|(_, plies)| plies));
    assert!(longest::game(&strategy, start.with_turn(Color::White).play(start.legal_moves()[0])).is_err());
}

/// Walks the games on graph 3 of a player that makes `moves`, each from one place to another.
fn walk(moves: &[(u8, u8)]) -> Walk {
    let policy = |position: &OnGraph<3>| {
        let (_, to) = moves.iter().find(|&&(from, _)| from == position.place)?;
        Some((position.play(*to), u64::from(*to)))
    };
    Walk::of(&[OnGraph::start()], &policy, Threads::new(Some(1))).unwrap()
}

#[test]
fn a_player_meets_every_reply() {
    let played = walk(&[(0, 3), (4, 5)]).played();
    assert_eq!(played, Ok(Played { positions: 2, solved: 2, most_nodes: 5, longest: 3 }));
    let stuck = walk(&[(0, 3)]);
    assert_eq!(stuck.stuck().map(|place| stuck.form(place)).collect::<Vec<_>>(), [4]);
    let around = walk(&[(0, 6), (7, 6)]);
    assert_eq!(around.played().map_err(|ways| ways[0].iter().map(|&it| around.form(it)).collect()), Err(vec![7]));
    assert_eq!((around.before(1), around.before(0)), (Some(0), None));
}
