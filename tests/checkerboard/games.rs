//! Games by the interface, whose moves are those of the engine called directly.

use std::time::{Duration, Instant};

use kingline::checkers::{Move, Position};
use kingline::evaluate::checkers::Evaluation;
use kingline::game::{Color, Game, History, Progress};
use kingline::knowledge::tablebase::Tablebase;
use kingline::search::{Limits, Searcher};
use kingline_checkerboard::board::{BLACK, Board, CbMove, WHITE, read_position, write_position};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::driver::{Call, Engine, UNKNOWN};

/// Number of nodes of a search.
const NODES: u64 = 3_000;
/// Number of moves that the library takes back to find repetitions.
const MOST_MOVES: usize = 24;
/// Number of plies after which CheckerBoard ends a game of a match.
const LONGEST: usize = 300;
/// Probes of the endgame tables for a choice.
const PROBES: u64 = 10_000;

fn color(position: &Position) -> i32 {
    if position.turn() == Color::White { WHITE } else { BLACK }
}

fn board(position: &Position) -> Board {
    let mut board = Board::default();
    write_position(position, &mut board);
    board
}

fn call(position: &Position) -> Call {
    let (board, color) = (Some(board(position)), color(position));
    Call { board, color, time: 1.0, has_text: true, play_now: Some(0), info: 0, more_info: 0, has_move: true }
}

/// A game as CheckerBoard remembers it: the positions since the last move that cannot be taken back.
struct KnownGame {
    positions: Vec<Position>,
    moves: Vec<Move>,
}

impl KnownGame {
    fn new(position: Position) -> KnownGame {
        KnownGame { positions: vec![position], moves: Vec::new() }
    }

    fn position(&self) -> Position {
        self.positions[self.positions.len() - 1]
    }

    fn play(&mut self, mv: Move) {
        let position = self.position();
        if position.progress(mv) != Progress::Reversible {
            (self.positions, self.moves) = (Vec::new(), Vec::new());
        } else {
            self.moves.push(mv);
        }
        self.positions.push(position.play(mv));
    }

    /// The command before a move, cut in front if it is too long.
    fn command(&self) -> String {
        const BYTES: usize = 255;
        let steps: String =
            self.moves.iter().map(|mv| format!(" {}-{}", mv.from().number(), mv.to().number())).collect();
        let (name, game) = ("set gamehist ", format!("{}{steps}", self.positions[0]));
        format!("{name}{}", &game[game.len().saturating_sub(BYTES - name.len())..])
    }

    fn history(&self) -> History<Position> {
        let skipped = self.moves.len().saturating_sub(MOST_MOVES);
        let mut history = History::from(self.positions[skipped]);
        self.moves[skipped..].iter().for_each(|&mv| history.play(mv));
        history
    }
}

/// The move of the engine without the interface.
fn direct(
    searcher: &mut Searcher<Position, Evaluation, Tablebase<'static>>,
    history: &History<Position>,
) -> Option<Move> {
    let tables = Tablebase::with_embedded(None);
    if let Ok(known) = tables.choose(history, &Evaluation::default(), PROBES) {
        return Some(known.mv);
    }
    match *history.position().legal_moves() {
        [only] => Some(only),
        _ => searcher.search(history, Limits::nodes(NODES), &mut ()).best,
    }
}

#[test]
fn tables_know_wins_past_fifty_quiet_turns() {
    let engine = Engine::load();
    for (position, expected) in [
        ("W:WK30,K31:B8,K12", "win, a capture or crowning within 73 plies"),
        ("W:W12,30:B22,28", "loss, a capture or crowning within 2 plies"),
        ("W:WK30,K31:BK11", "win, a capture or crowning within 33 plies"),
    ] {
        assert_eq!(engine.command(&format!("dblookup {position}")), (1, expected.to_owned()), "{position}");
    }
}

#[test]
fn games_are_those_of_the_engine_called_directly() {
    let engine = Engine::load();
    assert_eq!(engine.command(&format!("set nodes {NODES}")).0, 1);
    let mut rng = StdRng::seed_from_u64(21);
    let mut ends = Vec::new();
    for number in 0..8 {
        let mut game = KnownGame::new(Position::start());
        for _ in 0..3 {
            let moves = game.position().legal_moves();
            game.play(moves[rng.random_range(0..moves.len())]);
        }
        let mut searcher = Searcher::new(Evaluation::default())
            .with_table_limit(16 << 20)
            .with_knowledge(Tablebase::with_embedded(None));
        let mut end = (UNKNOWN, LONGEST);
        for ply in 0..LONGEST {
            let position = game.position();
            let command = game.command();
            assert_eq!(engine.command(&command), (1, "game history set".to_owned()));
            let answer = engine.getmove(Call { info: i32::from(ply == 0), ..call(&position) });
            let Some(expected) = direct(&mut searcher, &game.history()) else {
                assert_eq!((answer.result, answer.board), (2, Some(board(&position))), "lost");
                end = (answer.result, ply);
                break;
            };
            let after = position.play(expected);
            assert_eq!(answer.board, Some(board(&after)), "game {number}: {command}: {answer:?}");
            assert_eq!(answer.mv, Some(CbMove::new(&position, expected)));
            game.play(expected);
            if answer.result == 0 {
                end = (answer.result, ply);
                break;
            }
        }
        ends.push(end);
    }
    let plies: usize = ends.iter().map(|&(_, plies)| plies).sum();
    println!("{} games, {plies} plies; results and lengths: {ends:?}", ends.len());
    assert!(plies > 500 && ends.iter().any(|&(result, _)| result == 2), "{ends:?}");
}

#[test]
fn a_game_by_the_clock_is_legal_and_in_time() {
    let engine = Engine::load();
    let mut position = Position::start();
    // 2.000 s on the clock and 10 ms a move, in milliseconds.
    let (mut left, increment) = ([Duration::from_secs(2); 2], Duration::from_millis(10));
    for ply in 0..40 {
        if position.legal_moves().is_empty() {
            break;
        }
        let clock = &mut left[ply % 2];
        *clock += increment;
        let more_info = (clock.as_millis() as i32) << 16 | increment.as_millis() as i32;
        let began = Instant::now();
        let answer = engine.getmove(Call { info: 1 << 2, more_info, ..call(&position) });
        let took = began.elapsed();
        assert!(took <= *clock, "ply {ply}: {took:?} of {clock:?}");
        *clock -= took;
        let after = read_position(&answer.board.expect("a board"), color(&position) ^ 3).expect("a position");
        let legal = position.legal_moves();
        assert!(legal.iter().any(|&mv| position.play(mv) == after), "ply {ply}: {answer:?}");
        position = after;
    }
}

#[test]
fn times_are_kept_and_the_search_is_shown() {
    let engine = Engine::load();
    for (info, time, longest) in [(2, 0.3, 0.3), (0, 0.2, 0.3), (0, 0.0, 0.2), (2, f64::NAN, 0.2)] {
        let began = Instant::now();
        let answer = engine.getmove(Call { info, time, ..call(&Position::start()) });
        let took = began.elapsed().as_secs_f64();
        // The machine may be busy; the move itself is in time.
        assert!(took < longest + 2.0, "{time} s: {took} s");
        assert_eq!(answer.result, UNKNOWN);
        let text = answer.text.expect("a text");
        assert!(time.is_nan() || time == 0.0 || text.starts_with("depth ") && text.contains("  pv "), "{text}");
    }
    let began = Instant::now();
    let answer = engine.getmove(Call { time: f64::INFINITY, play_now: Some(1), ..call(&Position::start()) });
    assert!(began.elapsed() < Duration::from_secs(5) && answer.board != Some(board(&Position::start())), "{answer:?}");
}

#[test]
fn commands_are_answered_during_a_search() {
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    let (engine, done) = (Engine::load(), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let search = scope.spawn(|| {
            let answer = engine.getmove(Call { time: 3.0, info: 2, ..call(&Position::start()) });
            done.store(true, Relaxed);
            answer
        });
        std::thread::sleep(Duration::from_millis(200));
        assert_eq!(engine.command("get gametype"), (1, "21".to_owned()));
        assert_eq!(engine.command("set hashsize 8").0, 1);
        assert!(!done.load(Relaxed), "the search goes on");
        assert_eq!(search.join().expect("an answer").result, UNKNOWN);
    });
}
