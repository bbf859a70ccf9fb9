//! Planted mistakes: games in which one move was replaced by one that certainly loses.

use std::num::NonZeroUsize;
use std::thread;

use kingline::checkers::{self, pdn};
use kingline::game::{Ending, Game, History, Outcome, random_opening};
use kingline::loa::{self, sgf};
use kingline::review::{Mark, Review, Reviewed, Settings, review};
use kingline::score::Score;
use kingline::search::{Limits, Searcher};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Seconds a move in self-play.
const SECONDS_A_MOVE: f64 = 0.05;
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
    result: Option<Outcome>,
}

fn best<G: Reviewed>(history: &History<G>) -> (G::Move, Score) {
    let nodes = (SECONDS_A_MOVE * G::SPEED as f64) as u64;
    let mut searcher = Searcher::new(G::Evaluation::default()).with_knowledge(G::knowledge());
    let report = searcher.search(history, Limits::nodes(nodes), &mut ());
    (report.best.expect("a legal move"), report.score)
}

/// Plays a game of the engine against itself. From a random ply on, the first move that can be is replaced by one that
/// certainly loses, while its side has fair chances. None if no move could be replaced.
fn plant<G: Reviewed>(seed: u64) -> Option<Planted<G>> {
    let mut rng = StdRng::seed_from_u64(seed);
    let opening = random_opening::<G>(OPENING, |moves| rng.random_range(0..moves))?;
    let (mut moves, mut history) = (opening.moves, opening.history);
    let from = rng.random_range(OPENING..OPENING + 40);
    let mut mistake = None;
    while history.ending().is_none() && moves.len() < PLIES {
        let (mut mv, score) = best(&history);
        let is_fair = !score.is_decided() && history.position().chances(score).points() >= CHANCES;
        if mistake.is_none()
            && moves.len() >= from
            && is_fair
            && let Some(losing) = losing_move(&history, mv)
        {
            mistake = Some(moves.len());
            mv = losing;
        }
        history.play(mv);
        moves.push(mv);
    }
    Some(Planted { moves, mistake: mistake?, result: history.ending().map(Ending::outcome) })
}

/// A move other than the best one after which the opponent certainly wins, by a proof or a table.
fn losing_move<G: Reviewed>(history: &History<G>, best_move: G::Move) -> Option<G::Move> {
    history.position().legal_moves().into_iter().filter(|&mv| mv != best_move).find(|&mv| {
        let mut after = history.clone();
        after.play(mv);
        after.ending().is_none() && best(&after).1.is_win()
    })
}

fn checkers_record(game: &Planted<checkers::Position>) -> pdn::Record {
    let mut record = pdn::Record::new(Game::start());
    game.moves.iter().for_each(|&mv| record.push(mv).expect("a legal move"));
    record.set_result(game.result);
    record
}

fn loa_record<const N: usize>(game: &Planted<loa::Position<N>>) -> sgf::Record<N> {
    let mut record = sgf::Record::new(Game::start());
    game.moves.iter().for_each(|&mv| record.play(mv));
    record.set_result(game.result);
    record
}

/// Plants mistakes in `games` games, reviews them, and returns in how many the mistake is the turning point or marked as
/// a blunder.
fn found<G: Reviewed>(games: usize, settings: Settings, record: fn(&Planted<G>) -> G::Record) -> usize {
    let planted = (0..).filter_map(|seed| plant::<G>(seed)).take(games);
    let found = planted.enumerate().filter(|(number, game)| {
        let review = review::<G>(&record(game), settings, NonZeroUsize::MIN, &mut |_| true).expect("a review");
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
        let checkers = scope.spawn(|| found(2, settings, checkers_record));
        let loa = scope.spawn(|| found(2, settings, loa_record::<8>));
        [checkers, loa].map(|games| games.join().expect("no panic"))
    });
    assert!(numbers.iter().sum::<usize>() >= 3, "{numbers:?} of 2 each");
}

/// The figure of the guide: 40 games of checkers, 40 of 8x8 and 20 of 6x6 Lines of Action, at the usual effort. Takes
/// about ten minutes on two cores.
#[test]
#[ignore = "long"]
fn planted_mistakes_of_a_hundred_games_are_found() {
    let settings = Settings::default();
    let numbers = thread::scope(|scope| {
        let checkers = scope.spawn(|| found(40, settings, checkers_record));
        let loa = scope.spawn(|| [found(40, settings, loa_record::<8>), found(20, settings, loa_record::<6>)]);
        let [large, small] = loa.join().expect("no panic");
        [checkers.join().expect("no panic"), large, small]
    });
    println!("found {numbers:?} of [40, 40, 20] planted mistakes");
    assert!(numbers.iter().sum::<usize>() >= 95, "{numbers:?}");
}
