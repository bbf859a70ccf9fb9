//! Arguments of `homework`.

use std::path::PathBuf;

use clap::Parser;

use crate::help::GuidePage;

/// Plays one turn of checkers through files: reads input.txt, searches within its CPU time, writes output.txt.
///
/// In a game it keeps playdata.txt for its next turn. It applies calibration.txt, which `calibrate` writes, if that
/// file exists.
///
/// Exit codes: 0 done, 1 output.txt cannot be written, 2 bad input or usage, 3 the game is over.
#[derive(Debug, Parser)]
#[command(name = "homework", version, after_help = GuidePage::Turns.line())]
pub struct HomeworkArguments {
    /// Folder with input.txt and output.txt.
    #[arg(value_name = "FOLDER", default_value = ".")]
    pub directory: PathBuf,
}

impl HomeworkArguments {
    /// Reads the arguments of this process. Ends it if they are wrong or ask for help.
    ///
    /// A master passes none: then the parser, a tenth of a short turn, is left out.
    pub fn of_process() -> HomeworkArguments {
        match std::env::args_os().len() {
            0 | 1 => HomeworkArguments { directory: PathBuf::from(".") },
            _ => HomeworkArguments::parse(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_arguments_the_parser_gives_the_current_folder() {
        assert_eq!(HomeworkArguments::parse_from(["homework"]).directory, PathBuf::from("."));
    }
}
