//! How are lines of commands read, executed and answered (§2 to §4)?

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

use super::command_source::CommandSource;
use super::session::{AutomaticTurn, Reply, Session};
use super::thinker::Audience;
use crate::draw;
use crate::loa::Position;
use crate::protocol::commands::{InputLine, Refusal, read_line};

/// Where commands come from, and where everything goes.
pub struct Console<'a> {
    /// Commands, a line each.
    pub input: Box<dyn CommandSource + Send + 'a>,
    /// Prompts, automatic moves, dumps, endings.
    pub output: Box<dyn Write + 'a>,
    /// Errors and help; ignored where it cannot be written.
    pub errors: Box<dyn Write + 'a>,
    /// Every line read that is not blank, and every automatic move.
    pub log: Option<Box<dyn Write + 'a>>,
    /// Whether a person sits there: the board is drawn where errors go, at the start and after each change.
    pub draws_board: bool,
}

/// What an error does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strictness {
    /// It is printed, and the next line is read.
    GoOn,
    /// It is printed, and the program ends.
    EndAtError,
}

/// Why a console has read its last command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConsoleEnd {
    /// `quit`, or the end of the input.
    Done,
    /// An error, where that is the end.
    AtError,
}

impl ConsoleEnd {
    /// The documented exit code: 0 done, 2 an error where that is the end.
    pub fn exit_code(self) -> ExitCode {
        match self {
            ConsoleEnd::Done => ExitCode::SUCCESS,
            ConsoleEnd::AtError => ExitCode::from(2),
        }
    }
}

/// A stream that cannot be read or written.
#[derive(Debug)]
pub enum StreamError {
    /// Commands cannot be read.
    Input(io::Error),
    /// Output cannot be written.
    Output(io::Error),
    /// The log cannot be written.
    Log(io::Error),
}

impl StreamError {
    /// Whether this only says that the reader of the output has closed it.
    pub fn is_unread(&self) -> bool {
        matches!(self, StreamError::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl Console<'_> {
    /// Reads and executes commands to their end.
    ///
    /// # Errors
    /// A stream fails; all commands before that have been executed.
    pub fn run(&mut self, session: &mut Session, strictness: Strictness) -> Result<ConsoleEnd, StreamError> {
        let ended = self.converse(session, strictness)?;
        self.flush()?;
        Ok(ended)
    }

    fn converse(&mut self, session: &mut Session, strictness: Strictness) -> Result<ConsoleEnd, StreamError> {
        self.print(session.dialect().banner)?;
        let mut drawn = None;
        loop {
            self.draw(session.position(), &mut drawn)?;
            while let Some(turn) = session.automatic_turn(self.audience()) {
                self.print_turn(&turn)?;
                self.draw(session.position(), &mut drawn)?;
            }
            self.print(session.prompt())?;
            self.flush()?;
            let reply = match read_line(&mut *self.input).map_err(StreamError::Input)? {
                InputLine::End => return Ok(ConsoleEnd::Done),
                InputLine::TooLong => Err(Refusal::LongLine),
                InputLine::Text(text) => {
                    self.log(&text)?;
                    session.dialect().read(&text).and_then(|command| match command {
                        Some(command) => session.execute(&command),
                        None => Ok(Reply::Output(String::new())),
                    })
                }
            };
            if let Ok(Reply::Hint(thought)) = &reply {
                let hint = session.hint(thought);
                self.print_error(&hint);
            }
            if let Some(end) = self.print_reply(&reply, strictness)? {
                return Ok(end);
            }
        }
    }

    /// Prints what a command leads to, but for a hint; the end, if it is that.
    pub(crate) fn print_reply(
        &mut self,
        reply: &Result<Reply, Refusal>,
        strictness: Strictness,
    ) -> Result<Option<ConsoleEnd>, StreamError> {
        match reply {
            Ok(Reply::Output(text)) => self.print(text)?,
            Ok(Reply::Aside(text)) => self.print_error(text),
            Ok(Reply::Hint(_)) => {}
            Ok(Reply::Quit) => return Ok(Some(ConsoleEnd::Done)),
            Err(refusal) => {
                self.print_error(&format!("Error: {refusal}\n"));
                if strictness == Strictness::EndAtError {
                    return Ok(Some(ConsoleEnd::AtError));
                }
            }
        }
        Ok(None)
    }

    /// Prints and logs an automatic turn.
    pub(crate) fn print_turn(&mut self, turn: &AutomaticTurn) -> Result<(), StreamError> {
        self.print(&turn.text)?;
        self.flush()?;
        turn.mv.map_or(Ok(()), |mv| self.log(&mv.to_string()))
    }

    fn audience(&self) -> Audience {
        if self.input.is_waiting() { Audience::Absent } else { Audience::Present }
    }

    /// Draws the board for a person, unless it is the one that was drawn last.
    pub(crate) fn draw(&mut self, position: Position<8>, drawn: &mut Option<Position<8>>) -> Result<(), StreamError> {
        if self.draws_board && drawn.replace(position) != Some(position) {
            // Both may go to one terminal.
            self.flush()?;
            self.print_error(&draw::framed(&position, &draw::LOA));
        }
        Ok(())
    }

    pub(crate) fn print(&mut self, text: &str) -> Result<(), StreamError> {
        self.output.write_all(text.as_bytes()).map_err(StreamError::Output)
    }

    pub(crate) fn flush(&mut self) -> Result<(), StreamError> {
        self.output.flush().map_err(StreamError::Output)
    }

    /// Logs a line, trimmed, unless it is blank (§2).
    pub(crate) fn log(&mut self, line: &str) -> Result<(), StreamError> {
        match &mut self.log {
            Some(log) if !line.trim().is_empty() => {
                writeln!(log, "{}", line.trim()).and_then(|()| log.flush()).map_err(StreamError::Log)
            }
            _ => Ok(()),
        }
    }

    /// Errors may be closed; ignore.
    pub(crate) fn print_error(&mut self, text: &str) {
        let _ = self.errors.write_all(text.as_bytes()).and_then(|()| self.errors.flush());
    }
}

impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StreamError::Input(error) => write!(f, "cannot read commands: {error}"),
            StreamError::Output(error) => write!(f, "cannot write output: {error}"),
            StreamError::Log(error) => write!(f, "cannot write the log: {error}"),
        }
    }
}

impl std::error::Error for StreamError {}
