//! Options of `calibrate solve`, and the goals that they name.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, ensure};
use kingline::game::Canonical;
use kingline_players::exit::BadInput;
use kingline_players::figures::FiguresOption;
use kingline_players::help::GuidePage;
use kingline_players::progress::Status;

use super::goal::{Aim, Goal, Winner};
use crate::options::{Shard, ThreadsOption, help_end};

/// Proves which player wins a small Lines of Action game, verifies the strategy, or cuts it for `loa6`.
#[derive(clap::Args)]
#[command(after_help = help_end(GuidePage::Solved))]
pub(crate) struct SolveArguments {
    /// Number of columns and rows of the board, 4 to 6.
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u8).range(4..=6))]
    pub(super) board: u8,
    /// Moves from the start, like `b1-b3`: prove who wins after them. Repeat the option for one strategy that covers
    /// several positions. Default: no moves, to prove that the first player wins from the start.
    #[arg(long, value_name = "MOVES")]
    pub(super) after: Vec<String>,
    /// Player that should win. If that is not the side to move, every reply is proved in turn. Give it once for all
    /// positions or once for each --after. Default: the side to move; with --verify, either player.
    #[arg(long, value_enum, value_name = "WINNER")]
    pub(super) winner: Vec<Winner>,
    /// Result that --winner should reach. Give it once for all positions or once for each --after.
    #[arg(long, value_enum, value_name = "AIM", default_value = "win")]
    pub(super) aim: Vec<Aim>,
    /// File that stores what was proved. Run the same command again to continue an interrupted proof.
    #[arg(long, value_name = "FILE", required_unless_present_any = ["verify", "cut"])]
    pub(super) store: Option<PathBuf>,
    /// Write the complete strategy to FILE.
    #[arg(long, value_name = "FILE", requires = "store", group = "whole")]
    pub(super) strategy: Option<PathBuf>,
    /// Prove only part K of N of the replies, counted from 1, to share the work among machines. Each needs a store of
    /// its own; --merge puts them together.
    #[arg(long, value_name = "K/N", requires = "store", conflicts_with_all = ["strategy", "merge"])]
    pub(super) shard: Option<Shard>,
    /// Add what these stores contain to the one of --store. All are left as they are, except that of --store.
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "store", conflicts_with_all = ["after", "winner", "aim", "strategy"])]
    pub(super) merge: Vec<PathBuf>,
    /// Seconds between two lines of progress, if standard error is not a terminal.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) progress: u32,
    /// Seconds between two writes to the store.
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) save: u32,
    #[command(flatten)]
    pub(super) threads: ThreadsOption,
    /// Memory for the tables of the solver and of deep searches, in MiB. Each thread takes up to 256 MiB more.
    #[arg(long, value_name = "MIB", default_value_t = 2048, value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) memory: u32,
    /// Verify the complete strategy in FILE by the rules alone: every position, against every reply. A cut strategy is
    /// verified together with the solver of `loa6`, which plays the rest. If the side to move loses in all positions after
    /// --after, the solver proves the rest instead.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["store", "cut"])]
    pub(super) verify: Option<PathBuf>,
    /// Write the longest game of the verified strategy to FILE, as SGF.
    #[arg(long, value_name = "FILE", requires = "verify")]
    pub(super) longest: Option<PathBuf>,
    /// Write to --output the part of the complete strategy in FILE that `loa6` needs: the positions with at least
    /// --plies plies, and others in which its solver does not find the win. If FILE was cut itself, add the positions in
    /// which the solver needs 20,000 nodes or more; --nodes is then the limit that FILE was cut for. Run the same command
    /// again to continue an interrupted cut.
    #[arg(long, value_name = "FILE", requires = "output", conflicts_with = "store", group = "whole")]
    pub(super) cut: Option<PathBuf>,
    /// Player that --cut serves.
    #[arg(long, value_enum, value_name = "PLAYER", default_value = "winner", requires = "output")]
    pub(super) cut_for: CutFor,
    /// Let --cut always keep positions in which the loser can hold out for N plies or more.
    #[arg(long, value_name = "N", default_value_t = 15, requires = "output")]
    pub(super) plies: u8,
    /// Nodes of the solver for a position that a cut strategy omits. Default: those of `loa6`, 20,000; to prove with
    /// --verify that the side to move loses, 3,000,000.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "store")]
    pub(super) nodes: Option<u64>,
    /// File that --cut writes. With --strategy, the complete strategy is cut at once.
    #[arg(long, value_name = "FILE", requires = "whole")]
    pub(super) output: Option<PathBuf>,
    #[command(flatten)]
    pub(super) figures: FiguresOption,
}

/// Player that a cut strategy serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum CutFor {
    /// The one that wins or holds: it has a move after every reply.
    Winner,
    /// The one that loses: it knows how to hold out longest. Keeps few positions with fewer than --plies plies.
    Loser,
}

impl SolveArguments {
    /// Returns the position after each --after, or the start if there is none, with its --winner.
    pub(super) fn goals<G: Canonical>(&self, by_default: Winner) -> Result<Vec<Goal<G>>> {
        let SolveArguments { after, winner, aim, .. } = self;
        let position = |line: &String| {
            let mut position = G::start();
            for text in line.split_whitespace() {
                position = position.play(position.parse_move(text)?);
            }
            ensure!(position.ending().is_none(), "the game is over after \"{line}\"");
            Ok(position)
        };
        let starts: Vec<G> =
            if after.is_empty() { vec![G::start()] } else { after.iter().map(position).collect::<Result<_>>()? };
        let winners = each("--winner", winner, by_default, starts.len())?;
        let aims = each("--aim", aim, Aim::Win, starts.len())?;
        // Without --winner, --verify and --cut accept whatever either player reaches.
        if !winner.is_empty() && winners.iter().zip(&aims).any(|both| both == (&Winner::Either, &Aim::Hold)) {
            return Err(
                BadInput::new("found --aim hold for either player, expected --winner mover, first or second").into()
            );
        }
        let wanted = winners.into_iter().zip(aims);
        Ok(starts
            .into_iter()
            .zip(wanted)
            .map(|(start, (winner, aim))| Goal { aim, ..Goal::new(start, winner) })
            .collect())
    }

    /// Returns a status that writes a line to a log every --progress seconds.
    pub(super) fn status(&self) -> Status {
        Status::logged(Duration::from_secs(self.progress.into()))
    }
}

/// Returns the values of an option that is given once for all of `count` positions, or once for each.
fn each<T: Copy>(option: &str, given: &[T], by_default: T, count: usize) -> Result<Vec<T>> {
    match given {
        [] => Ok(vec![by_default; count]),
        &[one] => Ok(vec![one; count]),
        each if each.len() == count => Ok(each.to_vec()),
        each => {
            let found = format!("found {option} {} times, expected it once or as often as --after", each.len());
            Err(BadInput::new(found).into())
        }
    }
}
