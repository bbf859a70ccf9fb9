//! Full solution of a small game by retrograde analysis, as an oracle for the solver's tests.

use std::collections::{HashMap, VecDeque};
use std::fmt;

use kingline::game::{Canonical, Color, Game, MoveList, Outcome, Searched};
use kingline::score::Score;

use crate::solve::work::Evaluated;

/// Value of a position for the side to move, with the plies of best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Won(u16),
    Lost(u16),
    Neither,
}

/// Values of all positions that can follow the start, counted by form.
pub(super) struct Oracle<G> {
    forms: Vec<u128>,
    values: HashMap<u128, Value>,
    game: std::marker::PhantomData<G>,
}

impl<G: Canonical> Oracle<G> {
    /// Solves the game.
    pub(super) fn from_start() -> Oracle<G> {
        let mut forms = vec![G::start().form()];
        let mut places = HashMap::from([(forms[0], 0)]);
        // For each position: those before it, and the number of moves that are not known to lose.
        let (mut before, mut open): (Vec<Vec<usize>>, Vec<usize>) = (vec![Vec::new()], Vec::new());
        let mut values: Vec<Option<Value>> = vec![None];
        let mut decided = VecDeque::new();
        while open.len() < forms.len() {
            let place = open.len();
            let position = G::of_form(forms[place], Color::Black).expect("a position");
            let mut losing = 0;
            let moves = position.legal_moves();
            for &mv in &moves {
                let after = position.play(mv);
                match after.outcome() {
                    Some(Outcome::Win(Color::Black)) => values[place] = Some(Value::Won(1)),
                    Some(Outcome::Win(Color::White)) => losing += 1,
                    Some(Outcome::Draw) => {}
                    None => {
                        let next = *places.entry(after.form()).or_insert_with(|| {
                            forms.push(after.form());
                            before.push(Vec::new());
                            values.push(None);
                            forms.len() - 1
                        });
                        before[next].push(place);
                    }
                }
            }
            open.push(moves.len() - losing);
            if open[place] == 0 && values[place].is_none() {
                values[place] = Some(Value::Lost(moves.len().min(1) as u16));
            }
            if values[place].is_some() {
                decided.push_back(place);
            }
        }
        // Short distances come first, so that each value is final when it is set.
        let distance = |value| match value {
            Some(Value::Won(plies) | Value::Lost(plies)) => plies,
            _ => 0,
        };
        decided.make_contiguous().sort_by_key(|&place| distance(values[place]));
        while let Some(place) = decided.pop_front() {
            let plies = distance(values[place]) + 1;
            for &earlier in &before[place] {
                if values[earlier].is_some() {
                    continue;
                }
                open[earlier] -= 1;
                match values[place] {
                    Some(Value::Lost(_)) => values[earlier] = Some(Value::Won(plies)),
                    _ if open[earlier] == 0 => values[earlier] = Some(Value::Lost(plies)),
                    _ => continue,
                }
                decided.push_back(earlier);
            }
        }
        let all = forms.iter().zip(values).map(|(&form, value)| (form, value.unwrap_or(Value::Neither)));
        Oracle { values: all.collect(), forms, game: std::marker::PhantomData }
    }

    /// Forms of all positions.
    pub(super) fn positions(&self) -> &[u128] {
        &self.forms
    }

    /// Value of a position that can follow the start.
    pub(super) fn value(&self, form: u128) -> Value {
        self.values[&form]
    }
}

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
