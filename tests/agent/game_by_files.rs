//! Complete games played by files, as a master plays them (§3): each side in its own directory.

use kingline::checkers::{Diagram, Position};
use kingline::game::{Color, Game, History, Rules};
use kingline_players::protocol::turn_files::{Playdata, read_answer};

use crate::support::command::*;

/// Seconds per side for the game.
const SECONDS: f64 = 2.0;
/// Seconds charged for every turn, however short it was.
const TURN: f64 = 0.005;

/// One side: its directory, and what it can know about the game.
struct Side {
    dir: Dir,
    left: f64,
    /// Game from the first board that the side saw.
    seen: Option<History<Position>>,
}

impl Side {
    fn new() -> Side {
        // Leaves each turn only a few milliseconds, which keeps the test short.
        let calibration = "{\"game_seconds\": 0.1}";
        Side { dir: Dir::new().with("calibration.txt", calibration), left: SECONDS, seen: None }
    }

    /// Takes a turn in `position`, which must cause no warning.
    fn turn(&mut self, position: Position) -> Move {
        self.knows_what_it_has_seen(position);
        self.dir.delete("output.txt");
        let name = if position.turn() == Color::Black { "BLACK" } else { "WHITE" };
        self.dir.write("input.txt", format!("GAME\n{name}\n{:.3}\n{}", self.left, Diagram(&position)));
        self.left -= TURN;
        let ran = self.dir.run(Program::Homework);
        ran.exits_with(0).stderr_lacks(&["warning"]);
        assert_eq!(self.dir.names(), ["calibration.txt", "input.txt", "output.txt", "playdata.txt"]);
        read_answer(ran.exits_with(0).answer(), &position).unwrap_or_else(|error| panic!("{error:?}: {ran:#?}"))
    }

    /// Asserts that playdata.txt, as the next turn will read it, has exactly the positions that can still be repeated.
    fn knows_what_it_has_seen(&mut self, position: Position) {
        match &self.seen {
            None => self.seen = Some(History::new(position).under(Rules::Course)),
            Some(seen) => {
                let known = Playdata::parse(&self.playdata(), position).expect("playdata of this game");
                assert_eq!(known.history, *seen);
                assert!(known.spent.as_secs_f64() > 0.0 && known.spent.as_secs_f64() < SECONDS);
            }
        }
    }

    fn sees(&mut self, mv: Move) {
        if let Some(seen) = &mut self.seen {
            seen.play(mv);
        }
    }

    fn forgets(&mut self) {
        self.dir.delete("playdata.txt");
        self.seen = None;
    }

    fn playdata(&self) -> String {
        self.dir.text("playdata.txt")
    }
}

type Move = <Position as Game>::Move;

fn first_move(position: Position) -> Move {
    let list = position.legal_moves();
    *list.first().expect("a move")
}

#[test]
fn playdata_keeps_the_repeatable_positions_through_a_whole_game() {
    let mut sides = [Side::new(), Side::new()];
    let mut game = History::new(Position::start()).under(Rules::Course);
    let mut turns = 0;
    while game.ending().is_none() {
        assert!(turns < 400, "the game does not end: {}", game.position());
        let mv = sides[game.position().turn().index()].turn(game.position());
        game.play(mv);
        for side in &mut sides {
            side.sees(mv);
        }
        turns += 1;
    }
    println!("{turns} turns, {:?}", game.ending());
}

#[test]
fn lost_playdata_costs_only_its_history() {
    let mut side = Side::new();
    let mut position = Position::start();
    for turn in 0..6 {
        if turn % 3 == 2 {
            side.forgets();
        }
        let mv = side.turn(position);
        side.sees(mv);
        position = position.play(mv);
        let reply = first_move(position);
        side.sees(reply);
        position = position.play(reply);
    }
}

#[test]
fn playdata_of_another_game_is_replaced() {
    let mut side = Side::new();
    side.turn(Position::start());
    let other: Position = "B:W18,21,22,30,31,32:B1,2,3,4,9".parse().expect("a position");
    side.dir.write("input.txt", format!("GAME\nBLACK\n1.0\n{}", Diagram(&other)));
    let ran = side.dir.run(Program::Homework);
    ran.exits_with(0).stderr_contains(&["warning: ", "playdata.txt", "from another game"]);
    let mv = read_answer(ran.answer(), &other).expect("a legal turn");
    let after = other.play(mv);
    let known = Playdata::parse(&side.playdata(), after.play(first_move(after))).expect("playdata of this game");
    assert!(known.history.positions().len() <= 3, "{known:?}");
}

#[test]
fn a_single_move_neither_reads_nor_writes_playdata() {
    let dir = Dir::with_input(format!("SINGLE\nBLACK\n0.1\n{}", Diagram(&Position::start()))).with("playdata.txt", "{");
    dir.run(Program::Homework).exits_with(0).stderr_lacks(&["warning"]);
    assert_eq!(dir.read("playdata.txt").as_deref(), Some("{"));
}
