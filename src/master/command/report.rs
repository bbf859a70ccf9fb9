//! The command `master report`.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::json;

use super::options::Unusable;
use super::screen::progress_bar;
use crate::report::{self, Tournament};
use crate::stop::StopFlag;
use crate::tournament::store::{ChecksumState, Store};
use kingline::figures::{Figure, FiguresOption, Topic};
use kingline::help::GuidePage;
use kingline::terminal::{stderr_line, stdout_json, stdout_line};

/// Writes a website about a tournament: `master report spring.db --out site`.
///
/// The site is a folder of plain files: open its index.html, or copy it to any web server. It needs no server-side
/// programs, and links only to pages that agents name. It is readable without scripts; with scripts, tables can be
/// sorted and games stepped through with keys.
///
/// The site shows standings, the bracket and winners of an elimination, ratings with error bars, a cross table, and how
/// games ended. If the tournament began with the games of an earlier round (`master tournament --since`), it shows the
/// agents' ratings in each round and the differences. Each agent has a page that explains its faults. Each game has a page with its board, its clocks and why
/// it ended. report.json has the results for programs.
///
/// Replaces an earlier report in the folder completely, but leaves a folder with other contents alone. The tournament
/// may continue meanwhile: the report shows the games that were played when the command started.
///
/// Exit codes: 0 done, 1 something failed, or it was stopped, 2 bad usage or input.
#[derive(Args)]
#[command(after_help = GuidePage::Tournaments.line())]
pub(super) struct ReportArguments {
    /// File that stores the tournament.
    store: PathBuf,
    /// Folder of the site. Default: beside the store, `spring-report` for `spring.db`.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Print only a summary of what was written, as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    figures: FiguresOption,
}

/// Target time for writing the site, in seconds per game: 20 s for 1,000 games.
const A_GAME: f64 = 0.02;

/// Runs the command.
pub(super) fn run(arguments: &ReportArguments) -> Result<()> {
    let start = Instant::now();
    // Must run before a second thread starts. When a signal arrives, the command stops and removes the incomplete site.
    let stop = StopFlag::on_signals().context("cannot handle signals")?;
    let store = Store::open(&arguments.store).map_err(|error| Unusable(error.to_string()))?;
    let tournament = Tournament::of(&store)?;
    let site =
        arguments.out.clone().unwrap_or_else(|| arguments.store.with_file_name(format!("{}-report", tournament.name)));
    let games = tournament.games.len();
    let bar = progress_bar(games as u64, "games [{bar:24}] {pos}/{len}, {eta} left");
    let mut changed = 0;
    let read = |id| {
        if stop.is_requested() {
            bail!("stopped; nothing was changed");
        }
        bar.inc(1);
        changed += u32::from(store.check(id)? == ChecksumState::Differs);
        Ok(store.game(id)?)
    };
    let written = report::write(&site, &tournament, read);
    bar.finish_and_clear();
    let written = written?;
    if changed > 0 {
        let path = arguments.store.display();
        stderr_line(format_args!(
            "master: {changed} games have changed since they were recorded; `master verify {path}` lists them"
        ));
    }
    let took = start.elapsed().as_secs_f64();
    let most = A_GAME * games as f64;
    let figure = Figure::new(format!("site of {games} games"), format!("{took:.1} s"));
    arguments.figures.record(Topic::Referee, [figure.against(format!("at most {most} s"), took <= most)])?;
    let index = site.join("index.html");
    if arguments.json {
        return stdout_json(json!({
            "site": site,
            "index": index,
            "games": games,
            "missing": tournament.missing,
            "agents": tournament.agents.len(),
            "files": written.files,
            "bytes": written.bytes,
        }));
    }
    let missing = match tournament.missing {
        0 => String::new(),
        missing => format!("; {missing} games are still to be played"),
    };
    let megabytes = written.bytes as f64 / 1e6;
    stdout_line(format_args!(
        "{games} games of {} agents, {} files, {megabytes:.1} MB{missing}",
        tournament.agents.len(),
        written.files
    ))?;
    stdout_line(format_args!("see {}", index.display()))
}
