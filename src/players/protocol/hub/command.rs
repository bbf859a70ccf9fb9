use std::time::Duration;

use super::board::{read_move, read_position};
use super::line::Line;
use kingline::checkers::Position;
use kingline::game::{Game, History, ParseError};
use kingline::score::Depth;

/// A line to the program.
#[derive(Clone, Debug)]
pub enum Command {
    /// Asks for the name and the parameters.
    Hub,
    /// Sets a parameter; value by name.
    SetParameter(String, String),
    /// The parameters are set: prepares for play.
    Init,
    /// Asks for a sign of life.
    Ping,
    /// The next position belongs to another game.
    NewGame,
    /// The game so far.
    Position(History<Position>),
    /// The effort of the searches that follow.
    Level(Level),
    /// Starts a search.
    Go(Purpose),
    /// The opponent has made the expected move: the search goes on, on the own clock.
    PonderHit,
    /// Ends the search.
    Stop,
    /// Ends the program.
    Quit,
}

/// Purpose of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A move within the level.
    Think,
    /// The answer to the expected move, on the opponent's clock; without limits until `ponder-hit`.
    Ponder,
    /// An analysis of the position, until `stop`.
    Analyze,
}

/// Effort of a search. Without any limit it goes on until `stop`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Level {
    /// Time left on the clock.
    pub time: Option<Duration>,
    /// Time added for each move, before it is thought about.
    pub increment: Duration,
    /// Moves until more time is added to the clock; none for the whole game.
    pub moves: Option<u32>,
    /// Time for the move.
    pub move_time: Option<Duration>,
    /// Depth in plies.
    pub depth: Option<Depth>,
    /// Number of nodes.
    pub nodes: Option<u64>,
}

impl Level {
    /// Returns true if only `stop` ends a search: an increment or a number of moves alone limits nothing.
    pub(crate) fn is_unlimited(self) -> bool {
        let Level { time, increment: _, moves: _, move_time, depth, nodes } = self;
        time.or(move_time).is_none() && depth.is_none() && nodes.is_none()
    }
}

/// Longest time of a level, in seconds.
const LONGEST: f64 = 1e6;

impl Command {
    /// Reads a line.
    ///
    /// # Errors
    /// The line is not a command, or an argument is missing or wrong.
    pub fn read(text: &str) -> Result<Command, ParseError> {
        let line = Line::split(text)?;
        let required = |name: &str| line.value(name).ok_or_else(|| ParseError::new(text, format!("{name}=...")));
        Ok(match line.word.as_str() {
            "hub" => Command::Hub,
            "set-param" => Command::SetParameter(required("name")?.to_owned(), required("value")?.to_owned()),
            "init" => Command::Init,
            "ping" => Command::Ping,
            "new-game" => Command::NewGame,
            "pos" => Command::Position(game(&line)?),
            "level" => Command::Level(level(&line)?),
            "go" => Command::Go(purpose(&line)?),
            "ponder-hit" => Command::PonderHit,
            "stop" => Command::Stop,
            "quit" => Command::Quit,
            word => {
                return Err(ParseError::new(
                    word,
                    "a command: hub, set-param, init, ping, new-game, pos, level, go, ponder-hit, stop or quit",
                ));
            }
        })
    }
}

/// The game up to the position to search; without `pos`, from the start.
fn game(line: &Line) -> Result<History<Position>, ParseError> {
    let start = line.value("pos").map_or(Ok(Position::start()), read_position)?;
    let mut history = History::from(start);
    for text in line.value("moves").unwrap_or_default().split_whitespace() {
        let mv = read_move(&history.position(), text)?;
        history.play(mv);
    }
    Ok(history)
}

fn purpose(line: &Line) -> Result<Purpose, ParseError> {
    let purpose = line.names().next().unwrap_or_default();
    match purpose {
        "think" => Ok(Purpose::Think),
        "ponder" => Ok(Purpose::Ponder),
        "analyze" => Ok(Purpose::Analyze),
        other => Err(ParseError::new(other, "think, ponder or analyze")),
    }
}

fn level(line: &Line) -> Result<Level, ParseError> {
    let mut level = Level::default();
    for name in line.names() {
        let value = line.value(name).unwrap_or_default();
        match name {
            "infinite" => level = Level::default(),
            "time" => level.time = Some(seconds(value)?),
            "inc" => level.increment = seconds(value)?,
            "moves" => level.moves = Some(number(value, u32::MAX.into())? as u32).filter(|&moves| moves > 0),
            "move-time" => level.move_time = Some(seconds(value)?),
            "depth" => level.depth = Some(Depth(number(value, i16::MAX as u64)? as i16)),
            "nodes" => level.nodes = Some(number(value, u64::MAX)?),
            other => {
                let expected = "time, inc, moves, move-time, depth, nodes or infinite";
                return Err(ParseError::new(other, expected));
            }
        }
    }
    Ok(level)
}

/// A time in seconds. Clients write one below zero when an increment is larger than the clock.
fn seconds(text: &str) -> Result<Duration, ParseError> {
    let seconds: Option<f64> = text.parse().ok().filter(|seconds: &f64| seconds.abs() <= LONGEST);
    let seconds = seconds.ok_or_else(|| ParseError::new(text, "seconds, at most 1000000"))?;
    Ok(Duration::from_secs_f64(seconds.max(0.0)))
}

fn number(text: &str, most: u64) -> Result<u64, ParseError> {
    text.parse()
        .ok()
        .filter(|&number| number <= most)
        .ok_or_else(|| ParseError::new(text, format!("a number, at most {most}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(text: &str) -> Level {
        match Command::read(text) {
            Ok(Command::Level(level)) => level,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_game_is_read_with_its_moves() {
        let text = "pos pos=Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww moves=\"11-15 23-19 8-11\"";
        let Ok(Command::Position(history)) = Command::read(text) else { panic!("{text}") };
        let expected: Position = "W:W19,21,22,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,9,10,11,12,15".parse().unwrap();
        assert_eq!(history.position(), expected);
        assert_eq!(history.positions().len(), 4, "repetitions are seen");
        let error = Command::read("pos moves=\"11-15 11-15\"").unwrap_err().to_string();
        assert!(error.contains("11-15") && error.contains("23-19"), "{error}");
    }

    #[test]
    fn levels_are_read() {
        let second = Duration::from_secs(1);
        assert_eq!(level("level infinite"), Level::default());
        assert_eq!(level("level"), Level::default());
        let clock = Level { moves: Some(3), time: Some(8 * second), increment: 2 * second, ..Level::default() };
        assert_eq!(level("level moves=3 time=8 inc=2"), clock);
        assert_eq!(level("level move-time=0.5").move_time, Some(second / 2));
        assert_eq!(
            level("level depth=9 nodes=100"),
            Level { depth: Some(Depth(9)), nodes: Some(100), ..Level::default() }
        );
        for (line, is_unlimited) in
            [("level inc=1 moves=9", true), ("level time=9 infinite", true), ("level nodes=0", false)]
        {
            assert_eq!(level(line).is_unlimited(), is_unlimited, "{line}");
        }
        assert_eq!(level("level time=-1.5 inc=2").time, Some(Duration::ZERO), "pydraughts subtracts the increment");
    }

    #[test]
    fn wrong_lines_are_refused_with_the_expected_ones() {
        for (line, expected) in [
            ("play", "a command: hub, "),
            ("set-param name=hash", "value=..."),
            ("go", "think, ponder or analyze"),
            ("go away", "think, ponder or analyze"),
            ("level time=nan", "seconds"),
            ("level time=1e99", "seconds"),
            ("level depth=-1", "a number"),
            ("level depth=99999", "at most 32767"),
            ("level speed=1", "time, inc, moves"),
            ("pos pos=W", "32 letters"),
        ] {
            let error = Command::read(line).unwrap_err().to_string();
            assert!(error.contains(expected), "{line}: {error}");
        }
    }
}
