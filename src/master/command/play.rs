//! What does `master play` do?

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;

use super::cost::RefereeCost;
use super::live::{Live, Show, summary, usual};
use super::options::{LeagueOptions, Purpose, SandboxOptions, Unusable};
use crate::files::write_whole;
use crate::master::agent::agent_at;
use crate::master::league::League;
use crate::master::players::{Contestant, Workspace, play, prepare};
use crate::master::record::{EndReason, GameRecord};
use crate::master::transcript;
use crate::terminal::{stderr_line, stdout_line};

/// Games between two agents: `master play mine/ reference/ --time 30`.
///
/// The colors alternate, and both games of a pair start from the same opening. Each game is saved as PDN or SGF.
#[derive(Args)]
pub(super) struct PlayArguments {
    /// An agent: a folder, or an executable file. Black in the first game.
    first: PathBuf,
    /// Another agent.
    second: PathBuf,
    #[command(flatten)]
    rules: LeagueOptions,
    #[command(flatten)]
    sandbox: SandboxOptions,
    /// How many games.
    #[arg(long, default_value_t = 1)]
    games: u32,
    /// Seeds the openings; equal seeds give equal openings.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where to save the games.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    save: PathBuf,
    /// Print each game as a line of JSON, and nothing else.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(super) fn run(arguments: &PlayArguments) -> Result<()> {
    let league = arguments.rules.league()?;
    let (sandbox, stop) = arguments.sandbox.sandbox(Purpose::Private)?;
    // Before a game is played that could not be saved.
    let made = fs::create_dir_all(&arguments.save);
    made.map_err(|error| Unusable(format!("--save: {}: {error}", arguments.save.display())))?;
    let folder = tempfile::tempdir().context("cannot make a folder for the games")?;
    let workspace = Workspace { sandbox: &sandbox, folder: folder.path(), kept: folder.path() };
    let show = if arguments.json { Show::Nothing } else { usual() };
    if !arguments.json {
        stdout_line(format_args!("CPU time is measured by {}", sandbox.tier()))?;
    }
    let agents = [ready(workspace, &league, &arguments.first)?, ready(workspace, &league, &arguments.second)?];
    let (mut half_points, mut cost) = ([0; 2], RefereeCost::start()?);
    for number in 0..arguments.games {
        let first_is = (number % 2) as usize;
        let contestants = [&agents[first_is], &agents[1 - first_is]];
        // Both games of a pair have the same seed, and so the same opening.
        let seed = arguments.seed.wrapping_add(u64::from(number / 2));
        let budgets = [league.clock.game; 2];
        let names = contestants.map(|contestant| contestant.agent().name.clone());
        let mut live = Live::new(show, names, budgets);
        let record = play(workspace, &league, contestants, budgets, seed, &mut live);
        if let Some([black, white]) = record.verdict.half_points(league.draws) {
            half_points[first_is] += black;
            half_points[1 - first_is] += white;
        }
        if stop.is_requested() {
            bail!("stopped in game {}", number + 1);
        }
        if let EndReason::Failed { error } = &record.verdict.reason {
            bail!("game {}: {error}", number + 1);
        }
        cost.add(&record);
        save(arguments, &record, number + 1)?;
        if arguments.json {
            stdout_line(serde_json::to_string(&record)?)?;
        } else {
            stdout_line(summary(&record))?;
        }
    }
    if arguments.json {
        return Ok(());
    }
    if arguments.games > 1 {
        let [first, second] = half_points.map(|points| f64::from(points) / 2.0);
        stdout_line(format_args!("{} {first} - {second} {}", agents[0].agent().name, agents[1].agent().name))?;
    }
    stdout_line(cost.in_words()?)
}

/// The agent in a folder or file, prepared to play.
fn ready(workspace: Workspace, league: &League, path: &Path) -> Result<Contestant> {
    let agent = agent_at(path, league.game).map_err(|refused| Unusable(refused.to_string()))?;
    let contestant = prepare(workspace, league, agent)?;
    for note in contestant.notes() {
        stderr_line(format_args!("master: {}: {note}", contestant.agent().name));
    }
    Ok(contestant)
}

/// Writes the game beside those before it.
fn save(arguments: &PlayArguments, record: &GameRecord, number: u32) -> Result<()> {
    let ending = transcript::extension(record.game);
    let [black, white] = &record.names;
    let path = arguments.save.join(format!("{black}-{white}-{number}.{ending}"));
    write_whole(&path, transcript::write(record)?.as_bytes())
}
