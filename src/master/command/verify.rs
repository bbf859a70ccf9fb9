//! The command `master verify`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use serde::Serialize;
use serde_json::json;

use super::screen::progress_bar;
use crate::stop::StopFlag;
use crate::tournament::store::Store;
use crate::tournament::verify::{DifferentGame, DifferentStanding, Place, VerifiedStore, verify};
use kingline_players::exit::BadInput;
use kingline_players::help::GuidePage;
use kingline_players::terminal::{escaped, stdout_json, stdout_line};

/// Replays every game in a store and prints the differences: `master verify agents.db`.
///
/// Every move must be legal and in turn, every game must end where the rules end it, and the clocks must match the
/// times of the turns. Winners, points and standings are computed from the moves and compared with those in the store.
/// Each game has a checksum, which shows whether it was changed since it was recorded.
///
/// The tournament may continue meanwhile.
///
/// Exit codes: 0 nothing differs, 1 the store could not be read completely, 2 something differs, or bad usage or input.
#[derive(Args)]
#[command(after_help = GuidePage::Tournaments.line())]
pub(super) struct VerifyArguments {
    /// File that stores the tournament.
    store: PathBuf,
    /// Print only the result, as JSON.
    #[arg(long)]
    json: bool,
}

/// A verified store: the output of `master verify --json`.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Verified<'a> {
    /// Path of the store.
    store: &'a Path,
    /// True if nothing differs.
    right: bool,
    found: &'a VerifiedStore,
}

pub(super) fn run(arguments: &VerifyArguments) -> Result<()> {
    let stop = StopFlag::on_signals().context("cannot handle signals")?;
    let store = Store::open(&arguments.store).map_err(|error| BadInput::new(error.to_string()))?;
    let bar = progress_bar(0, "games [{bar:24}] {pos}/{len}{left}");
    let found = verify(&store, &mut |games| {
        bar.set_length(games as u64);
        bar.inc(1);
        !stop.is_requested()
    });
    bar.finish_and_clear();
    let found = found?;
    let done = found.games + found.failed;
    ensure!(!stop.is_requested(), "stopped after {done} games; the others are not verified");
    if arguments.json {
        let verified = Verified { store: &arguments.store, right: found.is_right(), found: &found };
        stdout_json(serde_json::to_string_pretty(&json!(verified))?)?;
    } else {
        in_words(&found)?;
    }
    if found.is_right() {
        return Ok(());
    }
    let what = match found.different.len() {
        0 => "the standings do not follow from the moves".to_owned(),
        games => format!("{games} of {done} games contradict their moves or were changed after they were recorded"),
    };
    Err(BadInput::new(format!("{}: {what}", arguments.store.display())).into())
}

fn in_words(found: &VerifiedStore) -> Result<()> {
    let VerifiedStore { games, failed, different, standings } = found;
    for DifferentGame { game, round, opening, black, white, wrong } in different {
        let [black, white] = [black, white].map(|name| escaped(name));
        stdout_line(format_args!("game {game}, round {round} opening {opening}: {black} (Black) against {white}"))?;
        wrong.iter().try_for_each(|wrong| stdout_line(format_args!("  {}", escaped(wrong))))?;
    }
    for DifferentStanding { agent, stored, by_moves } in standings {
        let [stored, by_moves] = [stored, by_moves].map(place);
        stdout_line(format_args!("{}: {stored} in the store; {by_moves} according to the moves", escaped(agent)))?;
    }
    let failed = match failed {
        0 => String::new(),
        failed => format!(", {failed} failed and have to be played again"),
    };
    let result = match different.len() {
        0 if standings.is_empty() => "nothing differs".to_owned(),
        games => format!("{games} differ"),
    };
    stdout_line(format_args!("{games} games were replayed{failed}: {result}"))
}

fn place(place: &Place) -> String {
    let Place { rank, points, wins, losses, out } = place;
    let out = out.map_or(String::new(), |round| format!(", out after round {round}"));
    format!("rank {rank}, {points} points, {wins} won, {losses} lost{out}")
}
