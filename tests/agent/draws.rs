//! Repetitions and quiet turns, as recorded in playdata.txt: the better side plays on; the worse takes the draw.

use std::time::Duration;

use kingline::checkers::{Diagram, Move, Position};
use kingline::game::{Game, History, Rules};
use kingline_players::protocol::turn_files::{Playdata, read_answer};

use crate::support::command::*;

/// Three kings against two.
const KINGS: &str = "WK10,K14,K18:BK28,K32";

/// Plays `moves` from a position in a new game.
fn played(start: &str, moves: &[&str]) -> History<Position> {
    let mut history: History<Position> = History::new(start.parse().expect("a position")).under(Rules::Course);
    for text in moves {
        let mv = history.position().parse_move(text).expect("a legal move");
        history.play(mv);
    }
    history
}

/// Answer of `homework` after `history`, which playdata.txt records except for the opponent's last turn.
fn answer(history: &History<Position>) -> Move {
    let position = history.position();
    let side = position.turn().to_string().to_uppercase();
    let dir = Dir::with_input(format!("GAME\n{side}\n20\n{}", Diagram(&position)));
    // The last turn is the opponent's, which the agent has not seen yet.
    let positions = history.positions();
    let mut known = Playdata::fresh(positions[0]);
    for pair in positions[..positions.len() - 1].windows(2) {
        known.history.play(turn(&pair[0], &pair[1]));
    }
    known.spent = Duration::from_millis(50);
    known.save(&dir.path("playdata.txt")).expect("a file that can be written");
    let ran = dir.run(Program::Homework);
    ran.exits_with(0).stderr_lacks(&["warning"]);
    read_answer(ran.answer(), &position).expect("a legal turn")
}

fn turn(from: &Position, to: &Position) -> Move {
    let list = from.legal_moves();
    list.iter().copied().find(|&mv| from.play(mv) == *to).expect("one turn")
}

/// Answer to seven moves of a round, and the move that repeats the position for the third time.
fn answer_to_a_round(side: &str, round: [&str; 4]) -> [Move; 2] {
    let moves: Vec<&str> = round.into_iter().cycle().take(7).collect();
    let history = played(&format!("{side}:{KINGS}"), &moves);
    [answer(&history), history.position().parse_move(round[3]).expect("a legal move")]
}

#[test]
fn the_stronger_side_avoids_a_third_repetition() {
    let [answer, third] = answer_to_a_round("B", ["32-27", "10-7", "27-32", "7-10"]);
    assert_ne!(answer, third);
}

#[test]
fn the_weaker_side_takes_the_third_repetition() {
    let [answer, third] = answer_to_a_round("W", ["10-7", "32-27", "7-10", "27-32"]);
    assert_eq!(answer, third);
}
