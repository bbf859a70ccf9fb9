//! Named streams of a console, and how they are opened; `-` is standard input or output.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, IsTerminal, Write};
use std::path::Path;

use anyhow::{Context, Result};

use super::command_source::{CommandSource, LineEditor, open_stdin};
use super::console::Console;
use super::reply::Viewer;
use crate::files::{StandardStream, UsedFile, check_different};
use crate::protocol::commands::Dialect;
use crate::terminal::Screen;
use kingline::draw::Paint;

/// Way in which a person types lines at a terminal.
#[derive(Clone, Copy, Debug)]
pub enum Typing {
    /// The terminal passes lines on, and other text may be printed at any time.
    Plain,
    /// An editor has a history and completes the commands of the dialect, if standard input and output are a terminal.
    Edited(&'static Dialect),
}

impl Console<'static> {
    /// Opens a console with these streams, and standard error for errors. `output` and `log` are emptied.
    ///
    /// # Errors
    /// Two streams are the same file (§2), or a file cannot be opened or created. Existing files are then unchanged,
    /// and new ones are empty.
    pub fn open(input: &Path, output: &Path, log: Option<&Path>, typing: Typing) -> Result<Console<'static>> {
        check(input, output, log)?;
        let viewer = viewer(input, output);
        let input = match (typing, is_standard(input), is_standard(output)) {
            (Typing::Edited(dialect), true, true) => open_editor(dialect)?,
            _ => open_input(input)?,
        };
        let output = if is_standard(output) { None } else { Some(FileToWrite::open(output)?) };
        let log = log.map(FileToWrite::open).transpose()?;
        // Files are emptied only after all have been opened, so that an error destroys no data.
        let output = output.map(FileToWrite::empty).transpose()?;
        let log = log.map(FileToWrite::empty).transpose()?;
        Ok(Console {
            input,
            output: match output {
                Some(file) => Box::new(BufWriter::new(file)),
                None => Box::new(BufWriter::new(io::stdout().lock())),
            },
            errors: Box::new(io::stderr()),
            log: log.map(|file| Box::new(file) as Box<dyn Write>),
            viewer,
        })
    }
}

/// A person gives commands at a terminal and sees standard error there.
fn viewer(input: &Path, output: &Path) -> Viewer {
    if is_standard(input) && io::stdin().is_terminal() && io::stderr().is_terminal() {
        let output = if is_standard(output) { Screen::of_stdout().paint } else { Paint::Plain };
        return Viewer::Person { output, errors: Screen::of_stderr().paint };
    }
    Viewer::Program
}

/// Checks that these are three different files, whatever their names (§2), and that the input is not standard error.
fn check(input: &Path, output: &Path, log: Option<&Path>) -> Result<()> {
    let used = used_files(input, output, log);
    let (read, written) = used.split_at(1);
    check_different(read, written)?;
    check_different(read, &[UsedFile::stream(StandardStream::Error)])
}

/// Files of a console with these streams, the input first.
pub(crate) fn used_files(input: &Path, output: &Path, log: Option<&Path>) -> Vec<UsedFile> {
    let used = |role: &str, path: &Path, stream: StandardStream| {
        if is_standard(path) { UsedFile::stream(stream) } else { UsedFile::named(role, path) }
    };
    let input = used("INPUT-FILE", input, StandardStream::Input);
    let output = used("OUTPUT-FILE", output, StandardStream::Output);
    let log = log.map(|path| UsedFile::named("LOGFILE", path));
    [input, output].into_iter().chain(log).collect()
}

fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

fn open_input(path: &Path) -> Result<Box<dyn CommandSource + Send>> {
    if is_standard(path) {
        return open_terminal().context("cannot open standard input");
    }
    let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    Ok(Box::new(BufReader::new(file)))
}

fn open_editor(dialect: &'static Dialect) -> Result<Box<dyn CommandSource + Send>> {
    match LineEditor::open(dialect) {
        Some(editor) => Ok(Box::new(editor)),
        None => open_input(Path::new("-")),
    }
}

pub(crate) fn open_terminal() -> io::Result<Box<dyn CommandSource + Send>> {
    Ok(Box::new(BufReader::new(open_stdin()?)))
}

/// Open file that has not been emptied yet.
struct FileToWrite<'a> {
    path: &'a Path,
    file: File,
}

impl FileToWrite<'_> {
    fn open(path: &Path) -> Result<FileToWrite<'_>> {
        let file = File::options().write(true).create(true).truncate(false).open(path);
        Ok(FileToWrite { path, file: file.with_context(|| format!("cannot create {}", path.display()))? })
    }

    fn empty(self) -> Result<File> {
        let FileToWrite { path, file } = self;
        // Devices and pipes have no length.
        let is_emptied = file.metadata().and_then(|about| if about.is_file() { file.set_len(0) } else { Ok(()) });
        is_emptied.with_context(|| format!("cannot empty {}", path.display()))?;
        Ok(file)
    }
}
