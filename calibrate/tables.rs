//! How are endgame tables made? They are built, verified, and their longest wins listed.

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

/// What `calibrate tables` does, and how.
#[derive(clap::Args)]
pub(crate) struct TablesArguments {
    /// Pieces on the board: the tables of up to this many, if 5 or fewer; 6: only those of six.
    #[arg(long, value_parser = clap::value_parser!(u8).range(2..=6))]
    pieces: u8,
    /// The most pieces of a side. The tables of five pieces always include 4 against 1.
    ///
    /// Six pieces take 1.2 GB of memory for 3, about 2.5 GB for 4, and as much on disk for FILE.parts.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u8).range(3..=4))]
    side: u8,
    /// The file of tables to write or, with --verify, to read. A file of something else is not replaced.
    ///
    /// Until the file is written, what is solved and compressed is kept in the folder FILE.parts: run again, the same
    /// command resumes an interrupted build.
    #[arg(long, value_name = "FILE", required_unless_present_any = ["verify", "longest"])]
    output: Option<PathBuf>,
    /// Also names FILE in the calibration.txt of the agent in DIRECTORY, which then plays with these tables. FILE must
    /// lie outside DIRECTORY.
    #[arg(long, value_name = "DIRECTORY", conflicts_with_all = ["verify", "longest"])]
    name_in: Option<PathBuf>,
    /// Default: the number of cores.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Prints the report as JSON.
    #[arg(long)]
    json: bool,
    /// Derives every value from those of its successors, by the rules that games are played by, and compares it with
    /// that in FILE, if given.
    #[arg(long, conflicts_with_all = ["longest", "json"])]
    verify: bool,
    /// Verifies about this many positions, drawn at random, instead of all. Default for six pieces: 5,000,000.
    #[arg(long, value_name = "POSITIONS", requires = "verify")]
    sample: Option<u64>,
    /// Prints the longest win of each material with its line, the moves in PDN.
    #[arg(long, conflicts_with_all = ["output", "json"])]
    longest: bool,
}

/// Builds, verifies, or prints the longest wins.
///
/// # Errors
/// A file cannot be read, written or named, or a value is wrong.
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
        // Ruled out by the command line.
        None => Ok(()),
    }
}

/// The exact values of all positions of up to `pieces` pieces, as in the file of them, and their materials.
///
/// # Errors
/// None: nothing is written.
pub(crate) fn solved(pieces: u8, threads: Threads) -> Result<(SolvedValues, Vec<Material>)> {
    let plan = TablePlan::new(pieces, 3);
    Ok((solve::solve(&plan, threads, None)?, plan.wanted))
}
