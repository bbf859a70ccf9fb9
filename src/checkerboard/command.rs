//! Commands and replies.

use std::num::NonZero;

use kingline::checkers::Position;
use kingline::game::ParseError;
use kingline_players::play::MOST_HASH;
use kingline_players::play::arguments::MOST_THREADS;

use super::history::GameHistory;

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Asks for a description.
    About,
    /// Asks for a page with help.
    Help,
    /// Asks for the name.
    Name,
    /// Asks for the version of the protocol.
    ProtocolVersion,
    /// Asks for the game that is played.
    GameType,
    /// Asks for the largest size of the transposition table.
    HashSize,
    /// Sets it, in MiB.
    SetHashSize(u64),
    /// Asks for the number of threads.
    Threads,
    /// Sets it.
    SetThreads(NonZero<usize>),
    /// Asks for the file with endgame tables.
    TablePath,
    /// Sets it; empty for the tables in the program.
    SetTablePath(String),
    /// Asks if the text about a search has the scores of all moves.
    AllScores,
    /// Sets it.
    SetAllScores(bool),
    /// Asks for the number of nodes of a search.
    Nodes,
    /// Sets it; without one, the time counts.
    SetNodes(Option<NonZero<u64>>),
    /// Gives the positions before that of the next search.
    SetGameHistory(GameHistory),
    /// Asks for the evaluation of a position.
    StaticEvaluation(Position),
    /// Asks for the result of a position by the endgame tables.
    TableLookup(Position),
}

/// The reason why a command cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The engine does not have the command.
    Unknown,
    /// An argument is wrong, or what it names cannot be used.
    Wrong(String),
}

impl From<ParseError> for Refusal {
    fn from(error: ParseError) -> Refusal {
        Refusal::Wrong(error.to_string())
    }
}

impl Command {
    /// Reads a command.
    ///
    /// # Errors
    /// See [`Refusal`].
    pub fn read(text: &str) -> Result<Command, Refusal> {
        let (word, rest) = split(text);
        match word {
            "about" => Ok(Command::About),
            "help" => Ok(Command::Help),
            "name" => Ok(Command::Name),
            "staticevaluation" => Ok(Command::StaticEvaluation(rest.parse()?)),
            "dblookup" => Ok(Command::TableLookup(rest.parse()?)),
            "get" => get(rest),
            "set" => set(rest),
            _ => Err(Refusal::Unknown),
        }
    }
}

fn get(name: &str) -> Result<Command, Refusal> {
    match name {
        "protocolversion" => Ok(Command::ProtocolVersion),
        "gametype" => Ok(Command::GameType),
        "hashsize" => Ok(Command::HashSize),
        "searchthreads" => Ok(Command::Threads),
        "dbpath" => Ok(Command::TablePath),
        "allscores" => Ok(Command::AllScores),
        "nodes" => Ok(Command::Nodes),
        _ => Err(Refusal::Unknown),
    }
}

fn set(text: &str) -> Result<Command, Refusal> {
    let (name, value) = split(text);
    match name {
        "hashsize" => Ok(Command::SetHashSize(number(value, 1, MOST_HASH)?)),
        "searchthreads" => {
            let threads = number(value, 1, MOST_THREADS as u64)?;
            Ok(Command::SetThreads(
                usize::try_from(threads).ok().and_then(NonZero::new).unwrap_or(NonZero::<usize>::MIN),
            ))
        }
        "dbpath" => Ok(Command::SetTablePath(value.to_owned())),
        "allscores" => Ok(Command::SetAllScores(number(value, 0, 1)? == 1)),
        "nodes" => Ok(Command::SetNodes(NonZero::new(number(value, 0, u64::MAX)?))),
        "gamehist" => Ok(Command::SetGameHistory(GameHistory::read(value))),
        _ => Err(Refusal::Unknown),
    }
}

/// The first word, and the rest.
fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    text.split_once(char::is_whitespace).map_or((text, ""), |(word, rest)| (word, rest.trim_start()))
}

fn number(text: &str, least: u64, most: u64) -> Result<u64, ParseError> {
    let number = text.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| ParseError::new(text, format!("a number from {least} to {most}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kingline::game::Game;

    #[test]
    fn commands_are_read() {
        for (text, command) in [
            ("about", Command::About),
            (" name ", Command::Name),
            ("get gametype", Command::GameType),
            ("set hashsize 128", Command::SetHashSize(128)),
            ("set searchthreads  2", Command::SetThreads(NonZero::new(2).unwrap())),
            ("set dbpath C:\\my tables\\six.tables", Command::SetTablePath("C:\\my tables\\six.tables".into())),
            ("set dbpath", Command::SetTablePath(String::new())),
            ("set allscores 1", Command::SetAllScores(true)),
            ("set nodes 0", Command::SetNodes(None)),
            ("set nodes 500", Command::SetNodes(NonZero::new(500))),
            ("staticevaluation B:W21-32:B1-12.", Command::StaticEvaluation(Position::start())),
        ] {
            assert_eq!(Command::read(text), Ok(command), "{text}");
        }
        assert!(matches!(Command::read("set gamehist"), Ok(Command::SetGameHistory(_))));
    }

    #[test]
    fn commands_that_the_engine_lacks_differ_from_wrong_values() {
        for text in ["", "play", "get", "get book", "get hashsize 1", "set", "set book 3", "set gametype 21", "NAME"] {
            assert_eq!(Command::read(text), Err(Refusal::Unknown), "{text}");
        }
        for (text, expected) in [
            ("set hashsize 0", "from 1 to 65536"),
            ("set hashsize", "from 1 to 65536"),
            ("set searchthreads -1", "from 1 to 256"),
            ("set allscores 2", "from 0 to 1"),
            ("set nodes 99999999999999999999", "from 0 to"),
            ("staticevaluation", "the side to move"),
            ("dblookup B:W99:B1", "square number"),
        ] {
            let Err(Refusal::Wrong(reason)) = Command::read(text) else { panic!("{text}") };
            assert!(reason.contains(expected), "{text}: {reason}");
        }
    }
}
