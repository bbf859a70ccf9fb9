//! Playing out known wins, losses and endless games in 6x6 Lines of Action.
//!
//! The player follows the embedded strategy as far as it goes. The strategy omits positions near the end, where the
//! solver proves the win anew at every move. `calibrate solve --verify` checks that the two together win against every
//! reply, or do not lose.

use super::choice::{Choice, Why};
use kingline::evaluate::solver::Evaluation;
use kingline::game::{Canonical, Color, Game};
use kingline::knowledge::solved::Strategy;
use kingline::loa::{Move, Position};
use kingline::score::{Ply, Score};
use kingline::search::{Expectation, Limits, Proof, Prover};

/// Nodes of the solver of `loa6`, which suffice for every win that the embedded strategy omits: 10 ms of CPU time.
pub const SOLVER_NODES: u64 = 20_000;
/// Expectation that took the least CPU time of all tried, on 54 positions that the solver can decide. The default took
/// 1.7 times as much.
pub const EXPECTATION: Expectation = Expectation { spread: 20, counts_as_won: 300 };
/// Size of the solver's table, in bytes.
const TABLE_BYTES: usize = 16 << 20;

/// Move that wins, or else does not lose, if the strategy knows one or the solver finds a win within `limits`. With the
/// same limit of nodes, symmetric positions get symmetric moves.
pub fn solved_choice(
    position: &Position<6>,
    strategy: Option<&Strategy<'_, Position<6>>>,
    limits: Limits,
) -> Option<Choice<Position<6>>> {
    strategy.and_then(|strategy| known_choice(position, strategy)).or_else(|| proved_choice(position, limits))
}

/// Move that wins according to the strategy, or else one with which the side to move does not lose.
pub fn known_choice(position: &Position<6>, strategy: &Strategy<'_, Position<6>>) -> Option<Choice<Position<6>>> {
    let won = strategy.winning_move(position).map(|(best, plies)| Choice { best, why: Why::Solved(Ply(plies)) });
    won.or_else(|| strategy.holding_move(position).map(|best| Choice { best, why: Why::Held }))
}

/// Winning move, if the solver finds one within `limits`.
pub fn proved_choice(position: &Position<6>, limits: Limits) -> Option<Choice<Position<6>>> {
    let alike = Position::of_form(position.form(), Color::Black)?;
    let mut prover = Prover::new(Evaluation::default()).with_expectation(EXPECTATION).with_table_limit(TABLE_BYTES);
    let proof = prover.prove(alike, limits, &mut ());
    let is_win = proof.score.is_some_and(Score::is_win);
    let best = proof.line.first().filter(|_| is_win).and_then(|&mv| move_to(position, &alike.play(mv)))?;
    // The line belongs to the symmetric position.
    Some(Choice { best, why: Why::Proved(Proof { line: Vec::new(), ..proof }) })
}

/// Move that holds out longest, if the strategy knows that the position is lost: the winner needs the most plies after
/// it. `None` also if a move that the strategy leaves out may hold out longer.
pub fn longest_defense(
    position: &Position<6>,
    strategy: Option<&Strategy<'_, Position<6>>>,
) -> Option<Choice<Position<6>>> {
    let strategy = strategy?;
    strategy.plies(position.form())?;
    let lasting = |mv| {
        let after = position.play(mv);
        let (_, plies) = strategy.winning_move(&after).filter(|_| after.outcome().is_none())?;
        Some((plies, after.form(), mv))
    };
    // The strategy leaves out some moves that last no longer than its fewest plies. Forms decide between equal moves, so
    // that symmetric positions get symmetric moves.
    let (plies, _, best) = (position.legal_moves().into_iter().filter_map(lasting))
        .filter(|&(plies, ..)| plies > strategy.fewest_plies().into())
        .max_by_key(|&(plies, form, _)| (plies, form))?;
    Some(Choice { best, why: Why::Lost(Ply(plies + 1)) })
}

/// Move to a position that is symmetric to `wanted`.
fn move_to(position: &Position<6>, wanted: &Position<6>) -> Option<Move> {
    let form = wanted.form();
    position.legal_moves().into_iter().find(|&mv| position.play(mv).form() == form)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kingline::game::Outcome;
    use kingline::knowledge::solved::{ENDLESS, embedded, embedded_defense};
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    /// Positions after a reply to a lost position of the strategy, in which the strategy suggests no move.
    fn left_out(count: usize) -> Vec<Position<6>> {
        let strategy = embedded().expect("a strategy");
        let all: Vec<(u128, u8)> = strategy.positions().filter(|&(_, plies)| plies != ENDLESS).collect();
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
    fn a_hard_position_is_won_against_every_reply() {
        let hard: Position<6> = "--bbb-/--w---/-b---b/ww-bbw/w----w/-b---w black".parse().unwrap();
        let (mut waiting, mut seen) = (vec![hard], std::collections::HashSet::new());
        while let Some(position) = waiting.pop() {
            let choice = solved_choice(&position, embedded(), Limits::nodes(250_000));
            let choice = choice.unwrap_or_else(|| panic!("no win in {position}"));
            let after = position.play(choice.best);
            if let Some(outcome) = after.outcome() {
                assert_eq!(outcome, Outcome::Win(position.turn()), "{position}");
                continue;
            }
            for reply in after.legal_moves() {
                let next = after.play(reply);
                match next.outcome() {
                    // The reply may join the winner's pieces by a capture.
                    Some(outcome) => assert_eq!(outcome, Outcome::Win(position.turn()), "{position}"),
                    None if seen.insert(next.form()) => waiting.push(next),
                    None => {}
                }
            }
        }
        assert!(seen.len() > 100, "{} positions", seen.len());
    }

    #[test]
    fn the_solver_proves_wins_that_the_strategy_leaves_out() {
        for position in left_out(1000) {
            let choice = solved_choice(&position, embedded(), Limits::nodes(SOLVER_NODES));
            let choice = choice.unwrap_or_else(|| panic!("no win in {position}"));
            assert!(matches!(choice.why, Why::Proved(_) | Why::Solved(Ply(1))), "{position}: {}", choice.why);
            assert!(choice.why.nodes() <= SOLVER_NODES);
        }
    }

    /// A promise is kept by play: a position that was added to a cut strategy has the plies of the games from it, which can
    /// be fewer than what the strategy promises after the next reply.
    #[test]
    fn stored_positions_are_lost_in_the_plies_stored() {
        let all: Vec<(u128, u8)> = embedded().expect("a strategy").positions().filter(|it| it.1 != ENDLESS).collect();
        let mut rng = StdRng::seed_from_u64(49);
        let mut longest = 0;
        for _ in 0..500 {
            let (form, plies) = all[rng.random_range(0..all.len())];
            let mut position = Position::<6>::of_form(form, Color::White).expect("a position");
            let mut played = 0;
            while position.outcome().is_none() {
                let mv = match position.turn() {
                    Color::White => {
                        let replies = position.legal_moves();
                        replies[rng.random_range(0..replies.len())]
                    }
                    Color::Black => {
                        let choice = solved_choice(&position, embedded(), Limits::nodes(SOLVER_NODES));
                        choice.unwrap_or_else(|| panic!("no win in {position}")).best
                    }
                };
                position = position.play(mv);
                played += 1;
                assert!(played <= plies, "{position}: more than {plies} plies");
            }
            assert_eq!(position.outcome(), Some(Outcome::Win(Color::Black)), "{position}");
            longest = longest.max(played);
        }
        assert!(longest > 5, "the longest game has {longest} plies");
    }

    #[test]
    fn a_lost_position_holds_out_as_long_as_the_strategy_needs() {
        let strategy = embedded();
        let mut moves = Vec::new();
        for first in ["b1-b3", "b6-b4", "e1-e3"] {
            let start = Position::<6>::start();
            let mut position = start.play(start.parse_move(first).expect("a move"));
            let mut left = 56;
            while let Some(Choice { best, why: Why::Lost(Ply(plies)) }) = longest_defense(&position, strategy) {
                assert!(plies <= left, "{position}: {plies} plies, expected at most {left}");
                let takes =
                    |mv| strategy.and_then(|it| it.winning_move(&position.play(mv))).map_or(0, |(_, it)| it + 1);
                assert_eq!(position.legal_moves().into_iter().map(takes).max(), Some(plies), "{position}");
                moves.push(plies);
                position = position.play(best);
                let won = solved_choice(&position, strategy, Limits::nodes(SOLVER_NODES)).expect("a win");
                position = position.play(won.best);
                left = plies - 2;
            }
            assert!(left <= 18, "{left} plies left: {position}");
        }
        // Equal games, up to a symmetry.
        let (one, others) = moves.split_at(moves.len() / 3);
        assert!(one[0] == 56 && others.chunks(one.len()).all(|other| other == one), "{moves:?}");
        // The start is won, and after c1-a3 neither side wins.
        let start = Position::<6>::start();
        assert!(longest_defense(&start, strategy).is_none());
        let level = start.play(start.parse_move("c1-a3").expect("a move"));
        assert!(longest_defense(&level, strategy).is_none() && longest_defense(&level, None).is_none());
    }

    #[test]
    fn the_second_player_holds_out_longest_after_c1_e3() {
        let defense = embedded_defense().expect("a strategy");
        let start = Position::<6>::start();
        let mut position = start.play(start.parse_move("c1-e3").expect("a move"));
        let mut left = 68;
        while let Some(Choice { best, why: Why::Lost(Ply(plies)) }) = longest_defense(&position, Some(defense)) {
            assert_eq!(plies, left, "{position}");
            position = position.play(best);
            let (best, winning) = defense.winning_move(&position).expect("a winning move");
            assert_eq!(winning + 1, plies, "{position}");
            position = position.play(best);
            left -= 2;
        }
        assert_eq!(left, u16::from(defense.fewest_plies()), "{position}");
    }

    #[test]
    fn symmetric_positions_get_symmetric_moves() {
        for position in left_out(50) {
            let alike = Position::of_form(position.form(), Color::Black).expect("a position");
            let after = |position: Position<6>| {
                let choice = solved_choice(&position, embedded(), Limits::nodes(SOLVER_NODES)).expect("a win");
                position.play(choice.best).form()
            };
            assert_eq!(after(position), after(alike), "{position}");
        }
    }

    #[test]
    fn positions_without_a_known_win_get_no_move() {
        let level: Position<6> = "-bbbb-/w----w/w----w/w----w/w----w/-bbbb- black".parse().expect("a position");
        assert!(solved_choice(&level, None, Limits::nodes(2000)).is_none());
        let limits = Limits::nodes(SOLVER_NODES);
        let choice = solved_choice(&level, embedded(), limits).expect("a win");
        assert_eq!(choice.why.to_string(), "proved: wins in at most 57 plies");
    }
}
