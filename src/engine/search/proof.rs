//! Proof-number solver: finds forced wins of any length.
//!
//! It finds even deep wins if one side has few choices along the way. It knows only the rules of a game.
//!
//! Sources of depth-first proof-number search: L. V. Allis, "Searching for solutions in games and artificial
//! intelligence", 1994; A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", 2002.
//!
//! Each position has two numbers, its proof number and its disproof number: the minimum numbers of positions that must
//! be decided to prove it won, or lost, for the side to move. A position that is drawn or repeats an earlier one counts
//! as neither won nor lost. Proved wins and losses therefore depend only on ends of the game, and hold for every path
//! to the position.
//!
//! The solver shares nodes, paths and limit checks with the search.

mod descent;
mod numbers;

use std::marker::PhantomData;

use super::buckets::Buckets;
use super::params::{MAX_PLY, TABLE_BYTES};
use super::path::Node;
use super::{Limits, Observer};
use crate::game::{Evaluator, Game, History, Searched};
use crate::score::{Ply, Score};
use descent::{Children, Descent};
pub use numbers::Expectation;
use numbers::{Numbers, probe};

/// A solver with its memory, which several proofs share: what has been proved stays proved.
#[derive(Debug)]
pub struct Prover<G, E> {
    evaluator: E,
    table: Buckets,
    expectation: Expectation,
    game: PhantomData<G>,
}

/// Result of a proof attempt.
#[derive(Clone, Debug)]
pub struct Proof<G: Game> {
    /// Forced win or loss of the side to move, in the fewest plies that the solver knows; `None` if undecided.
    pub score: Option<Score>,
    /// Expected play: the winner takes the shortest known win, and the loser holds out as long as possible. For a win
    /// it has at least the first move; later moves may have been lost from the table.
    pub line: Vec<G::Move>,
    /// Nodes visited until the position was decided or the search gave up. Looking for a shorter line, which takes at
    /// most 20,000 more nodes, is not counted.
    pub nodes: u64,
}

impl<G: Searched, E: Evaluator<G>> Prover<G, E> {
    /// Creates a solver with an empty table of at most 64 MiB. The evaluator only decides which positions are visited
    /// first.
    pub fn new(evaluator: E) -> Prover<G, E> {
        let (table, expectation) = (Buckets::with_limit(TABLE_BYTES), Expectation::default());
        Prover { evaluator, table, expectation, game: PhantomData }
    }

    /// Replaces the parameters for the initial numbers of positions.
    #[must_use]
    pub fn with_expectation(self, expectation: Expectation) -> Prover<G, E> {
        Prover { expectation, ..self }
    }

    /// Replaces the table with an empty one, which starts small, grows as it fills, and never takes more than `bytes`
    /// bytes (at least 64).
    #[must_use]
    pub fn with_table_limit(self, bytes: usize) -> Prover<G, E> {
        Prover { table: Buckets::with_limit(bytes), ..self }
    }

    /// Memory of the table, in bytes.
    pub fn bytes(&self) -> usize {
        self.table.bytes()
    }

    /// Looks up an earlier proof of a position that is still in the table: a win or loss of the side to move in at most
    /// this many plies. `None` means that nothing is known.
    ///
    /// Always `None` in games with a limit on quiet turns, where a proof depends on the path.
    pub fn known(&self, position: &G) -> Option<Score> {
        let numbers =
            if G::QUIET_LIMIT.is_none() && self.bytes() > 0 { probe(&self.table, position.key()) } else { None };
        numbers.and_then(decided)
    }

    /// Tries to prove that the side to move has a forced win or loss, in a position or the current one of a
    /// [`History`].
    ///
    /// A proof has at most `limits.depth` plies, and ends before the game is drawn. A position set up as already won or
    /// lost is played on.
    pub fn prove(&mut self, from: impl Into<History<G>>, limits: Limits, observer: &mut impl Observer<G>) -> Proof<G> {
        self.table.next_generation();
        let history = from.into();
        let root = Node::root(&history, &self.evaluator);
        let mut descent =
            Descent::new((&self.evaluator, self.expectation), &mut self.table, &history, limits.started(), observer);
        if descent.is_over(&root) {
            return Proof { score: None, line: Vec::new(), nodes: 0 };
        }
        let mut buffers = Children::stack(&root, MAX_PLY);
        let found = descent.visit(&root, Numbers::UNBOUNDED, &mut buffers);
        let nodes = descent.limits.nodes();
        match found {
            Ok(numbers) if numbers.is_decided() => {
                let (numbers, line) = descent.line(&root, &mut buffers);
                Proof { score: decided(numbers), line, nodes }
            }
            _ => Proof { score: None, line: Vec::new(), nodes },
        }
    }
}

/// Score of a decided position; `None` if it is undecided, or decided in more plies than a score can represent.
fn decided(numbers: Numbers) -> Option<Score> {
    let plies = Ply(numbers.plies);
    let score = if numbers.win == 0 { Score::win_in(plies) } else { Score::loss_in(plies) };
    Some(score).filter(|score| numbers.is_decided() && score.is_proved())
}

#[cfg(test)]
mod tests {
    use std::str::FromStr;

    use super::*;
    use crate::checkers;
    use crate::evaluate::loa::Evaluation;
    use crate::game::ParseError;
    use crate::loa::Position;

    fn prove<G: Searched + FromStr<Err = ParseError>>(
        evaluator: impl Evaluator<G>,
        text: &str,
        limits: Limits,
    ) -> Proof<G> {
        let position: G = text.parse().expect("a position");
        Prover::new(evaluator).with_table_limit(1 << 20).prove(position, limits, &mut ())
    }

    fn checkers(text: &str, limits: Limits) -> Proof<checkers::Position> {
        prove(crate::evaluate::checkers::Evaluation::default(), text, limits)
    }

    #[test]
    fn a_win_in_one_is_proved() {
        let proof = prove::<Position<6>>(
            Evaluation::default(),
            "------/-bb---/----b-/--w---/------/w----w black",
            Limits::nodes(100),
        );
        assert_eq!(proof.score, Some(Score::win_in(Ply(1))));
        assert_eq!(proof.line.len(), 1);
    }

    #[test]
    fn only_what_was_proved_is_known() {
        let position: Position<6> = "------/-bb---/----b-/--w---/------/w----w black".parse().expect("a position");
        let mut prover = Prover::new(Evaluation::default()).with_table_limit(1 << 20);
        assert_eq!(prover.known(&position), None, "before the first proof");
        let proof = prover.prove(position, Limits::nodes(1000), &mut ());
        assert_eq!((proof.score, prover.known(&position)), (Some(Score::win_in(Ply(1))), proof.score));
        assert_eq!(prover.known(&Position::start()), None);
        // In checkers a win depends on the count of quiet turns.
        let won: checkers::Position = "W:WK10,K15:BK2".parse().expect("a position");
        let mut prover = Prover::new(crate::evaluate::checkers::Evaluation::default()).with_table_limit(1 << 20);
        assert!(prover.prove(won, Limits::nodes(1_000_000), &mut ()).score.is_some_and(Score::is_win));
        assert_eq!(prover.known(&won), None);
    }

    #[test]
    fn a_side_without_moves_is_proved_lost() {
        let proof = checkers("B:W18:B", Limits::nodes(100));
        assert_eq!((proof.score, proof.line.len()), (Some(Score::loss_in(Ply(0))), 0));
    }

    #[test]
    fn the_end_of_the_game_is_a_draw() {
        // White wins on its second turn.
        for game_plies in 0..=4 {
            let limits = Limits { game_plies: Some(game_plies), ..Limits::nodes(1_000_000) };
            let proof = checkers("W:WK10,K15:BK2", limits);
            assert_eq!(proof.score, (game_plies >= 3).then_some(Score::win_in(Ply(3))), "{game_plies}");
        }
    }

    #[test]
    fn a_drawn_ending_is_not_decided() {
        let proof = checkers("W:WK1:BK32", Limits::nodes(300_000));
        assert_eq!((proof.score, proof.line.len()), (None, 0));
    }
}
