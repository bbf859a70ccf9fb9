//! Console: reads command lines, executes and answers them (§2 to §4). `attention` reads them during a search.

mod attention;

use std::io::{self, Write};

use thiserror::Error;

use self::attention::Origin;
use super::command_source::CommandSource;
use super::reply::{Reply, Shown, Viewer};
use super::session::{AutomaticTurn, Session};
use crate::exit::ExitStatus;
use crate::protocol::commands::{InputLine, Refusal, read_line};

/// Streams of a command session.
pub struct Console<'a> {
    /// Commands, one per line.
    pub input: Box<dyn CommandSource + Send + 'a>,
    /// Prompts, automatic moves, dumps, endings.
    pub output: Box<dyn Write + 'a>,
    /// Errors and help. Failures to write to this stream are ignored.
    pub errors: Box<dyn Write + 'a>,
    /// Log of all nonblank input lines and automatic moves.
    pub log: Option<Box<dyn Write + 'a>>,
    /// Reader of `output` and `errors`.
    pub viewer: Viewer,
}

/// Effect of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strictness {
    /// The error is printed, and the next line is read.
    GoOn,
    /// The error is printed, and the program ends.
    EndAtError,
}

/// Reason why a console session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConsoleEnd {
    /// `quit`, or end of the input.
    Done,
    /// Error under [`Strictness::EndAtError`].
    AtError,
}

impl ConsoleEnd {
    /// Exit status of the program.
    pub fn exit_status(self) -> ExitStatus {
        match self {
            ConsoleEnd::Done => ExitStatus::Done,
            ConsoleEnd::AtError => ExitStatus::BadInput,
        }
    }
}

/// Stream error.
#[derive(Debug, Error)]
pub enum StreamError {
    /// Commands cannot be read.
    #[error("cannot read commands: {0}")]
    Input(io::Error),
    /// Output cannot be written.
    #[error("cannot write output: {0}")]
    Output(io::Error),
    /// The log cannot be written.
    #[error("cannot write the log: {0}")]
    Log(io::Error),
}

impl StreamError {
    /// Returns true if the reader of the output has closed it.
    pub fn is_unread(&self) -> bool {
        matches!(self, StreamError::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl Console<'_> {
    /// Reads and executes commands until the session ends.
    ///
    /// # Errors
    /// A stream fails. All earlier commands have been executed.
    pub fn run(&mut self, session: &mut Session, strictness: Strictness) -> Result<ConsoleEnd, StreamError> {
        let ended = self.converse(session, strictness)?;
        self.flush()?;
        Ok(ended)
    }

    fn converse(&mut self, session: &mut Session, strictness: Strictness) -> Result<ConsoleEnd, StreamError> {
        self.print(session.state.dialect().banner)?;
        let mut drawn = None;
        // Line that has arrived during a search.
        let mut waiting = None;
        let mut origin = Origin::Prompted;
        loop {
            self.draw(session.state.shown(), &mut drawn)?;
            if waiting.is_none() {
                waiting = self.take_turns(session, strictness, origin, &mut drawn)?;
                origin = Origin::DuringTurn;
            }
            let line = match waiting.take() {
                Some(line) => line,
                None => {
                    origin = Origin::Prompted;
                    self.prompt(session.state.prompt())?;
                    read_line(&mut *self.input).map_err(StreamError::Input)?
                }
            };
            let reply = match line {
                InputLine::End => {
                    self.leave_prompt()?;
                    return Ok(ConsoleEnd::Done);
                }
                InputLine::TooLong => Err(Refusal::LongLine),
                InputLine::Text(text) => {
                    self.log(&text)?;
                    session.state.read(&text).and_then(|command| match command {
                        Some(command) => session.execute(&command),
                        None => Ok(Reply::Output(String::new())),
                    })
                }
            };
            match &reply {
                Ok(Reply::Hint(thought)) => waiting = self.hint(session, thought, strictness)?,
                Ok(Reply::Analysis(thought)) => waiting = Some(self.analyze(session, thought, strictness)?),
                _ => {}
            }
            if let Some(end) = self.print_reply(&reply, strictness)? {
                return Ok(end);
            }
        }
    }

    /// Prints the reply to a command, except for a hint and an analysis. Returns `Some` if this reply ends the session.
    pub(crate) fn print_reply(
        &mut self,
        reply: &Result<Reply, Refusal>,
        strictness: Strictness,
    ) -> Result<Option<ConsoleEnd>, StreamError> {
        match reply {
            Ok(Reply::Output(text)) => self.print(text)?,
            Ok(Reply::Aside(text)) => self.print_error(text),
            Ok(Reply::Board(shown)) => self.print(&self.viewer.draw_on_output(shown))?,
            Ok(Reply::Print(shown)) => self.print_error(&self.viewer.draw_on_errors(shown)),
            Ok(Reply::Help(help)) => self.print_error(&self.viewer.help(help)),
            Ok(Reply::Hint(_) | Reply::Analysis(_)) => {}
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

    pub(crate) fn print_turn(&mut self, turn: &AutomaticTurn) -> Result<(), StreamError> {
        self.print(&turn.text)?;
        self.flush()?;
        turn.mv.map_or(Ok(()), |mv| self.log(&mv.to_string()))
    }

    /// Draws the board for a person, if it has changed since it was last drawn.
    pub(crate) fn draw(&mut self, shown: Shown, drawn: &mut Option<Shown>) -> Result<(), StreamError> {
        if self.viewer.is_person() && drawn.replace(shown) != Some(shown) {
            // Output and errors may go to the same terminal.
            self.flush()?;
            self.print_error(&self.viewer.draw_on_errors(&shown));
        }
        Ok(())
    }

    pub(crate) fn prompt(&mut self, prompt: &str) -> Result<(), StreamError> {
        self.input.prompt(prompt, &mut *self.output).map_err(StreamError::Output)
    }

    /// Begins a new line at the end of a person's input (Ctrl-D), since the cursor is after a prompt.
    pub(crate) fn leave_prompt(&mut self) -> Result<(), StreamError> {
        if self.viewer.is_person() && !self.input.ends_line() {
            self.flush()?;
            self.print_error("\n");
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

    /// Prints to the error stream, which may be closed.
    pub(crate) fn print_error(&mut self, text: &str) {
        let _ = self.errors.write_all(text.as_bytes()).and_then(|()| self.errors.flush());
    }
}
