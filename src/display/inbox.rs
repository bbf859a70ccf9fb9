//! What comes to the desk, and from where?

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, SyncSender};

use tokio::sync::oneshot;

use super::terminal::{Input, Line, Terminal};
use crate::loa::Position;
use crate::loa::sgf::Record;
use crate::play::{Choice, StreamError};
use crate::protocol::commands::{Command, Dialect, InputLine, Refusal};

/// What the threads send to the desk.
#[derive(Debug)]
pub(super) enum Event {
    /// From the terminal.
    Line(Line),
    /// From a page.
    Page(PageRequest),
    /// A thought is over; its choice, if there is a legal move.
    ThoughtOver(Option<Choice<Position<8>>>),
}

/// What a page sends, and where it waits to hear whether it is refused, and why.
#[derive(Debug)]
pub(super) struct PageRequest {
    pub(super) wish: PageWish,
    pub(super) answer: oneshot::Sender<Result<(), String>>,
}

/// What a page can send.
#[derive(Debug)]
pub(super) enum PageWish {
    /// A command of the dialect.
    Line(String),
    /// A game to be taken up.
    Game(Box<Record>),
}

/// What somebody wants.
#[derive(Debug)]
pub(super) struct Request {
    /// `None`: nothing, by an empty line.
    pub(super) wish: Result<Option<Wish>, Refusal>,
    /// As it was typed, or as it is shown in the terminal.
    pub(super) text: String,
    pub(super) from: Origin,
}

/// What can be wanted.
#[derive(Debug)]
pub(super) enum Wish {
    Command(Command),
    Game(Box<Record>),
}

/// Who wants it.
#[derive(Debug)]
pub(super) enum Origin {
    Terminal(Input),
    Page(oneshot::Sender<Result<(), String>>),
}

/// Something for the desk to do.
#[derive(Debug)]
pub(super) enum Arrival {
    Request(Request),
    ThoughtOver(Option<Choice<Position<8>>>),
    /// The terminal's input is at its end, or cannot be read.
    End(Result<(), StreamError>),
}

/// What has come and waits.
pub(super) struct Inbox {
    dialect: &'static Dialect,
    events: Receiver<Event>,
    sender: SyncSender<Event>,
    terminal: Terminal,
    put_off: VecDeque<Arrival>,
}

impl Inbox {
    pub(super) fn new(
        dialect: &'static Dialect,
        (sender, events): (SyncSender<Event>, Receiver<Event>),
        terminal: Terminal,
    ) -> Inbox {
        Inbox { dialect, events, sender, terminal, put_off: VecDeque::new() }
    }

    /// For a thread that has something to tell.
    pub(super) fn sender(&self) -> SyncSender<Event> {
        self.sender.clone()
    }

    /// Puts something off until the thought is over.
    pub(super) fn put_off(&mut self, arrival: Arrival) {
        self.put_off.push_back(arrival);
    }

    /// Waits for something to do; first comes what was put off.
    pub(super) fn next(&mut self) -> Arrival {
        self.put_off.pop_front().unwrap_or_else(|| self.receive())
    }

    /// Waits for something new.
    pub(super) fn receive(&mut self) -> Arrival {
        // What was put off may be a line that the next ones must not overtake.
        if self.put_off.is_empty() {
            self.terminal.ask();
        }
        match self.events.recv() {
            Ok(Event::Line(Line { read, from })) => {
                self.terminal.answered();
                match read {
                    Err(error) => Arrival::End(Err(StreamError::Input(error))),
                    Ok(InputLine::End) => Arrival::End(Ok(())),
                    Ok(InputLine::TooLong) => Arrival::Request(Request {
                        wish: Err(Refusal::LongLine),
                        text: String::new(),
                        from: Origin::Terminal(from),
                    }),
                    Ok(InputLine::Text(text)) => {
                        let wish = self.dialect.read(&text).map(|command| command.map(Wish::Command));
                        Arrival::Request(Request { wish, text, from: Origin::Terminal(from) })
                    }
                }
            }
            Ok(Event::Page(PageRequest { wish, answer })) => {
                let (wish, text) = match wish {
                    PageWish::Line(text) => (self.read_of_page(&text), text),
                    PageWish::Game(record) => {
                        let text = format!("# a game of {} moves", record.moves().len());
                        (Ok(Some(Wish::Game(record))), text)
                    }
                };
                Arrival::Request(Request { wish, text, from: Origin::Page(answer) })
            }
            Ok(Event::ThoughtOver(choice)) => Arrival::ThoughtOver(choice),
            // Not as long as this has a sender itself.
            Err(_) => Arrival::End(Ok(())),
        }
    }

    /// A page has no business with files of this machine.
    fn read_of_page(&self, text: &str) -> Result<Option<Wish>, Refusal> {
        match self.dialect.read(text)? {
            Some(Command::Save(_) | Command::Load(_)) => Err(Refusal::File(
                "a page neither reads nor writes files here: it downloads, and takes what is dropped".to_owned(),
            )),
            command => Ok(command.map(Wish::Command)),
        }
    }
}
