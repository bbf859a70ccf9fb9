//! Sources of command lines: they print the prompt, and can tell whether the next line has already arrived.

#[cfg(unix)]
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, IsTerminal, Read, Write};
#[cfg(unix)]
use std::os::fd::AsFd;

#[cfg(unix)]
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
#[cfg(unix)]
use nix::sys::signal::{SigSet, Signal};
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

use crate::protocol::commands::Dialect;
use crate::terminal::Screen;

/// Source of command lines.
pub trait CommandSource: BufRead {
    /// Returns true if more input, or its end, can be read without waiting.
    fn is_waiting(&self) -> bool;

    /// Asks for the next line: prints `prompt` and flushes `output`.
    ///
    /// # Errors
    /// The output cannot be written.
    fn prompt(&mut self, prompt: &str, output: &mut dyn Write) -> io::Result<()> {
        output.write_all(prompt.as_bytes())?;
        output.flush()
    }

    /// Returns true if the source itself moves the cursor of the terminal to a new line when the input ends.
    fn ends_line(&self) -> bool {
        false
    }
}

impl CommandSource for &[u8] {
    fn is_waiting(&self) -> bool {
        true
    }
}

#[cfg(unix)]
impl CommandSource for BufReader<File> {
    fn is_waiting(&self) -> bool {
        !self.buffer().is_empty() || is_ready(self.get_ref())
    }
}

/// Returns true if the file, or its end, can be read without waiting.
#[cfg(unix)]
pub(super) fn is_ready(file: &File) -> bool {
    poll(&mut [PollFd::new(file.as_fd(), PollFlags::POLLIN)], PollTimeout::ZERO).is_ok_and(|ready| ready > 0)
}

/// Sees only what has already been read into the buffer.
#[cfg(not(unix))]
impl<R: io::Read> CommandSource for BufReader<R> {
    fn is_waiting(&self) -> bool {
        !self.buffer().is_empty()
    }
}

/// Opens standard input without the standard library's buffer, which would hide a waiting line.
#[cfg(unix)]
pub(super) fn open_stdin() -> io::Result<File> {
    Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?))
}

#[cfg(not(unix))]
pub(super) fn open_stdin() -> io::Result<io::Stdin> {
    Ok(io::stdin())
}

/// Source of the lines that a person edits. It prints the prompt itself, again and again while the line changes.
pub(super) struct LineEditor {
    editor: Editor<Completion, MemHistory>,
    /// The terminal, which edits lines itself while the machine thinks.
    #[cfg(unix)]
    terminal: File,
    prompt: String,
    /// Accepted lines that have not been read: more than one if they were pasted.
    lines: Cursor<Vec<u8>>,
}

impl LineEditor {
    /// Editor on standard input and output, which completes the commands of a dialect; `None` if they are not a terminal
    /// whose cursor can be moved.
    pub(super) fn open(dialect: &'static Dialect) -> Option<LineEditor> {
        if !(io::stdin().is_terminal() && Screen::of_stdout().is_live) {
            return None;
        }
        let config = Config::builder().completion_type(CompletionType::List).build();
        let mut editor = Editor::with_history(config, MemHistory::new()).ok()?;
        editor.set_helper(Some(Completion(dialect)));
        // Some terminals of Windows are pipes to the editor.
        editor.dimensions()?;
        // While the machine thinks, Ctrl-C drops the line as well, which the terminal does before it sends the signal.
        #[cfg(unix)]
        SigSet::from(Signal::SIGINT).thread_block().ok()?;
        Some(LineEditor {
            editor,
            #[cfg(unix)]
            terminal: open_stdin().ok()?,
            prompt: String::new(),
            lines: Cursor::default(),
        })
    }

    /// Takes the lines that were typed while the machine thought; an empty one is the end of the input.
    #[cfg(unix)]
    fn typed(&mut self) -> io::Result<Option<String>> {
        // The terminal gives one line at a time, of at most this size.
        let mut bytes = [0; 4096];
        let is_typed = is_ready(&self.terminal);
        let count = if is_typed { self.terminal.read(&mut bytes)? } else { 0 };
        Ok(is_typed.then(|| String::from_utf8_lossy(&bytes[..count]).into_owned()))
    }

    #[cfg(not(unix))]
    fn typed(&mut self) -> io::Result<Option<String>> {
        Ok(None)
    }

    /// Waits for a line. An interrupt (Ctrl-C) drops the line and begins another. Bytes that are not UTF-8 end the line,
    /// of which the editor keeps nothing.
    fn edit(&mut self) -> Result<String, ReadlineError> {
        loop {
            match self.editor.readline(&self.prompt) {
                Err(ReadlineError::Interrupted) => {}
                Err(ReadlineError::Eof) => return Ok(String::new()),
                Err(error) if is_encoding_error(&error) => return Ok("\u{fffd}\n".to_owned()),
                read => return Ok(read? + "\n"),
            }
        }
    }

    fn next_lines(&mut self) -> Result<(), ReadlineError> {
        let text = match self.typed()? {
            Some(typed) => typed,
            None => self.edit()?,
        };
        for line in text.lines() {
            self.editor.add_history_entry(line)?;
        }
        self.lines = Cursor::new(text.into_bytes());
        Ok(())
    }

    fn has_lines(&self) -> bool {
        self.lines.position() < self.lines.get_ref().len() as u64
    }
}

fn is_encoding_error(error: &ReadlineError) -> bool {
    match error {
        ReadlineError::Io(error) => error.kind() == io::ErrorKind::InvalidData,
        #[cfg(windows)]
        ReadlineError::Decode(_) => true,
        _ => false,
    }
}

impl Read for LineEditor {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.fill_buf()?;
        self.lines.read(bytes)
    }
}

impl BufRead for LineEditor {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if !self.has_lines() {
            self.next_lines().map_err(|error| match error {
                ReadlineError::Io(error) => error,
                error => io::Error::other(error),
            })?;
        }
        self.lines.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.lines.consume(count);
    }
}

impl CommandSource for LineEditor {
    #[cfg(unix)]
    fn is_waiting(&self) -> bool {
        self.has_lines() || is_ready(&self.terminal)
    }

    #[cfg(not(unix))]
    fn is_waiting(&self) -> bool {
        self.has_lines()
    }

    fn prompt(&mut self, prompt: &str, output: &mut dyn Write) -> io::Result<()> {
        prompt.clone_into(&mut self.prompt);
        output.flush()
    }

    fn ends_line(&self) -> bool {
        true
    }
}

/// Completes the first word of a line to a command of the dialect.
struct Completion(&'static Dialect);

impl Completer for Completion {
    type Candidate = String;

    fn complete(&self, line: &str, cursor: usize, _: &Context) -> rustyline::Result<(usize, Vec<String>)> {
        let before = &line[..cursor];
        let word = before.trim_start();
        let start = before.len() - word.len();
        let names = self.0.names().filter(|name| name.starts_with(&word.to_ascii_lowercase()));
        Ok((start, names.map(|name| format!("{name} ")).collect()))
    }
}

impl Helper for Completion {}
impl Highlighter for Completion {}
impl Validator for Completion {}

impl Hinter for Completion {
    type Hint = String;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_waiting_line_is_seen_before_it_is_read() {
        let (reader, mut writer) = io::pipe().unwrap();
        let mut input = BufReader::new(File::from(std::os::fd::OwnedFd::from(reader)));
        assert!(!input.is_waiting());
        writer.write_all(b"dump\nquit\n").unwrap();
        assert!(input.is_waiting());
        input.read_line(&mut String::new()).unwrap();
        assert!(input.is_waiting(), "the second line is in the buffer");
        input.read_line(&mut String::new()).unwrap();
        assert!(!input.is_waiting());
        drop(writer);
        assert!(input.is_waiting(), "the end is there");
    }
}
