//! Sources of command lines: they print the prompt, and can tell whether the next line has already arrived.

#[cfg(unix)]
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
#[cfg(unix)]
use std::os::fd::AsFd;

#[cfg(unix)]
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

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

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::Write;

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
