//! Made-up games with cycles, one for each of the cases that a proof must tell apart.

use std::fmt;

use kingline::game::{Canonical, Color, Game, MoveList, Outcome, Searched};
use kingline::score::Score;

use crate::solve::evaluated::Evaluated;

/// Game on numbered places: the list of moves from each place. A player without a move loses.
type Graph = &'static [&'static [u8]];

const GRAPHS: [Graph; 7] = [
    // The first player can only move in a cycle.
    &[&[1], &[0]],
    // Move 1 only leads into a cycle; move 3 wins.
    &[&[1, 3], &[0, 2], &[1], &[4], &[5], &[]],
    // The other player can stay in a cycle with move 2, and loses with move 4.
    &[&[1], &[2, 4], &[3], &[0], &[5], &[]],
    // Moves 1 and 3 lead to the same end, which is farther after move 1. Move 6 only leads into a cycle.
    &[&[1, 3, 6], &[2], &[3], &[4], &[5], &[], &[7], &[6]],
    // The first player runs out of moves after both of its moves.
    &[&[1, 3], &[2], &[], &[2]],
    // Move 2 leads back to the start or to place 7, move 1 to place 3.
    &[&[1, 2], &[3], &[4], &[1], &[5, 6], &[0], &[7], &[6]],
    // The other player's move 0 leads back to the start, and move 4 wins.
    &[&[1], &[2], &[3], &[0, 4], &[]],
];

/// Position of the game on a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OnGraph<const GRAPH: usize> {
    pub(super) place: u8,
    turn: Color,
}

impl<const GRAPH: usize> Game for OnGraph<GRAPH> {
    type Move = u8;

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
    fn notation(&self, place: u8) -> impl fmt::Display {
        place
    }
}

impl<const GRAPH: usize> Searched for OnGraph<GRAPH> {
    const STATIC_EVAL_SUFFICES: bool = true;
    const SLOTS: usize = 256;

    fn is_quiet(&self, _: u8) -> bool {
        true
    }
    fn slot(place: u8) -> usize {
        place.into()
    }
}

impl<const GRAPH: usize> Canonical for OnGraph<GRAPH> {
    const NAME: &'static str = "graph";
    const CODES: u64 = 256;

    fn form(&self) -> u128 {
        self.place.into()
    }
    fn of_form(form: u128, turn: Color) -> Option<Self> {
        let place = u8::try_from(form).ok().filter(|&place| usize::from(place) < GRAPHS[GRAPH].len())?;
        Some(OnGraph { place, turn })
    }
    fn code(form: u128) -> u64 {
        form as u64
    }
    fn of_code(code: u64) -> u128 {
        code.into()
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

impl<const GRAPH: usize> Evaluated for OnGraph<GRAPH> {
    type ForSearch = fn(&Self) -> Score;
    type ForSolver = fn(&Self) -> Score;

    fn for_search() -> Self::ForSearch {
        misleading
    }

    fn for_solver() -> Self::ForSolver {
        misleading
    }
}
