//! Arguments of `test-loa`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser};

use crate::help::GuidePage;
use crate::protocol::scripts::{self, Comparison, Leftovers, NamedScripts, Replacement, ScriptSettings, Tester, Trace};

/// Runs `loa` programs through scripts of two editions of a course, and compares their output.
///
/// A test of 2020 is FILE-1.in, with FILE-2.in if that exists; one of 2015 is FILE.in.
///
/// Exit codes: the number of failed tests, at most 254; 1 also if nothing ran because a test file would be overwritten
/// or the log cannot be opened; 255 bad usage, or the report or the log cannot be written.
#[derive(Debug, Parser)]
#[command(name = "test-loa", version, after_help = GuidePage::Scripts.line(), after_long_help = after_help())]
pub struct TestLoaArguments {
    /// 2020: run these two scripts, with any names, as one pair. May be repeated.
    #[arg(long, num_args = 2, value_names = ["A.in", "B.in"])]
    pub pair: Vec<PathBuf>,
    /// Trace of all input and output.
    #[command(flatten)]
    pub trace: TraceArguments,
    /// Print the first N failures in detail: scripts, outputs, expected outputs, errors.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub show: usize,
    /// 2020: keep FILE-1.out, the compared output, and FILE-1.err, the text of standard error.
    #[arg(long)]
    pub keep: bool,
    /// Write the output to FILE.out.tmp instead of comparing it.
    #[arg(long)]
    pub std: bool,
    /// Give the verdicts of the course's own tester where these differ; the guide lists where.
    #[arg(long)]
    pub as_the_course: bool,
    /// 2015: minutes for each color in the whole run, unless a command in the script sets them; above 0. Default: 0.25.
    #[arg(long, value_name = "MINUTES", value_parser = scripts::minutes)]
    pub time: Option<Duration>,
    /// Run COMMAND instead of NAME where a script's command begins with the words NAME. May be repeated.
    ///
    /// The words after NAME are kept. If several names match, the longest one applies. NAME ends at the first `=`.
    /// 2020: COMMAND is split at blanks; 2015: it is run by the shell.
    #[arg(long = "program", value_name = "NAME=COMMAND")]
    pub programs: Vec<Replacement>,
    /// Scripts to run.
    #[arg(value_name = "FILE.in", required_unless_present = "pair")]
    pub files: Vec<PathBuf>,
}

/// Format of `.in` files in both editions, and the line that names the guide.
fn after_help() -> String {
    format!(
        "\
Scripts of 2020, one for each program: blank lines and comments (#), then

  #* COMMAND             the command to run, split at blanks, without a shell

From there on each line is an instruction or is sent unchanged, comments and blank lines included:

  #*time MOVE GAME       time limits in seconds for a message and for an instruction; default: 10 60
  #*move                 wait for the program's move
  #*move/win             wait for the moves of both sides, until the game ends
  #*move/win+            the same; compare the winner
  #*win+                 wait at most 5 s for the end of the game; compare the winner
  #*remote move/win      play against the program of the other script, until both say who has won
  #*remote move/win+     the same; compare the winner

Dumps and winners are compared with FILE-1.std, in which # starts a comment.

Scripts of 2015, one for both programs; blank lines and comments (#) are skipped:

  COMMAND                the command of program 1, run by the shell
  COMMAND                the command of program 2; None if there is only one
  ===#1===               the lines of program 1 follow
  ===#2===               the lines of program 2 follow

Each line is an instruction or is sent:

  %ib, %iw               send the other program's black (white) move to this one
  %mb, %mw               wait for this program's black (white) move
  %bw, %wb               wait for this program's moves for both sides, Black (White) first, until the game ends
  %ib..., %iw...         play against the other program, which moves first as Black (White), until the game ends
  %e                     wait at most 6 s for the end of the game
  %eb, %ew, %et          the same; Black wins, White wins, a tie
  %ae                    as %e; report the winner as the result of the test

Each color has 15 s for the whole run, or the larger --time=MINUTES in a command. Dumps are compared with FILE.out.

{}",
        GuidePage::Scripts.line()
    )
}

/// Arguments of the trace.
#[derive(Debug, Args)]
pub struct TraceArguments {
    /// Print the input and output of the programs to standard error.
    #[arg(long)]
    pub verbose: bool,
    /// Same as --verbose if N is 1 or more.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub verbosity: u32,
    /// Write what --verbose prints to FILE.
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
}

impl TraceArguments {
    /// Destination of the trace. `show` prints a line of it.
    fn into_trace(self, show: fn(&str)) -> Trace {
        match self.log {
            Some(log) => Trace::Log(log),
            None if self.verbose || self.verbosity > 0 => Trace::To(show),
            None => Trace::Off,
        }
    }
}

impl TestLoaArguments {
    /// Scripts to run, and how to run them. `show` prints a line of the trace.
    pub fn into_run(self, show: fn(&str)) -> (NamedScripts, ScriptSettings) {
        let pairs = self.pair.chunks_exact(2).map(|pair| [pair[0].clone(), pair[1].clone()]).collect();
        let settings = ScriptSettings {
            replacements: self.programs,
            details: self.show,
            leftovers: if self.keep { Leftovers::Keep } else { Leftovers::Discard },
            comparison: if self.std { Comparison::Write } else { Comparison::Compare },
            tester: if self.as_the_course { Tester::Course } else { Tester::Contract },
            time: self.time,
            trace: self.trace.into_trace(show),
        };
        (NamedScripts { files: self.files, pairs }, settings)
    }
}
