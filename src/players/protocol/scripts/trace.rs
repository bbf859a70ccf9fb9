//! Trace of the input and output of programs (§1, §2).

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Destination of the trace, which contains every line that a program reads or prints, in the form of its edition.
#[derive(Clone, Debug)]
pub enum Trace {
    /// Nowhere.
    Off,
    /// Function, called by several threads.
    To(fn(&str)),
    /// File (§2).
    Log(PathBuf),
}

/// Writer of the trace, for several threads.
#[derive(Clone, Debug)]
pub(super) enum Tracer {
    Off,
    To(fn(&str)),
    Log(Arc<TraceLog>),
}

/// Log file, written up to the first error.
#[derive(Debug)]
pub(super) struct TraceLog {
    path: PathBuf,
    file: Mutex<io::Result<File>>,
}

/// Direction of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    Sent,
    Received,
    Error,
}

/// Formats the start of a line of the trace, from the number of its program and its direction.
pub(super) type TraceMark = fn(usize, Flow) -> String;

/// Start of a line in a trace of 2020 (§1).
pub(super) fn mark_2020(program: usize, flow: Flow) -> String {
    match flow {
        Flow::Sent => format!("[{program}]<"),
        Flow::Received => format!("[{program}]>"),
        Flow::Error => format!("[{program}]E>"),
    }
}

/// Start of a line in a trace of 2015, with the arrows the other way (§1).
pub(super) fn mark_2015(program: usize, flow: Flow) -> String {
    match flow {
        Flow::Sent => format!(">Program {program}:"),
        Flow::Received => format!("<Program {program}:"),
        Flow::Error => format!("<Program {program}(e):"),
    }
}

impl Tracer {
    /// Opens the trace, and creates its file if it has one.
    ///
    /// # Errors
    /// The file cannot be created.
    pub(super) fn open(trace: &Trace) -> Result<Tracer, String> {
        Ok(match trace {
            Trace::Off => Tracer::Off,
            Trace::To(show) => Tracer::To(*show),
            Trace::Log(path) => {
                let file = File::create(path).map_err(|error| cannot_write(path, &error))?;
                Tracer::Log(Arc::new(TraceLog { path: path.clone(), file: Mutex::new(Ok(file)) }))
            }
        })
    }

    /// Shows a line of the program with the 0-based `number`.
    pub(super) fn show(&self, mark: TraceMark, number: usize, flow: Flow, line: &str) {
        if matches!(self, Tracer::Off) {
            return;
        }
        let line = format!("{} {}", mark(number + 1, flow), line.trim_end_matches(['\r', '\n']));
        match self {
            Tracer::Off => {}
            Tracer::To(show) => show(&line),
            Tracer::Log(log) => log.write(line),
        }
    }

    /// Checks that the whole trace has been written.
    ///
    /// # Errors
    /// The file could not be written.
    pub(super) fn end(&self) -> io::Result<()> {
        let Tracer::Log(log) = self else { return Ok(()) };
        let file = log.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.as_ref().map(drop).map_err(|error| io::Error::other(cannot_write(&log.path, error)))
    }
}

impl TraceLog {
    fn write(&self, line: String) {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let written = file.as_mut().map_or(Ok(()), |open| open.write_all((line + "\n").as_bytes()));
        if let Err(error) = written {
            *file = Err(error);
        }
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> String {
    format!("cannot write {}: {error}", path.display())
}
