//! Runs a real program at a pseudo-terminal, with a person's keys.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use nix::pty::{Winsize, openpty};

use super::skipped::skipped;

/// Time limit for each wait, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

const SIZE: Winsize = Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };

/// A program at a terminal of 80 columns.
pub(crate) struct Terminal {
    child: Child,
    keyboard: File,
    screen: Receiver<Vec<u8>>,
    /// Output that no wait has taken yet, without carriage returns.
    unread: Vec<u8>,
}

impl Terminal {
    /// Starts a program; its streams are the terminal, except for an input given here. Returns `None`, and reports the
    /// test as skipped, if this machine has no pseudo-terminals.
    pub(crate) fn start(command: &mut Command, input: Option<File>) -> Option<Terminal> {
        let pair = match openpty(&SIZE, None) {
            Ok(pair) => pair,
            Err(why) => {
                skipped("a program at a terminal", &format!("openpty: {why}"));
                return None;
            }
        };
        let stream = || Stdio::from(pair.slave.try_clone().expect("a stream"));
        command.stdin(input.map_or_else(stream, Stdio::from)).stdout(stream()).stderr(stream());
        let child = command.spawn().expect("a program that starts");
        // The terminal ends when no process has it open.
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let keyboard = File::from(pair.master);
        let mut output = keyboard.try_clone().expect("a terminal");
        let (sender, screen) = channel();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            // At the end of the terminal, Linux reports an error and macOS the end of the file.
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Some(Terminal { child, keyboard, screen, unread: Vec::new() })
    }

    /// Waits until the program has printed a text. Returns what it has printed since the last wait, up to that text,
    /// without carriage returns.
    #[track_caller]
    pub(crate) fn wait_for(&mut self, text: &str) -> String {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(place) = self.unread.windows(text.len()).position(|seen| seen == text.as_bytes()) {
                let rest = self.unread.split_off(place + text.len());
                return text_of(&std::mem::replace(&mut self.unread, rest));
            }
            if let Err(why) = self.read_until(end) {
                panic!("no {text:?} ({why}): {:?}", text_of(&self.unread));
            }
        }
    }

    pub(crate) fn press(&mut self, keys: impl AsRef<[u8]>) {
        self.keyboard.write_all(keys.as_ref()).expect("a terminal");
    }

    /// Presses keys, and waits for a text as [`wait_for`](Self::wait_for).
    #[track_caller]
    pub(crate) fn enter(&mut self, keys: &str, text: &str) -> String {
        self.press(keys);
        self.wait_for(text)
    }

    /// Presses keys that end the program, as [`wait_for_end`](Self::wait_for_end).
    #[track_caller]
    pub(crate) fn end_by(mut self, keys: &str) -> String {
        self.press(keys);
        self.wait_for_end()
    }

    /// Waits for the program's end, which must be a success. Returns what it has printed since the last wait.
    #[track_caller]
    pub(crate) fn wait_for_end(mut self) -> String {
        let end = Instant::now() + PATIENCE;
        let why = loop {
            if let Err(why) = self.read_until(end) {
                break why;
            }
        };
        assert_eq!(why, RecvTimeoutError::Disconnected, "still running: {:?}", text_of(&self.unread));
        assert!(self.child.wait().expect("a child").success());
        text_of(&self.unread)
    }

    fn read_until(&mut self, end: Instant) -> Result<(), RecvTimeoutError> {
        let bytes = self.screen.recv_timeout(end.saturating_duration_since(Instant::now()))?;
        self.unread.extend(bytes.into_iter().filter(|&byte| byte != b'\r'));
        Ok(())
    }
}

fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // After a failed test the program would wait for keys forever. It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
