//! Commands that neither edition of the course has; they have no abbreviations.

use super::command::{self, Command};
use super::dialect::OperandReader;

/// Commands beside those of an edition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Vocabulary {
    /// The commands that `loa` always understands.
    #[default]
    Usual,
    /// `analyze` and `stop` as well.
    WithAnalysis,
}

/// Commands from `undo` to `load`, which are always understood, then those of an analysis.
const WORDS: [(&str, OperandReader); USUAL + 2] = [
    ("undo", |_| Ok(Command::Undo)),
    ("redo", |_| Ok(Command::Redo)),
    ("goto", command::go_to),
    ("moves", |_| Ok(Command::Moves)),
    ("hint", |_| Ok(Command::Hint)),
    ("time", command::time),
    ("level", command::level),
    ("position", command::position),
    ("save", command::save),
    ("load", command::load),
    ("analyze", |_| Ok(Command::Analyze)),
    ("stop", |_| Ok(Command::Stop)),
];
/// Number of the first words that are always understood.
const USUAL: usize = 10;

/// Summary of the commands for an analysis.
const ANALYSIS_HELP: &str = "\
analyze            think about the position until stop
stop               end that
";

impl Vocabulary {
    /// Names of the commands, in lower case, and readers of their operands.
    pub(super) fn words(self) -> &'static [(&'static str, OperandReader)] {
        match self {
            Vocabulary::Usual => &WORDS[..USUAL],
            Vocabulary::WithAnalysis => &WORDS,
        }
    }

    /// Summary of the commands that the help of an edition does not list.
    pub(crate) fn help(self) -> &'static str {
        match self {
            Vocabulary::Usual => "",
            Vocabulary::WithAnalysis => ANALYSIS_HELP,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::commands::{COURSE_2015, COURSE_2020};

    #[test]
    fn analysis_is_understood_only_on_demand() {
        for dialect in [&COURSE_2020, &COURSE_2015] {
            for (line, command) in [("analyze", Command::Analyze), (" STOP now", Command::Stop)] {
                let refused = dialect.read(line).unwrap_err().to_string();
                assert!(refused.starts_with("unknown command: found "), "{refused}");
                assert_eq!(dialect.read_with(Vocabulary::WithAnalysis, line), Ok(Some(command)));
            }
            let undo = dialect.read_with(Vocabulary::WithAnalysis, "undo");
            assert_eq!((undo, dialect.read("undo")), (Ok(Some(Command::Undo)), Ok(Some(Command::Undo))));
            assert!(!dialect.names().any(|name| name == "analyze") && dialect.names().any(|name| name == "load"));
        }
        assert!(COURSE_2015.read_with(Vocabulary::WithAnalysis, "st").is_err(), "no abbreviations");
    }
}
