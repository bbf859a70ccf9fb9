//! Where do commands come from, and where does output go? Both are named; `-` is standard input or output.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, IsTerminal, Write};
use std::path::Path;

use anyhow::{Context, Result};

use super::command_source::{CommandSource, open_stdin};
use super::console::Console;
use crate::files::{StandardStream, UsedFile, check_different};

impl Console<'static> {
    /// A console with these streams, and standard error for errors; what `output` and `log` held before is gone.
    ///
    /// # Errors
    /// Says which two are one file (§2), or which file cannot be opened or created, and why. All files are then as they
    /// were, or new and empty.
    pub fn open(input: &Path, output: &Path, log: Option<&Path>) -> Result<Console<'static>> {
        check(input, output, log)?;
        let reads_stdin = is_standard(input);
        let input = open_input(input)?;
        let output = if is_standard(output) { None } else { Some(FileToWrite::open(output)?) };
        let log = log.map(FileToWrite::open).transpose()?;
        // Nothing is lost where one of them cannot be opened.
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
            draws_board: reads_stdin && io::stdin().is_terminal() && io::stderr().is_terminal(),
        })
    }
}

/// Three different files, whatever they are called (§2). Standard error is none of them, but must not be the input.
fn check(input: &Path, output: &Path, log: Option<&Path>) -> Result<()> {
    let used = used_files(input, output, log);
    let (read, written) = used.split_at(1);
    check_different(read, written)?;
    check_different(read, &[UsedFile::stream(StandardStream::Error)])
}

/// What a console with these streams uses, its input first.
pub fn used_files(input: &Path, output: &Path, log: Option<&Path>) -> Vec<UsedFile> {
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

/// Standard input, as a source of commands.
pub(crate) fn open_terminal() -> io::Result<Box<dyn CommandSource + Send>> {
    Ok(Box::new(BufReader::new(open_stdin()?)))
}

/// An open file that still holds what it held before.
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
