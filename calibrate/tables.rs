//! Endgame tables: building them, looking them over, and their longest wins.

mod build;
mod longest;
mod naming;
mod parts;
mod plan;
mod report;
mod solve;
mod threads;
mod verify;

use std::path::PathBuf;

use anyhow::Result;
use kingline::knowledge::tablebase::Material;
use kingline::knowledge::tablebase::build::SolvedValues;

use naming::Naming;
use plan::TablePlan;
pub(crate) use report::in_thousands;
pub(crate) use threads::Threads;

/// What to do with endgame tables.
#[derive(clap::Args)]
pub(crate) struct TablesArguments {
    /// Pieces on the board: all tables of up to so many, 5 at most; 6: those of six alone.
    #[arg(long, value_parser = clap::value_parser!(u8).range(2..=6))]
    pieces: u8,
    /// The most pieces of a side. 4 against 1 always belongs to the tables of five pieces.
    ///
    /// Six pieces take 1.2 GB of memory for 3, about 2.5 GB for 4, and as much on disk for FILE.parts.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u8).range(3..=4))]
    side: u8,
    /// The file of tables, to be written, or, with --verify, to be read.
    ///
    /// What is solved and compressed is kept in the folder FILE.parts until the file is written: the same command
    /// goes on where it was interrupted.
    #[arg(long, value_name = "FILE", required_unless_present_any = ["verify", "longest"])]
    output: Option<PathBuf>,
    /// Names FILE in calibration.txt of DIRECTORY, an agent's, which then plays with these tables too. FILE must lie
    /// outside of DIRECTORY.
    #[arg(long, value_name = "DIRECTORY", conflicts_with_all = ["verify", "longest"])]
    name_in: Option<PathBuf>,
    /// By default as many as the machine has cores.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Prints the report as JSON.
    #[arg(long)]
    json: bool,
    /// Derives every value from those of its successors, by the rules that games are played by, and compares it with
    /// what the file says, if one is named.
    #[arg(long, conflicts_with_all = ["longest", "json"])]
    verify: bool,
    /// Looks over about so many positions, drawn at random, in place of all; of six pieces by default 5,000,000.
    #[arg(long, value_name = "POSITIONS", requires = "verify")]
    sample: Option<u64>,
    /// Prints the longest win of each material and its line, the moves in PDN.
    #[arg(long, conflicts_with_all = ["output", "json"])]
    longest: bool,
}

/// Does what is asked for.
///
/// # Errors
/// A file cannot be read or written or named, or a position is not what it should be.
pub(crate) fn run(arguments: &TablesArguments) -> Result<()> {
    let plan = TablePlan::new(arguments.pieces, arguments.side);
    let threads = Threads::new(arguments.threads);
    match &arguments.output {
        _ if arguments.longest => longest::run(&plan, threads),
        file if arguments.verify => verify::run(&plan, threads, file.as_deref(), arguments.sample),
        Some(file) => {
            let naming = arguments.name_in.as_deref().map(|agent| Naming::new(file, agent)).transpose()?;
            build::run(&plan, threads, file, naming, arguments.json)
        }
        // Not let through by the command line's own check.
        None => Ok(()),
    }
}

/// The exact values of all positions of up to so many pieces, as in the file of them, and their materials.
///
/// # Errors
/// None: there is nothing to be written.
pub(crate) fn solved(pieces: u8, threads: Threads) -> Result<(SolvedValues, Vec<Material>)> {
    let plan = TablePlan::new(pieces, 3);
    Ok((solve::solve(&plan, threads, None)?, plan.wanted))
}
