//! Where do commands come from, and where does output go? Both are named; `-` is standard input or output.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, IsTerminal, Write};
#[cfg(unix)]
use std::os::fd::AsFd;
use std::path::Path;

use anyhow::{Context, Result};
#[cfg(unix)]
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use super::console::{CommandSource, Console};

impl Console<'static> {
    /// A console with these streams, and standard error for errors; what `output` and `log` held before is gone.
    ///
    /// # Errors
    /// Says which file cannot be opened or created, and why.
    pub fn open(input: &Path, output: &Path, log: Option<&Path>) -> Result<Console<'static>> {
        Ok(Console {
            input: open_input(input)?,
            output: create_output(output)?,
            errors: Box::new(io::stderr()),
            log: log.map(create_log).transpose()?,
            draws_board: input == Path::new("-") && io::stdin().is_terminal() && io::stderr().is_terminal(),
        })
    }
}

fn open_input(path: &Path) -> Result<Box<dyn CommandSource>> {
    if path == Path::new("-") {
        return Ok(Box::new(BufReader::new(open_stdin().context("cannot open standard input")?)));
    }
    let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    Ok(Box::new(BufReader::new(file)))
}

/// Standard input without the buffer of the library, which would hide that a line is there.
#[cfg(unix)]
fn open_stdin() -> io::Result<File> {
    Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?))
}

#[cfg(not(unix))]
fn open_stdin() -> io::Result<io::Stdin> {
    Ok(io::stdin())
}

#[cfg(unix)]
impl CommandSource for BufReader<File> {
    fn is_waiting(&self) -> bool {
        let mut input = [PollFd::new(self.get_ref().as_fd(), PollFlags::POLLIN)];
        !self.buffer().is_empty() || poll(&mut input, PollTimeout::ZERO).is_ok_and(|ready| ready > 0)
    }
}

/// Only what has been read already is seen.
#[cfg(not(unix))]
impl<R: io::Read> CommandSource for BufReader<R> {
    fn is_waiting(&self) -> bool {
        !self.buffer().is_empty()
    }
}

fn create_output(path: &Path) -> Result<Box<dyn Write>> {
    if path == Path::new("-") {
        return Ok(Box::new(BufWriter::new(io::stdout().lock())));
    }
    Ok(Box::new(BufWriter::new(create(path)?)))
}

fn create_log(path: &Path) -> Result<Box<dyn Write>> {
    Ok(Box::new(create(path)?))
}

fn create(path: &Path) -> Result<File> {
    File::create(path).with_context(|| format!("cannot create {}", path.display()))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::BufRead;

    #[test]
    fn a_line_that_is_there_is_seen_before_it_is_read() {
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
