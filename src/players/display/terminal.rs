//! Reader of the terminal's lines.

use std::io::{self, IsTerminal};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel};
use std::thread;

use super::event::{Event, Input, Line};
use crate::play::{CommandSource, open_terminal};
use crate::protocol::commands::{InputLine, read_line};

/// Reads lines in its own thread, each on request.
pub(super) struct Terminal {
    ask: Sender<()>,
    /// True while a requested line has not arrived.
    is_asked: bool,
}

impl Terminal {
    /// Starts to read `input`. If it is a file, standard input follows.
    pub(super) fn start(input: Box<dyn CommandSource + Send>, from: Input, lines: SyncSender<Event>) -> Terminal {
        let (ask, asked) = channel();
        // The thread may wait for a person forever. The process ends without joining it.
        thread::spawn(move || read(input, from, &asked, &lines));
        Terminal { ask, is_asked: false }
    }

    /// Requests a line, unless a request is pending. The line arrives as an event.
    pub(super) fn ask(&mut self) {
        // The thread ends when its input does, which also ends the session, unless there never was any input.
        self.is_asked = self.is_asked || self.ask.send(()).is_ok();
    }

    /// Records that the line has arrived.
    pub(super) fn answered(&mut self) {
        self.is_asked = false;
    }
}

fn read(mut input: Box<dyn CommandSource + Send>, mut from: Input, asked: &Receiver<()>, lines: &SyncSender<Event>) {
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
        if lines.send(Event::Line(Line { read, from })).is_err() {
            break;
        }
    }
}
