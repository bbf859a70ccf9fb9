//! `calibrate tables`: builds and verifies endgame tables, and lists their longest wins.

pub(crate) mod build;
mod verify;

use std::path::PathBuf;

use anyhow::Result;
use kingline::knowledge::tablebase::Material;
use kingline::knowledge::tablebase::build::longest;
use kingline_players::figures::{FiguresOption, Topic};
use kingline_players::help::GuidePage;
use kingline_players::terminal::stdout_line;

use crate::calibration::Naming;
use crate::options::{ThreadsOption, help_end};

/// Builds checkers endgame tables that respect the 50-turn rule, verifies them, or prints their longest wins.
#[derive(clap::Args)]
#[command(after_help = help_end(GuidePage::Endings))]
pub(crate) struct TablesArguments {
    /// Pieces on the board, 2 to 6. Up to 5, tables with fewer pieces are included; with 6, they are not.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=6))]
    pieces: u8,
    /// Largest number of pieces per side, 3 or 4. Five-piece tables always include 4 against 1.
    ///
    /// For six pieces, 3 takes 1.2 GB of memory and 4 about 2.5 GB. FILE.parts takes as much on disk.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(3..=4))]
    side: u8,
    /// Endgame table file to write or, with --verify, to read. No other kind of file is overwritten.
    ///
    /// Until FILE is complete, FILE.parts keeps the finished parts: run the same command again to continue an interrupted
    /// build.
    #[arg(long, value_name = "FILE", required_unless_present_any = ["verify", "longest"])]
    output: Option<PathBuf>,
    /// Also name FILE in the calibration.txt of the agent in FOLDER, so that it plays with these tables. FILE must lie
    /// outside FOLDER.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["verify", "longest"])]
    name_in: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadsOption,
    /// Print the report as JSON.
    #[arg(long)]
    json: bool,
    /// Recompute every value from its successors by the rules of the game, and compare it with the value in FILE, if
    /// given.
    #[arg(long, conflicts_with_all = ["longest", "json"])]
    verify: bool,
    /// Verify about N random positions instead of all. Default for six pieces: 5000000.
    #[arg(long, value_name = "N", requires = "verify")]
    sample: Option<u64>,
    /// Print the longest win of each material with its moves in PDN.
    #[arg(long, conflicts_with_all = ["output", "json", "figures"])]
    longest: bool,
    #[command(flatten)]
    figures: FiguresOption,
}

/// Builds, verifies, or prints the longest wins.
pub(crate) fn run(arguments: &TablesArguments) -> Result<()> {
    let plan = TablePlan::new(arguments.pieces, arguments.side);
    let threads = arguments.threads.threads();
    let figure = match &arguments.output {
        _ if arguments.longest => {
            let values = build::solve(&plan, threads, None)?;
            let wins = plan.wanted.iter().filter_map(|&material| longest(&values, material));
            return wins.into_iter().try_for_each(stdout_line);
        }
        file if arguments.verify => verify::run(&plan, threads, file.as_deref(), arguments.sample).map(Some)?,
        Some(file) => {
            let naming = arguments.name_in.as_deref().map(|agent| Naming::new(file, agent)).transpose()?;
            build::run(&plan, threads, file, naming, arguments.json)?
        }
        // Excluded by the command line.
        None => return Ok(()),
    };
    arguments.figures.record(Topic::EndgameTables, figure)
}

/// Materials to solve, and the wanted ones among them.
struct TablePlan {
    /// Materials in the order in which they can be solved.
    solved: Vec<Material>,
    /// Materials to write to the file, verify, or list.
    wanted: Vec<Material>,
    /// Description of the wanted positions.
    name: String,
}

impl TablePlan {
    /// Returns the plan for the tables of up to `pieces` pieces, at most `side` per side. Six-piece tables have their
    /// own file.
    fn new(pieces: u8, side: u8) -> TablePlan {
        let mut solved = Vec::new();
        for count in 2..=pieces {
            // With 3 per side, no position of six pieces leads to 4 against 1.
            let side = if count == 5 && pieces == 5 { 4 } else { side };
            solved.extend(Material::all(count, side));
        }
        let wanted = solved.iter().copied().filter(|material| pieces < 6 || material.pieces() == 6).collect();
        let name = match (pieces, side) {
            (6, 3) => "three against three".to_owned(),
            (6, _) => "three against three and four against two".to_owned(),
            _ => format!("up to {pieces} pieces"),
        };
        TablePlan { solved, wanted, name }
    }
}
