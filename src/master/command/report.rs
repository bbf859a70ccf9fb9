//! The command `master report`.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::{Args, value_parser};
use serde::Serialize;
use serde_json::json;

use super::screen::progress_bar;
use crate::record::GameRecord;
use crate::report::{Reviews, Site, Tournament, WrittenSite};
use crate::reviews::{ReviewFile, Work, review_games};
use crate::stop::StopFlag;
use crate::tournament::store::{GameId, Store, Summary};
use kingline_players::exit::BadInput;
use kingline_players::figures::{Figure, FiguresOption, Topic};
use kingline_players::help::GuidePage;
use kingline_players::review::parse_seconds;
use kingline_players::terminal::{stderr_line, stdout_json, stdout_line};

/// Writes a website about a tournament: `master report spring.db --out site`.
///
/// The site is a folder of plain files: open its index.html, or copy it to any web server. It needs no server-side
/// programs, and links only to pages that agents name. Standings, ratings and the agents' pages are readable without
/// scripts; with scripts, tables can be sorted and searched, and any game, pair of agents or part of the cross table is
/// shown.
///
/// The site shows standings, the bracket and winners of an elimination, ratings with error bars, a cross table, and how
/// games ended. If the tournament began with the games of an earlier round (`master tournament --since`), it shows the
/// agents' ratings in each round and the differences. Each agent has a page with its results by opponent, color and ending, its use of
/// the clock and its faults. One page shows any game with its board, its clocks and why it ended. Standings and games are
/// there as CSV and JSON, and all games in one compressed PDN or SGF file.
///
/// With --watch, the command goes on and rewrites the files that change while the tournament runs, until it is complete or
/// the command is stopped. It uses at most a tenth of one core for that.
///
/// With --review, the engine reviews all games: each game's page has a graph of winning chances, marks, better lines,
/// accuracy and the turning point, and each agent's page tells where the agent loses chances. The reviews are kept beside
/// the store, in spring.review-0.02.jsonl for spring.db and 0.02 s, so each game is reviewed once. A run that was stopped or
/// killed continues with the same command.
///
/// Replaces an earlier report in the folder completely, but leaves a folder with other contents alone. The tournament
/// may continue meanwhile: the report shows the games that were played when the command started.
///
/// Exit codes: 0 done, with --watch also if it was stopped, 1 something failed, or it was stopped, 2 bad usage or input.
#[derive(Args)]
#[command(after_help = GuidePage::Tournaments.line())]
pub(super) struct ReportArguments {
    /// File that stores the tournament.
    store: PathBuf,
    /// Folder of the site. Default: beside the store, `spring-report` for `spring.db`.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Also review the games with this effort for each position, 0.001 to 600. A second counts as a fixed number of nodes,
    /// 5,000,000 in checkers and 2,000,000 in Lines of Action, so reviews are the same on every machine. Uses all cores.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    review: Option<f64>,
    /// Keep the site up to date while the tournament runs; look for new games every this many seconds, 1 to 3600. Default: 10.
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, default_missing_value = "10", require_equals = true,
        value_parser = value_parser!(u32).range(1..=3600), conflicts_with = "review")]
    watch: Option<u32>,
    /// Also put a copy of the store into the site, as store.db, so that others can verify all games. It contains what agents
    /// wrote to standard error.
    #[arg(long, conflicts_with = "watch")]
    with_store: bool,
    /// Print only a summary of what was written, as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    figures: FiguresOption,
}

/// A written site: the output of `master report --json`.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct SiteSummary<'a> {
    /// Path of the site.
    site: &'a Path,
    /// Path of its first page.
    index: &'a Path,
    /// Games on the site.
    games: usize,
    /// Games still to be played.
    missing: u64,
    /// Agents on the site.
    agents: usize,
    /// Files written.
    files: u64,
    /// Bytes of all files.
    bytes: u64,
    /// Path of the file of reviews; only with --review.
    #[serde(skip_serializing_if = "Option::is_none")]
    reviews: Option<&'a Path>,
    /// Games that could not be reviewed; only with --review.
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<usize>,
}

/// Target time for writing the site, in seconds per game: 60 s for 90,000 games.
const A_GAME: f64 = 60.0 / 90_000.0;

pub(super) fn run(arguments: &ReportArguments) -> Result<()> {
    let start = Instant::now();
    // Must run before a second thread starts. When a signal arrives, the command stops and removes the incomplete site.
    let stop = StopFlag::on_signals().context("cannot handle signals")?;
    let store = Store::open(&arguments.store).map_err(|error| BadInput::new(error.to_string()))?;
    let tournament = Tournament::of(&store)?;
    let site =
        arguments.out.clone().unwrap_or_else(|| arguments.store.with_file_name(format!("{}-report", tournament.name)));
    let games = tournament.games.len();
    let reviews = arguments.review.map(|seconds| reviewed(&store, &tournament, seconds, &stop)).transpose()?;
    let bar = progress_bar(games as u64, "games [{bar:24}] {pos}/{len}{left}");
    let changed = RefCell::new(BTreeSet::new());
    let read = |id| {
        if stop.is_requested() {
            bail!("stopped; nothing was changed");
        }
        bar.inc(1);
        read_game(&store, id, &mut changed.borrow_mut())
    };
    let mut review = |id, record: &_| reviews.as_ref().map_or(Ok(None), |file| file.review(id, record));
    let shown = arguments.review.map(|seconds| Reviews { seconds, of: &mut review });
    let live = Site::write(&site, &tournament, read, shown, arguments.with_store.then_some(&store));
    bar.finish_and_clear();
    let live = live?;
    let written = live.size();
    let changed = changed.into_inner().len();
    if changed > 0 {
        let path = arguments.store.display();
        stderr_line(format_args!(
            "master: {changed} games have changed since they were recorded; `master verify {path}` lists them"
        ));
    }
    let took = start.elapsed().as_secs_f64();
    let most = A_GAME * games as f64;
    if reviews.is_none() {
        let figure = Figure::new(format!("site of {games} games"), format!("{took:.1} s"));
        arguments.figures.record(Topic::Referee, [figure.against(format!("at most {most} s"), took <= most)])?;
    }
    let index = site.join("index.html");
    if arguments.json {
        stdout_json(json!(SiteSummary {
            site: &site,
            index: &index,
            games,
            missing: tournament.missing,
            agents: tournament.agents.len(),
            files: written.files,
            bytes: written.bytes,
            reviews: reviews.as_ref().map(ReviewFile::path),
            skipped: reviews.as_ref().map(|reviews| reviews.skipped().len()),
        }))?;
    } else {
        print_summary(&tournament, written, &index)?;
    }
    match arguments.watch {
        Some(seconds) => watch(live, &arguments.store, tournament.missing, seconds, &stop),
        None => Ok(()),
    }
}

/// Reads a game, and remembers it if it has changed since it was recorded.
fn read_game(store: &Store, id: GameId, changed: &mut BTreeSet<GameId>) -> Result<GameRecord> {
    if !store.is_as_recorded(id)? {
        changed.insert(id);
    }
    Ok(store.game(id)?)
}

fn print_summary(tournament: &Tournament, written: WrittenSite, index: &Path) -> Result<()> {
    let games = tournament.games.len();
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

/// Reviews the games that are not yet reviewed, with all cores.
fn reviewed(store: &Store, tournament: &Tournament, seconds: f64, stop: &StopFlag) -> Result<ReviewFile> {
    let mut file = ReviewFile::open(store, seconds)?;
    // The position before the first move, and those after the random turns and the agents' turns.
    let positions = |game: &Summary| 1 + u64::from(tournament.league.opening) + u64::from(game.turns);
    let missing = tournament.games.iter().filter(|game| !file.has(game.id));
    let bar = progress_bar(missing.map(positions).sum(), "reviewed positions [{bar:24}] {pos}/{len}{left}");
    let games: Vec<GameId> = tournament.games.iter().map(|game| game.id).collect();
    let work = Work { seconds, stop, progress: &|| bar.inc(1) };
    let done = review_games(store, &games, &mut file, work);
    bar.finish_and_clear();
    done?;
    if stop.is_requested() {
        let kept = games.iter().filter(|&&game| file.has(game)).count();
        let (all, path) = (games.len(), file.path().display());
        bail!(
            "stopped: {kept} of {all} games are reviewed, and kept in {path}; help: run the same command again to continue"
        );
    }
    for (GameId(game), why) in file.skipped() {
        stderr_line(format_args!("master: game {game} is not reviewed: {why}"));
    }
    Ok(file)
}

/// The command waits this many times as long as the last update took, so that it does not disturb the games.
const WAITS: u32 = 9;
/// Time between two checks of the stop flag.
const STEP: Duration = Duration::from_millis(100);

/// Updates a site whenever its store has changed, at most every `seconds`, until no games are missing or the command is
/// stopped.
fn watch(mut site: Site, path: &Path, mut missing: u64, seconds: u32, stop: &StopFlag) -> Result<()> {
    let watched = Store::open(path)?;
    // Games may have been added since the site was written.
    let mut version = None;
    let mut took = Duration::ZERO;
    while missing > 0 {
        wait(Duration::from_secs(seconds.into()).max(took * WAITS), stop);
        if stop.is_requested() {
            return Ok(());
        }
        let now = watched.version()?;
        if version.replace(now) == Some(now) {
            continue;
        }
        let start = Instant::now();
        // Opened again, since the rules may have changed.
        let store = Store::open(path)?;
        let tournament = Tournament::of(&store)?;
        let mut changed = BTreeSet::new();
        site.update(&tournament, |id| read_game(&store, id, &mut changed))?;
        took = start.elapsed();
        missing = tournament.missing;
        let games = tournament.games.len();
        stderr_line(format_args!("master: {games} games on the site, {missing} still to be played, {took:.1?}"));
    }
    Ok(())
}

fn wait(time: Duration, stop: &StopFlag) {
    let end = Instant::now() + time;
    while Instant::now() < end && !stop.is_requested() {
        thread::sleep(STEP);
    }
}
