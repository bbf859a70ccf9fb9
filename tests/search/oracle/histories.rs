use kingline::game::{Color, DrawReason, Ending, Game, History, Rules};
use kingline::{checkers, loa};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::negamax::moves;

/// Random games of checkers, cut at a random turn, some after long king shuffles. Three of four are under the course's
/// rules.
pub(super) fn checkers_histories(count: usize) -> Vec<History<checkers::Position>> {
    let mut rng = StdRng::seed_from_u64(7);
    let endings = ["W:WK1,K14,30:BK32,K27,3", "B:WK1,K5:BK32,K28", "W:WK1:BK32", "B:WK4,K8:BK29"];
    (0..count)
        .map(|number| {
            let start = match number % 3 {
                0 => endings[number / 3 % endings.len()].parse().expect("a position"),
                _ => checkers::Position::start(),
            };
            let rules = if number % 4 == 3 { Rules::Game } else { Rules::Course };
            let mut history = History::new(start).under(rules);
            let turns = if number % 3 == 0 { rng.random_range(2..50) } else { rng.random_range(1..90) };
            for _ in 0..turns {
                let position = history.position();
                let list = moves(&position);
                let before = history.clone();
                // Quiet king moves make long shuffles.
                let calm: Vec<_> = list.iter().filter(|&&mv| !position.play(mv).must_jump()).copied().collect();
                let choice = if number % 3 == 0 && !calm.is_empty() { &calm[..] } else { &list[..] };
                history.play(choice[rng.random_range(0..choice.len())]);
                // Play on after a repetition, to come near the quiet limit.
                if matches!(history.ending(), Some(Ending::Win(_) | Ending::Draw(DrawReason::QuietTurns))) {
                    history = before;
                    break;
                }
            }
            history
        })
        .collect()
}

/// Random games of Lines of Action, cut at a random turn. Some start with two pieces per side at the edge, where moves
/// are few and positions recur; others with one to three anywhere.
pub(super) fn loa_histories<const N: usize>(count: usize) -> Vec<History<loa::Position<N>>> {
    let mut rng = StdRng::seed_from_u64(8);
    let squares: Vec<loa::Square> = loa::Square::all::<N>().collect();
    let edge: Vec<loa::Square> =
        squares.iter().copied().filter(|at| [at.column(), at.row()].iter().any(|&line| line % (N - 1) == 0)).collect();
    (0..count)
        .map(|number| {
            let turn = Color::ALL[number / 3 % 2];
            let mut random = |squares: &[loa::Square], pieces: usize| {
                let placed = |piece: usize| (squares[rng.random_range(0..squares.len())], Color::ALL[piece % 2]);
                loa::Position::new(turn, (0..pieces).map(placed))
            };
            let (start, turns) = match number % 3 {
                0 => (random(&edge, 4), 0..2),
                1 => (random(&squares, 6), 0..6),
                _ => (loa::Position::start(), 0..60),
            };
            let mut history = History::new(start);
            for _ in 0..rng.random_range(turns) {
                if history.ending().is_some() {
                    break;
                }
                let list = moves(&history.position());
                history.play(list[rng.random_range(0..list.len())]);
            }
            history
        })
        .collect()
}
