//! How does a player of 6x6 Lines of Action win a position that is known to be won?
//!
//! By the strategy inside the program as far as it goes; it leaves out what is near the end, and there the solver proves
//! the win anew at every move. `calibrate solve --verify` shows that both together win against every reply.

use super::choice::{Choice, Why};
use crate::evaluate::loa::Evaluation;
use crate::game::{Canonical, Color, Game};
use crate::knowledge::solved::Strategy;
use crate::loa::{Move, Position};
use crate::score::{Ply, Score};
use crate::search::{Expectation, Limits, Proof, Prover};

/// Nodes that the solver needs for a win that the strategy leaves out, at most.
pub const SOLVER_NODES: u64 = 250_000;
/// Of all that was tried the least CPU time for 54 positions of the 6x6 board that the solver can decide: 1.7 times less
/// than what it expects otherwise.
pub const EXPECTATION: Expectation = Expectation { apart: 20, as_good_as_won: 300 };
/// Memory of the solver's table, in bytes.
const TABLE_BYTES: usize = 16 << 20;

/// The move that wins, as far as strategy and solver know one. The solver stops at these limits and at
/// [`SOLVER_NODES`]; all else being equal, positions that are alike get moves that are alike.
pub fn winning_choice(
    position: &Position<6>,
    strategy: Option<&Strategy<'_, Position<6>>>,
    limits: Limits,
) -> Option<Choice<Position<6>>> {
    if let Some((best, plies)) = strategy.and_then(|strategy| strategy.winning_move(position)) {
        return Some(Choice { best, why: Why::Solved(Ply(plies)) });
    }
    if position.legal_moves().len() < 2 {
        return None;
    }
    let alike = Position::of_form(position.form(), Color::Black)?;
    let nodes = limits.nodes.map_or(SOLVER_NODES, |nodes| nodes.min(SOLVER_NODES));
    let mut prover = Prover::new(Evaluation::default()).with_expectation(EXPECTATION).with_table_limit(TABLE_BYTES);
    let proof = prover.prove(alike, Limits { nodes: Some(nodes), ..limits }, &mut ());
    let is_win = proof.score.is_some_and(Score::is_win);
    let best = proof.line.first().filter(|_| is_win).and_then(|&mv| move_to(position, &alike.play(mv)))?;
    // The line is that of the other position.
    Some(Choice { best, why: Why::Proved(Proof { line: Vec::new(), ..proof }) })
}

/// The move to a position like this one.
fn move_to(position: &Position<6>, wanted: &Position<6>) -> Option<Move> {
    let form = wanted.form();
    position.legal_moves().into_iter().find(|&mv| position.play(mv).form() == form)
}

#[cfg(test)]
#[cfg(feature = "tables")]
mod tests {
    use super::*;
    use crate::knowledge::solved::embedded;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    /// Positions in which the player has to move and the strategy does not say how: after replies to its last positions.
    fn left_out(count: usize) -> Vec<Position<6>> {
        let strategy = embedded().expect("a strategy");
        let all: Vec<(u128, u8)> = strategy.positions().collect();
        let mut rng = StdRng::seed_from_u64(9);
        let mut found = Vec::new();
        while found.len() < count {
            let (form, _) = all[rng.random_range(0..all.len())];
            let position = Position::<6>::of_form(form, Color::White).expect("a position");
            let list = position.legal_moves();
            let after = position.play(list[rng.random_range(0..list.len())]);
            if after.outcome().is_none() && strategy.winning_move(&after).is_none() {
                found.push(after);
            }
        }
        found
    }

    #[test]
    fn what_the_strategy_leaves_out_is_proved_by_the_solver() {
        for position in left_out(1000) {
            let choice = winning_choice(&position, embedded(), Limits::default());
            let choice = choice.unwrap_or_else(|| panic!("no win in {position}"));
            assert!(matches!(choice.why, Why::Proved(_) | Why::Solved(Ply(1))), "{position}: {}", choice.why);
            assert!(choice.why.nodes() <= SOLVER_NODES);
        }
    }

    #[test]
    fn positions_that_are_alike_get_moves_that_are_alike() {
        for position in left_out(50) {
            let alike = Position::of_form(position.form(), Color::Black).expect("a position");
            let after = |position: Position<6>| {
                let choice = winning_choice(&position, embedded(), Limits::default()).expect("a win");
                position.play(choice.best).form()
            };
            assert_eq!(after(position), after(alike), "{position}");
        }
    }

    #[test]
    fn what_is_not_known_to_be_won_gets_no_move() {
        let level: Position<6> = "-bbbb-/w----w/w----w/w----w/w----w/-bbbb- black".parse().expect("a position");
        assert!(winning_choice(&level, None, Limits::nodes(2000)).is_none());
        let limits = Limits::default();
        let choice = winning_choice(&level, embedded(), limits).expect("a win");
        assert_eq!(choice.why.to_string(), "proved: wins in at most 49 plies");
    }
}
