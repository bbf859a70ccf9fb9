//! `loa`: Lines of Action by text commands, in the dialects of two editions of a course.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::{Parser, ValueEnum};
use kingline::console::{COURSE_2015, COURSE_2020, Console, Dialect, Ended, Failure, Pace, Session, Strictness};

/// Plays Lines of Action by text commands; `help` lists them.
///
/// Exit codes: 0 done, 1 a file cannot be opened or written, or bad usage, 2 an error with --strict.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The edition of the course whose commands are spoken.
    #[arg(long, value_enum, default_value = "2020")]
    dialect: Edition,
    /// Show the board in a window: not available yet.
    #[arg(long)]
    display: bool,
    /// Write all commands and automatic moves there.
    #[arg(long, value_name = "LOGFILE")]
    log: Option<PathBuf>,
    /// End at the first error.
    #[arg(long)]
    strict: bool,
    /// Seconds of thought per automatic move; by default 0.35, and later in a game less.
    #[arg(long, value_name = "SECONDS", value_parser = read_seconds)]
    time: Option<Duration>,
    /// Where commands come from; `-` is standard input.
    #[arg(value_name = "INPUT-FILE", default_value = "-")]
    input_file: PathBuf,
    /// Where the output goes; `-` is standard output.
    #[arg(value_name = "OUTPUT-FILE", default_value = "-")]
    output_file: PathBuf,
}

#[derive(Clone, Copy, ValueEnum)]
enum Edition {
    #[value(name = "2020")]
    Course2020,
    #[value(name = "2015")]
    Course2015,
}

fn main() -> ExitCode {
    match Arguments::try_parse() {
        Ok(arguments) => report(play(&arguments)),
        Err(error) => {
            let _ = error.print();
            ExitCode::from(u8::from(error.use_stderr()))
        }
    }
}

fn play(arguments: &Arguments) -> Result<Ended> {
    if arguments.display {
        bail!("--display: the board in a window is not available yet");
    }
    let mut input = open_input(&arguments.input_file)?;
    let mut output = open_output(&arguments.output_file)?;
    let mut log = arguments.log.as_deref().map(create).transpose()?;
    let mut console = Console {
        input: &mut *input,
        output: &mut *output,
        errors: &mut io::stderr(),
        log: log.as_mut().map(|file| file as &mut dyn Write),
    };
    let strictness = if arguments.strict { Strictness::EndAtError } else { Strictness::GoOn };
    let mut session = Session::new(arguments.dialect.speech(), arguments.time.map(Pace::Constant));
    Ok(console.run(&mut session, strictness)?)
}

fn open_input(path: &Path) -> Result<Box<dyn BufRead>> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    Ok(Box::new(BufReader::new(file)))
}

fn open_output(path: &Path) -> Result<Box<dyn Write>> {
    if path == Path::new("-") {
        return Ok(Box::new(BufWriter::new(io::stdout().lock())));
    }
    Ok(Box::new(BufWriter::new(create(path)?)))
}

fn create(path: &Path) -> Result<File> {
    File::create(path).with_context(|| format!("cannot create {}", path.display()))
}

fn report(result: Result<Ended>) -> ExitCode {
    match result {
        Ok(Ended::Done) => ExitCode::SUCCESS,
        Ok(Ended::AtError) => ExitCode::from(2),
        Err(error) if error.downcast_ref().is_some_and(Failure::is_unread) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody may be reading: what cannot be told is not worth another exit code.
            let _ = writeln!(io::stderr(), "loa: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn read_seconds(text: &str) -> Result<Duration, String> {
    const MOST: f64 = 3600.0;
    let seconds = text.parse().ok().filter(|&seconds| 0.0 < seconds && seconds <= MOST);
    seconds.map(Duration::from_secs_f64).ok_or_else(|| format!("expected seconds, a number above 0, at most {MOST}"))
}

impl Edition {
    fn speech(self) -> &'static Dialect {
        match self {
            Edition::Course2020 => &COURSE_2020,
            Edition::Course2015 => &COURSE_2015,
        }
    }
}
