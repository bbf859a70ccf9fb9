//! Requests of the page, and the games that they are about.

use std::str::FromStr;
use std::time::Duration;

use kingline::draw::shown::Shown;
use kingline::game::{History, ParseError};
use kingline::search::{Limits, TimeLimit};

/// Largest length of a request in bytes: the longest game needs half of it.
const MOST_BYTES: usize = 1 << 17;
/// Largest number of lines that an analysis reports.
const MOST_LINES: u64 = 20;

/// Largest number of moves of a game.
const MOST_MOVES: usize = 2000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// The state of the game, for the page.
    State,
    /// The best move, or the best moves.
    Search,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    Checkers,
    Loa,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Request<'a> {
    pub(crate) question: Question,
    pub(crate) name: Name,
    /// First position of the game; `None` for the usual one.
    pub(crate) start: Option<&'a str>,
    pub(crate) moves: Vec<&'a str>,
    pub(crate) limits: Limits,
}

impl Request<'_> {
    pub(crate) fn read(bytes: &[u8]) -> Result<Request<'_>, String> {
        if bytes.len() > MOST_BYTES {
            return Err(format!("found a request of {} bytes, expected at most {MOST_BYTES}", bytes.len()));
        }
        let text = str::from_utf8(bytes).map_err(|error| format!("found a request that is no text: {error}"))?;
        let mut lines = text.lines();
        let (question, name) = match lines.next().unwrap_or_default() {
            "state checkers" => (Question::State, Name::Checkers),
            "state loa" => (Question::State, Name::Loa),
            "search checkers" => (Question::Search, Name::Checkers),
            "search loa" => (Question::Search, Name::Loa),
            other => return Err(wrong(other, "state or search, and checkers or loa")),
        };
        let mut request = Request { question, name, start: None, moves: Vec::new(), limits: Limits::default() };
        for line in lines {
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            match word {
                "start" => request.start = Some(rest),
                "moves" => request.moves = rest.split_whitespace().collect(),
                "nodes" => request.limits.nodes = Some(number(rest)?),
                "lines" => request.limits.lines = number::<u64>(rest)?.min(MOST_LINES) as usize,
                "milliseconds" => {
                    request.limits.time = Some(TimeLimit::Wall(Duration::from_millis(number(rest)?)));
                }
                _ => return Err(wrong(line, "start, moves, nodes, milliseconds or lines")),
            }
        }
        Ok(request)
    }
}

/// A game in progress, or one that is over.
pub(crate) struct Played<G: Shown> {
    pub(crate) start: G,
    pub(crate) moves: Vec<G::Move>,
    pub(crate) history: History<G>,
}

impl<G: Shown> Played<G> {
    pub(crate) fn read(request: &Request<'_>) -> Result<Played<G>, String> {
        if request.moves.len() > MOST_MOVES {
            return Err(format!("found {} moves, expected at most {MOST_MOVES}", request.moves.len()));
        }
        let start = match request.start {
            Some(text) => text.parse().map_err(|error| format!("{error}"))?,
            None => G::start(),
        };
        let mut played = Played { start, moves: Vec::new(), history: History::new(start) };
        for text in &request.moves {
            if let Some(ending) = played.history.ending() {
                return Err(ParseError::new(text, format!("no move: the game is over, {ending}")).to_string());
            }
            let mv = played.history.position().parse_move(text).map_err(|error| error.to_string())?;
            played.moves.push(mv);
            played.history.play(mv);
        }
        Ok(played)
    }
}

fn number<N: FromStr>(text: &str) -> Result<N, String> {
    text.parse().map_err(|_| wrong(text, "a number"))
}

/// Returns the error for a text of which the page shows only the beginning.
fn wrong(found: &str, expected: &str) -> String {
    ParseError::new(found, expected).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_has_a_game_and_limits() {
        let text = "search loa\nstart a b\nmoves b1-b3 a3-c5\nnodes 500\nlines 99";
        let expected = Request {
            question: Question::Search,
            name: Name::Loa,
            start: Some("a b"),
            moves: vec!["b1-b3", "a3-c5"],
            limits: Limits::nodes(500).lines(20),
        };
        assert_eq!(Request::read(text.as_bytes()), Ok(expected));
        let timed = Request::read(b"search checkers\nmilliseconds 20").expect("a request");
        assert_eq!(timed.limits, Limits::time(Duration::from_millis(20)));
        assert_eq!(Request::read(b"state checkers\nmoves").expect("a request").moves, Vec::<&str>::new());
    }

    #[test]
    fn errors_name_what_was_found() {
        for (text, found) in [("", "found \"\""), ("state chess", "state chess"), ("state loa\nnodes -1", "\"-1\"")] {
            assert!(Request::read(text.as_bytes()).is_err_and(|error| error.contains(found)), "{text}");
        }
        let long = vec![b' '; MOST_BYTES + 1];
        assert!(Request::read(&long).is_err_and(|error| error.contains("131073 bytes")));
        assert!(Request::read(b"state \xff").is_err_and(|error| error.contains("no text")));
        assert!(Request::read(b"state loa\ntime 3").is_err_and(|error| error.contains("expected start")));
    }
}
