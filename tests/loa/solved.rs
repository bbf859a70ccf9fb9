//! `loa6` wins every game in which it moves first, or the other side begins with a losing move, does not lose after
//! c1-a3, and holds out longest after the moves that win. The tests play complete games through requests to the real binary.

use std::ops::Range;
use std::process::Command;

use kingline::game::{Color, Ending, Game, History, Outcome};
use kingline::knowledge::solved::{embedded, embedded_defense};
use kingline::loa::sgf::Record;
use kingline::loa::{Move, Position, Square};
use kingline::search::Limits;
use kingline_players::play::LoaPlayer;
use kingline_players::protocol::request::{Request, as_x, read_answer};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::loa6::Load;
use crate::support::command::*;

/// One of the eight rotations and reflections of a board.
#[derive(Clone, Copy, Debug)]
struct Image(u8);

impl Image {
    fn square(self, square: Square) -> Square {
        let (mut column, mut row) = (square.column(), square.row());
        if self.0 & 1 != 0 {
            column = 5 - column;
        }
        if self.0 & 2 != 0 {
            row = 5 - row;
        }
        if self.0 & 4 != 0 {
            (column, row) = (row, column);
        }
        Square::at(column, row).expect("a square")
    }
}

/// Move of the agent in a position that it sees as this image, translated back to the position's own squares. It has no
/// time for a search, as on a machine that is very busy.
fn answer(position: &Position<6>, image: Image, turn: u32) -> Move {
    let placed = position.placed().map(|(square, color)| (image.square(square), color));
    let board = as_x(&Position::new(position.turn(), placed));
    let ran = Dir::new().run_with_input(
        Program::Loa6,
        &["--time=0.000001"],
        Request::Move { turn, position: board }.to_string(),
    );
    let mv = read_answer(&ran.exits_with(0).stdout, &board).unwrap_or_else(|error| panic!("{error}: {ran:#?}"));
    let wanted = (mv.from(), mv.to());
    let meant = |mv: &Move| (image.square(mv.from()), image.square(mv.to())) == wanted;
    position.legal_moves().into_iter().find(meant).expect("a legal move")
}

/// Plays a game on, with the agent to move. It sees each position as a different image, with a possibly wrong turn
/// number.
fn play(
    mut history: History<Position<6>>,
    seed: u64,
    mut reply: impl FnMut(&History<Position<6>>, u32, &mut StdRng) -> Move,
) -> History<Position<6>> {
    let mut rng = StdRng::seed_from_u64(seed);
    let agent = history.position().turn();
    for ply in 0..60 {
        if history.ending().is_some() {
            break;
        }
        let turn = [ply + 1, 1, 2, 4_000_000_000][rng.random_range(0..4)];
        let mv = if history.position().turn() == agent {
            answer(&history.position(), Image(rng.random_range(0..8)), turn)
        } else {
            reply(&history, ply, &mut rng)
        };
        history.play(mv);
    }
    history
}

fn random(history: &History<Position<6>>, rng: &mut StdRng) -> Move {
    let list = history.position().legal_moves();
    list[rng.random_range(0..list.len())]
}

/// Plays games on, with the agent to move, against random replies and against a search.
fn games(start: &History<Position<6>>, seeds: Range<u64>) -> impl Iterator<Item = History<Position<6>>> {
    seeds.map(|seed| {
        let mut player = LoaPlayer::new(seed + 1, 1 << 20);
        play(start.clone(), seed, |history, ply, rng| {
            if seed % 2 == 0 || ply < 6 {
                random(history, rng)
            } else {
                player.choose(history, Limits::nodes(3000)).expect("a move").best
            }
        })
    })
}

/// Plays games on, with the agent to move. The agent wins all.
fn all_are_won(start: &History<Position<6>>, seeds: Range<u64>) {
    let won = Some(Ending::Win(start.position().turn()));
    for (seed, game) in seeds.clone().zip(games(start, seeds)) {
        assert_eq!(game.ending(), won, "game {seed}: {}", game.position());
    }
}

fn after_first_move(text: &str) -> History<Position<6>> {
    let mut history = History::new(Position::start());
    history.play(history.position().parse_move(text).expect("a legal move"));
    history
}

#[test]
fn games_with_the_first_move_are_won() {
    all_are_won(&History::new(Position::start()), 0..12);
}

/// `calibrate bench busy-player` plays a thousand such games.
#[test]
fn games_with_the_first_move_are_won_beside_busy_processes() {
    let load = Load::new(2);
    all_are_won(&History::new(Position::start()), 12..15);
    drop(load);
}

#[test]
fn games_after_losing_first_moves_are_won() {
    for first in ["c1-c3", "b1-d3", "b1-f1"] {
        all_are_won(&after_first_move(first), 0..6);
    }
}

#[test]
fn games_after_a_first_move_that_wins_for_neither_side_are_not_lost() {
    let start = after_first_move("c1-a3");
    let lost = Some(Ending::Win(!start.position().turn()));
    for (seed, game) in (0..8).zip(games(&start, 0..8)) {
        assert_ne!(game.ending(), lost, "game {seed}: {}", game.position());
    }
}

#[test]
fn replies_to_winning_first_moves_hold_out_longest() {
    for (first, strategy, plies) in [("b1-b3", embedded(), 55), ("c1-e3", embedded_defense(), 67)] {
        let (strategy, position) = (strategy.expect("a strategy"), after_first_move(first).position());
        for image in (0..8).map(Image) {
            let after = position.play(answer(&position, image, 2));
            assert_eq!(
                strategy.winning_move(&after).map(|(_, plies)| plies),
                Some(plies),
                "{first}, {image:?}: {after}"
            );
        }
    }
}

#[test]
fn a_terminal_shows_that_the_game_is_solved() {
    // The message appears only if standard error is a terminal. `script`, if installed, provides one.
    let dir = Dir::new().with("request", Request::Move { turn: 1, position: Position::start() }.to_string());
    let line = format!("{} < request", Program::Loa6.path().display());
    let mut command = Command::new("script");
    command.args(["-qec", &line, "/dev/null"]).current_dir(dir.path(""));
    match command.output() {
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(text.contains("proved: wins in at most 57 plies"), "{text}");
        }
        Err(why) => skipped("loa::solved, what a terminal shows", &format!("script: {why}")),
    }
}

#[test]
fn the_longest_game_of_the_strategy_is_a_win() {
    let record: Record<6> = include_str!("../../samples/loa6/longest.sgf").parse().expect("a game");
    assert_eq!((record.moves().len(), record.result()), (57, Some(Outcome::Win(Color::Black))));
    assert_eq!(record.position().outcome(), Some(Outcome::Win(Color::Black)));
}
