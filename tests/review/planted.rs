//! Planted mistakes: games in which one move was replaced by one that certainly loses.

use std::num::NonZeroUsize;
use std::thread;

use kingline::game::{Game, History, random_opening};
use kingline::score::Score;
use kingline::search::{Limits, Searcher};
use kingline::{checkers, loa};
use kingline_players::review::{GameRecord, Mark, Review, Reviewed, Settings, review};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Longest game.
const PLIES: usize = 200;
/// Random plies at the start.
const OPENING: usize = 6;
/// Smallest chances of the side whose move is replaced.
const CHANCES: f64 = 0.4;

/// A game with a planted mistake.
struct Planted<G: Game> {
    moves: Vec<G::Move>,
    /// Index of the mistake.
    mistake: usize,
}

/// Best move and its score after a search that takes this long on an idle core.
fn best<G: Reviewed>(history: &History<G>, seconds: f64) -> (G::Move, Score) {
    let nodes = (seconds * G::SPEED as f64) as u64;
    let mut searcher = Searcher::new(G::Evaluation::default()).with_knowledge(G::knowledge());
    let report = searcher.search(history, Limits::nodes(nodes), &mut ());
    (report.best.expect("a legal move"), report.score)
}

/// Plays a game of the engine against itself, in `seconds` a move. From a random ply on, the first move that can be is replaced by one that
/// certainly loses, while its side has fair chances. None if no move could be replaced.
fn plant<G: Reviewed>(seed: u64, seconds: f64) -> Option<Planted<G>> {
    let mut rng = StdRng::seed_from_u64(seed);
    let opening = random_opening::<G>(OPENING, |moves| rng.random_range(0..moves))?;
    let (mut moves, mut history) = (opening.moves, opening.history);
    let from = rng.random_range(OPENING..OPENING + 40);
    let mut mistake = None;
    while history.ending().is_none() && moves.len() < PLIES {
        let (mut mv, score) = best(&history, seconds);
        let is_fair = !score.is_decided() && history.position().chances(score).points() >= CHANCES;
        if mistake.is_none()
            && moves.len() >= from
            && is_fair
            && let Some(losing) = losing_move(&history, mv, seconds)
        {
            mistake = Some(moves.len());
            mv = losing;
        }
        history.play(mv);
        moves.push(mv);
    }
    Some(Planted { moves, mistake: mistake? })
}

/// A move other than the best one after which the opponent certainly wins, by a proof or a table.
fn losing_move<G: Reviewed>(history: &History<G>, best_move: G::Move, seconds: f64) -> Option<G::Move> {
    history.position().legal_moves().into_iter().filter(|&mv| mv != best_move).find(|&mv| {
        let mut after = history.clone();
        after.play(mv);
        after.ending().is_none() && best(&after, seconds).1.is_win()
    })
}

/// Plants mistakes in `games` games of `seconds` a move, reviews them, and returns in how many the mistake is the turning point or marked as
/// a blunder.
fn found<G: Reviewed>(games: usize, seconds: f64, settings: Settings) -> usize {
    let planted = (0..).filter_map(|seed| plant::<G>(seed, seconds)).take(games);
    let found = planted.enumerate().filter(|(number, game)| {
        let record = G::Record::of_line(G::start(), &game.moves, "");
        let review = review::<G>(&record, settings, NonZeroUsize::MIN, &mut |_| true).expect("a review");
        check_certain_wins(&review);
        let is_found =
            review.turning_point == Some(game.mistake) || review.moves[game.mistake].mark == Some(Mark::Blunder);
        if !is_found {
            println!("game {number}, mistake at {}:\n{review}", game.mistake);
        }
        is_found
    });
    found.count()
}

/// Checks that no best move of a certain win is called a mistake.
fn check_certain_wins(review: &Review) {
    for mv in &review.moves {
        let is_best = mv.best.first() == Some(&mv.mv) && mv.before.is_won();
        assert!(!is_best || !mv.mark.is_some_and(Mark::is_fault), "{mv:?}");
    }
}

#[test]
fn planted_mistakes_are_found() {
    let settings = Settings { seconds: 0.05, ..Settings::default() };
    let numbers = thread::scope(|scope| {
        let checkers = scope.spawn(|| found::<checkers::Position>(1, 0.005, settings));
        let loa = scope.spawn(|| found::<loa::Position<8>>(1, 0.005, settings));
        [checkers, loa].map(|games| games.join().expect("no panic"))
    });
    assert_eq!(numbers, [1, 1], "found of one planted in each game");
}

/// The figure of the guide: 40 games of checkers, 40 of 8x8 and 20 of 6x6 Lines of Action, at the usual effort. Takes
/// about ten minutes on two cores.
#[test]
#[ignore = "long"]
fn planted_mistakes_of_a_hundred_games_are_found() {
    let settings = Settings::default();
    let numbers = thread::scope(|scope| {
        let checkers = scope.spawn(|| found::<checkers::Position>(40, 0.05, settings));
        let loa = scope
            .spawn(|| [found::<loa::Position<8>>(40, 0.05, settings), found::<loa::Position<6>>(20, 0.05, settings)]);
        let [large, small] = loa.join().expect("no panic");
        [checkers.join().expect("no panic"), large, small]
    });
    println!("found {numbers:?} of [40, 40, 20] planted mistakes");
    assert!(numbers.iter().sum::<usize>() >= 95, "{numbers:?}");
}

/// Change of a review with ten times the nodes.
#[derive(Debug, Default)]
struct Sureness {
    moves: usize,
    /// Sum of the differences of the chances before each move.
    difference: f64,
    /// Mistakes and blunders of the usual effort, and those among them that stay at least inaccuracies.
    marked: usize,
    confirmed: usize,
    /// Mistakes and blunders of the larger effort, and those among them that were at least inaccuracies before.
    real: usize,
    seen: usize,
}

/// Reviews games of weak players at the usual effort, and with ten times the nodes.
fn sureness<G: Reviewed>(games: u64) -> Sureness {
    let mut sureness = Sureness::default();
    for seed in 0..games {
        let record = G::Record::of_line(G::start(), &weak_game::<G>(seed), "");
        let of = |factor: f64| {
            let settings = Settings { seconds: factor * Settings::default().seconds, ..Settings::default() };
            review::<G>(&record, settings, NonZeroUsize::MIN, &mut |_| true).expect("a review")
        };
        for (usual, long) in of(1.0).moves.iter().zip(&of(10.0).moves) {
            sureness.moves += 1;
            sureness.difference += (usual.before.chances - long.before.chances).abs();
            if usual.mark >= Some(Mark::Mistake) {
                sureness.marked += 1;
                sureness.confirmed += usize::from(long.mark >= Some(Mark::Inaccuracy));
            }
            if long.mark >= Some(Mark::Mistake) {
                sureness.real += 1;
                sureness.seen += usize::from(usual.mark >= Some(Mark::Inaccuracy));
            }
        }
    }
    sureness
}

/// A game of players that search 500 nodes a move.
fn weak_game<G: Reviewed>(seed: u64) -> Vec<G::Move> {
    let mut rng = StdRng::seed_from_u64(seed);
    let opening = random_opening::<G>(OPENING, |moves| rng.random_range(0..moves)).expect("an opening");
    let (mut moves, mut history) = (opening.moves, opening.history);
    let mut searcher = Searcher::new(G::Evaluation::default()).with_table_limit(1 << 20);
    while history.ending().is_none() && moves.len() < PLIES {
        let best = searcher.search(&history, Limits::nodes(500), &mut ()).best.expect("a legal move");
        history.play(best);
        moves.push(best);
    }
    moves
}

/// The figure of the guide: how sure a review is at the usual effort. Takes about fifteen minutes on two cores.
#[test]
#[ignore = "long"]
fn ten_times_the_nodes_confirm_most_marks() {
    let all = thread::scope(|scope| {
        let checkers = scope.spawn(|| sureness::<checkers::Position>(6));
        let loa = scope.spawn(|| sureness::<loa::Position<8>>(6));
        [checkers, loa].map(|sureness| sureness.join().expect("no panic"))
    });
    for sureness in all {
        println!("{sureness:?}, mean difference {:.4}", sureness.difference / sureness.moves as f64);
        assert!(sureness.confirmed * 10 >= sureness.marked * 7, "{sureness:?}");
    }
}
