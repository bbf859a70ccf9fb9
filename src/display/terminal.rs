//! Where do the terminal's lines come from?

use std::io;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel};
use std::thread;

use super::inbox::Event;
use crate::play::{CommandSource, open_terminal};
use crate::protocol::commands::{InputLine, read_line};

/// What a console's input is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// A file, which is replayed: a line is read when all before it is done, thoughts included.
    File,
    /// Somebody who gives commands at any time.
    Terminal,
}

/// A line of the terminal's, or of the file that is replayed before.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) read: io::Result<InputLine>,
    pub(super) from: Input,
}

/// Reads lines in a thread of its own, each when it is asked for.
pub(super) struct Terminal {
    ask: Sender<()>,
    /// Whether a line has been asked for and has not come.
    is_asked: bool,
}

impl Terminal {
    /// Reads `input`, and after a file standard input.
    pub(super) fn start(input: Box<dyn CommandSource + Send>, from: Input, lines: SyncSender<Event>) -> Terminal {
        let (ask, asked) = channel();
        // It may wait for a person forever: the process ends without it.
        thread::spawn(move || read(input, from, &asked, &lines));
        Terminal { ask, is_asked: false }
    }

    /// Asks for a line, unless one has been asked for; it comes as an event.
    pub(super) fn ask(&mut self) {
        // The thread is gone after the end of its input, which ends all.
        self.is_asked = self.is_asked || self.ask.send(()).is_ok();
    }

    /// Takes note that the line has come.
    pub(super) fn answered(&mut self) {
        self.is_asked = false;
    }
}

fn read(mut input: Box<dyn CommandSource + Send>, mut from: Input, asked: &Receiver<()>, lines: &SyncSender<Event>) {
    while asked.recv().is_ok() {
        let mut read = read_line(&mut *input);
        if from == Input::File && matches!(read, Ok(InputLine::End)) {
            from = Input::Terminal;
            read = open_terminal().and_then(|terminal| {
                input = terminal;
                read_line(&mut *input)
            });
        }
        if lines.send(Event::Line(Line { read, from })).is_err() {
            break;
        }
    }
}
