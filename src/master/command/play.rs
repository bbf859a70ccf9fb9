//! The command `master play`.

use std::fs;
use std::io::ErrorKind;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;

use super::cost::RefereeCost;
use super::intake::intake;
use super::live::{Live, Show, for_stdout, summary};
use super::memory::games_at_once;
use super::options::{LeagueOptions, Purpose, SandboxOptions, Unusable};
use super::preparation::PreparationDisplay;
use crate::intake::agent::{Intake, Refused, agent_at};
use crate::intake::build::build;
use crate::league::League;
use crate::record::EndReason;
use crate::record::transcript;
use crate::referee::players::{Contestant, play, prepare};
use crate::sandbox::Workspace;
use kingline::figures::{FiguresOption, Topic};
use kingline::files::write_whole;
use kingline::help::GuidePage;
use kingline::terminal::{stderr_line, stdout_json, stdout_line};

/// Plays games between two agents: `master play mine/ reference/ --time 30`.
///
/// The colors alternate, and both games of a pair start from the same opening. Each game is saved as PDN or SGF.
///
/// Exit codes: 0 all games are played, 1 something failed, or it was stopped, 2 bad usage or input.
#[derive(Args)]
#[command(after_help = GuidePage::Master.line())]
pub(super) struct PlayArguments {
    /// Agent that is Black in the first game: a folder, an archive of one, or an executable file.
    first: PathBuf,
    /// Its opponent: likewise a folder, an archive or a file.
    second: PathBuf,
    #[command(flatten)]
    rules: LeagueOptions,
    #[command(flatten)]
    sandbox: SandboxOptions,
    /// Number of games.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Seed of the openings; the same seed gives the same openings.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Folder to save the games in, as BLACK-WHITE-NUMBER. Numbers continue after those of saved games.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    save: PathBuf,
    /// Print only a line of JSON for each game.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    figures: FiguresOption,
}

/// Runs the command.
pub(super) fn run(arguments: &PlayArguments) -> Result<()> {
    let league = arguments.rules.league()?;
    let (sandbox, stop) = arguments.sandbox.sandbox(Purpose::Private, &[&arguments.first, &arguments.second])?;
    games_at_once(&sandbox, &league, NonZeroUsize::MIN);
    // Checked before the first game, so that no game is played that cannot be saved.
    let made = fs::create_dir_all(&arguments.save);
    made.map_err(|error| Unusable(format!("--save: {}: {error}", arguments.save.display())))?;
    let folder = tempfile::tempdir().context("cannot create a folder for the games")?;
    let workspace = Workspace { sandbox: &sandbox, folder: folder.path(), kept: folder.path() };
    let show = if arguments.json { Show::Nothing } else { for_stdout() };
    if !arguments.json {
        let steps = league.clock.steps_in_words();
        stdout_line(format_args!("CPU time is measured by {}; {steps} counts", league.measurement(&sandbox)))?;
    }
    let intake = intake(&league)?;
    let agents = [ready(workspace, &intake, &arguments.first)?, ready(workspace, &intake, &arguments.second)?];
    let saved = saved_before(arguments, &league, agents.each_ref().map(|agent| &*agent.agent().name))?;
    let (mut half_points, mut cost) = ([0; 2], RefereeCost::start()?);
    for number in 0..arguments.games {
        let first_is = (number % 2) as usize;
        let contestants = [&agents[first_is], &agents[1 - first_is]];
        // Both games of a pair have the same seed and therefore the same opening.
        let seed = arguments.seed.wrapping_add(u64::from(number / 2));
        let budgets = [league.clock.game; 2];
        let names = contestants.map(|contestant| contestant.agent().name.clone());
        let mut live = Live::new(show, names, &league.clock, budgets);
        let record = play(workspace, &league, contestants, budgets, seed, &mut live);
        if let Some([black, white]) = record.verdict.half_points(league.draws) {
            half_points[first_is] += black;
            half_points[1 - first_is] += white;
        }
        if stop.is_requested() {
            bail!("stopped in game {}", number + 1);
        }
        if let EndReason::Failed(failure) = &record.verdict.reason {
            bail!("game {}: {failure}", number + 1);
        }
        cost.add(&record);
        let path = path_of(arguments, &league, record.names.each_ref().map(|name| &**name), saved + number + 1);
        write_whole(&path, transcript::write(&record)?.as_bytes())?;
        if arguments.json {
            stdout_json(serde_json::to_string(&record)?)?;
        } else {
            stdout_line(summary(&record, &league.clock))?;
        }
    }
    let cost = cost.per_turn()?;
    if !arguments.json {
        if arguments.games > 1 {
            let [first, second] = half_points.map(|points| f64::from(points) / 2.0);
            stdout_line(format_args!("{} {first} - {second} {}", agents[0].agent().name, agents[1].agent().name))?;
        }
        stdout_line(&cost)?;
    }
    arguments.figures.record(Topic::Referee, [cost.figure()])
}

/// Prepares the agent in a folder, archive or file.
fn ready(workspace: Workspace, intake: &Intake, path: &Path) -> Result<Contestant> {
    let unusable = |why| Unusable(Refused::new(path, why).to_string());
    let agent = agent_at(path, intake).map_err(|refused| Unusable(refused.to_string()))?;
    let agent = build(workspace, intake.league(), &agent)?.result.map_err(unusable)?;
    let contestant = prepare(workspace, intake.league(), agent, &PreparationDisplay::alone())?;
    for note in contestant.remarks() {
        stderr_line(format_args!("master: {}: {note}", contestant.agent().name));
    }
    Ok(contestant)
}

/// Returns the path where a game is saved.
fn path_of(arguments: &PlayArguments, league: &League, [black, white]: [&str; 2], number: u32) -> PathBuf {
    let ending = transcript::extension(league.game);
    arguments.save.join(format!("{black}-{white}-{number}.{ending}"))
}

/// Returns the number of the last game between these agents saved in the folder, in either color; 0 if there is none.
/// Fails if a game could not be saved because its name is too long.
fn saved_before(arguments: &PlayArguments, league: &League, [first, second]: [&str; 2]) -> Result<u32> {
    let mut last = 0;
    for number in 1.. {
        for names in [[first, second], [second, first]] {
            let path = path_of(arguments, league, names, number);
            match path.symlink_metadata() {
                Ok(_) => last = number,
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(Unusable(format!("--save: {}: {error}", path.display())).into()),
            }
        }
        if number > last + arguments.games {
            break;
        }
    }
    Ok(last)
}
