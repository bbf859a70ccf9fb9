//! The inbox of a session: requests from the terminal and from pages, in order of arrival.

use std::io::{self, IsTerminal};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel};
use std::thread;

use tokio::sync::oneshot;

use super::server::{Content, PageRequest};
use crate::play::{CommandSource, StreamError, open_terminal};
use crate::protocol::commands::{Command, Dialect, InputLine, Refusal, read_line};
use kingline::loa::sgf::Record;

#[derive(Debug)]
pub(super) enum Event {
    /// A line from the terminal, or from the file replayed first.
    Line(io::Result<InputLine>, Input),
    Page(PageRequest),
    #[cfg_attr(not(unix), expect(dead_code, reason = "other systems end the program themselves"))]
    Signal,
}

/// The kind of console input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// A file to replay. A line is read only after all earlier lines and the machine's moves have been executed.
    File,
    /// A person, who may give commands at any time.
    Terminal,
}

/// The next thing for the session to do.
#[derive(Debug)]
pub(super) enum Arrival {
    Request(Request),
    /// The terminal's input has ended or cannot be read, or a signal ends the session.
    End(Result<(), StreamError>),
}

/// A request from the terminal or a page.
#[derive(Debug)]
pub(super) struct Request {
    /// The requested action; `None` for an empty line.
    pub(super) action: Result<Option<Action>, Refusal>,
    /// Text of the request, as typed or as the terminal shows it.
    pub(super) text: String,
    pub(super) from: Origin,
}

#[derive(Debug)]
pub(super) enum Action {
    Command(Command),
    Game(Box<Record>),
}

#[derive(Debug)]
pub(super) enum Origin {
    Terminal(Input),
    /// Channel for the answer.
    Page(oneshot::Sender<Result<(), String>>),
}

pub(super) struct Inbox {
    dialect: &'static Dialect,
    events: Receiver<Event>,
    /// Requests a line from the terminal's thread.
    ask: Sender<()>,
    /// True while a requested line has not arrived.
    is_asked: bool,
    /// A line of a replayed file, which waits for the end of a search.
    held: Option<Arrival>,
}

impl Inbox {
    /// Starts to read `input`. If it is a file, standard input follows.
    pub(super) fn new(
        dialect: &'static Dialect,
        (sender, events): (SyncSender<Event>, Receiver<Event>),
        input: Box<dyn CommandSource + Send>,
        from: Input,
    ) -> Inbox {
        let (ask, asked) = channel();
        // The thread may wait for a person forever. The process ends without joining it.
        thread::spawn(move || read_lines(input, from, &asked, &sender));
        Inbox { dialect, events, ask, is_asked: false, held: None }
    }

    pub(super) fn next(&mut self) -> Arrival {
        if let Some(held) = self.held.take() {
            return held;
        }
        self.ask();
        // An error is impossible: the server holds a sender.
        self.events.recv().map_or(Arrival::End(Ok(())), |event| self.read(event))
    }

    /// Returns an arrival for a session that searches, if there is one. Lines of a replayed file wait for [`next`](Self::next).
    pub(super) fn next_during_search(&mut self) -> Option<Arrival> {
        if self.held.is_none() {
            self.ask();
        }
        let event = self.events.try_recv().ok()?;
        match self.read(event) {
            line @ Arrival::Request(Request { from: Origin::Terminal(Input::File), .. }) => {
                self.held = Some(line);
                None
            }
            arrival => Some(arrival),
        }
    }

    /// Requests a line, unless a request is pending. The line arrives as an event.
    fn ask(&mut self) {
        // The thread ends when its input does, which also ends the session, unless there never was any input.
        self.is_asked = self.is_asked || self.ask.send(()).is_ok();
    }

    fn read(&mut self, event: Event) -> Arrival {
        let (action, text, from) = match event {
            Event::Signal => return Arrival::End(Ok(())),
            Event::Line(line, from) => {
                self.is_asked = false;
                match line {
                    Err(error) => return Arrival::End(Err(StreamError::Input(error))),
                    Ok(InputLine::End) => return Arrival::End(Ok(())),
                    Ok(InputLine::TooLong) => (Err(Refusal::LongLine), String::new(), Origin::Terminal(from)),
                    Ok(InputLine::Text(text)) => {
                        let command = self.dialect.read(&text);
                        (command.map(|command| command.map(Action::Command)), text, Origin::Terminal(from))
                    }
                }
            }
            Event::Page(PageRequest { content: Content::Line(text), answer }) => {
                (self.read_of_page(&text), text, Origin::Page(answer))
            }
            Event::Page(PageRequest { content: Content::Game(text), answer }) => {
                let (action, text) = match text.parse::<Record>() {
                    Ok(record) => {
                        let text = format!("# a game of {} moves", record.moves().len());
                        (Ok(Some(Action::Game(Box::new(record)))), text)
                    }
                    Err(error) => (Err(Refusal::File(error.to_string())), "# not a game".to_owned()),
                };
                (action, text, Origin::Page(answer))
            }
        };
        Arrival::Request(Request { action, text, from })
    }

    /// Reads a command from a page. Pages must not read or write files on this machine.
    fn read_of_page(&self, text: &str) -> Result<Option<Action>, Refusal> {
        match self.dialect.read(text)? {
            Some(Command::Save(_) | Command::Load(_)) => Err(Refusal::File(
                "a page cannot read or write files here; help: use its download and load buttons".to_owned(),
            )),
            command => Ok(command.map(Action::Command)),
        }
    }
}

/// Reads lines in a thread of their own, each on request.
fn read_lines(
    mut input: Box<dyn CommandSource + Send>,
    mut from: Input,
    asked: &Receiver<()>,
    lines: &SyncSender<Event>,
) {
    // An input other than a person's may be closed or empty from the start, as /dev/null is.
    let mut is_used = io::stdin().is_terminal();
    while asked.recv().is_ok() {
        let mut read = read_line(&mut *input);
        if from == Input::File && matches!(read, Ok(InputLine::End)) {
            from = Input::Terminal;
            read = open_terminal().and_then(|terminal| {
                input = terminal;
                read_line(&mut *input)
            });
        }
        if from == Input::Terminal {
            is_used |= matches!(read, Ok(InputLine::Text(_) | InputLine::TooLong));
            if !is_used {
                break;
            }
        }
        if lines.send(Event::Line(read, from)).is_err() {
            break;
        }
    }
}
