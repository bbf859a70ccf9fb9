//! `calibrate look`: pictures of what the evaluation of Lines of Action has learned.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `measure` | what is a piece worth on each square, and what is concentration worth |
//! | `draw` | how do the pictures look |

mod draw;
mod measure;

use std::path::PathBuf;

use anyhow::{Result, ensure};
use kingline::loa::Position;
use kingline_players::files::{FileKind, check_target, write_whole};
use kingline_players::help::GuidePage;
use kingline_players::terminal::stdout_line;

use crate::bad_input::BadInput;
use crate::help::help_end;
use crate::learn::{Learned, game_records};

/// Draws what the evaluation of 8x8 Lines of Action likes, as SVG: what a piece is worth on each square in four stages of
/// the game, and how the value follows the concentration of the pieces.
///
/// A piece is worth the value of a position less its value without the piece, averaged over positions from games.
#[derive(clap::Args)]
#[command(after_help = help_end(GuidePage::Learning))]
pub(crate) struct LookArguments {
    /// Game files of 8x8 Lines of Action, as written by `calibrate selfplay`.
    #[arg(required = true, value_name = "FILE")]
    games: Vec<PathBuf>,
    /// SVG file to write. Only SVG files are overwritten.
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Look at the evaluation in FILE. Default: the embedded one.
    #[arg(long, value_name = "FILE")]
    evaluation: Option<PathBuf>,
    /// Largest number of positions, spread over the games.
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..))]
    positions: u32,
}

const PICTURE: FileKind = FileKind { name: "an SVG picture", is_start: |start| start.starts_with(b"<svg ") };

/// Measures, draws and writes the picture.
///
/// # Errors
/// Fails if a file cannot be read or written, or the games have no positions.
pub(crate) fn run(arguments: &LookArguments) -> Result<()> {
    check_target(&arguments.output, PICTURE)?;
    let evaluation = Position::<8>::evaluation(arguments.evaluation.as_deref())?;
    let mut records = Vec::new();
    for path in &arguments.games {
        records.extend(game_records::<Position<8>>(path)?);
    }
    let step = records.len().div_ceil(arguments.positions as usize).max(1);
    let positions: Vec<Position<8>> =
        records.iter().step_by(step).filter_map(|record| Position::unpack(record.turn, record.pieces)).collect();
    ensure!(!positions.is_empty(), BadInput::new("found no positions in the games"));
    let found = measure::measure(&positions, &evaluation);
    write_whole(&arguments.output, draw::svg(&found).as_bytes())?;
    stdout_line(format_args!("{}: {} positions", arguments.output.display(), positions.len()))
}
