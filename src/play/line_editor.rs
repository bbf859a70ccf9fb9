//! Lines that a person types at a terminal: editing, history, and completion of commands.

use std::io::{self, BufRead, Cursor, IsTerminal, Read, Write};

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

use super::command_source::CommandSource;
use crate::protocol::commands::Dialect;
use crate::terminal::Screen;

/// Source of the lines that a person edits. It prints the prompt itself, again and again while the line changes.
pub(super) struct LineEditor {
    editor: Editor<Completion, MemHistory>,
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
        Some(LineEditor { editor, prompt: String::new(), lines: Cursor::default() })
    }

    /// Waits for a line, and remembers it. An interrupt (Ctrl-C) drops the line and begins another.
    fn edit(&mut self) -> Result<(), ReadlineError> {
        let text = loop {
            match self.editor.readline(&self.prompt) {
                Err(ReadlineError::Interrupted) => {}
                Err(ReadlineError::Eof) => return Ok(()),
                read => break read?,
            }
        };
        for line in text.lines() {
            self.editor.add_history_entry(line)?;
        }
        self.lines = Cursor::new((text + "\n").into_bytes());
        Ok(())
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
        if !self.is_waiting() {
            self.edit().map_err(|error| match error {
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
    fn is_waiting(&self) -> bool {
        self.lines.position() < self.lines.get_ref().len() as u64
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
