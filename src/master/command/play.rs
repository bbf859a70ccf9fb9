//! The command `master play`.

use std::fs;
use std::io::ErrorKind;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Args;

use super::intake::intake;
use super::live::{Live, Show, for_stdout, summary};
use super::options::{LeagueOptions, PageOptions, Purpose, SandboxOptions, games_at_once};
use super::page::Page;
use super::screen::Running;
use crate::doctor::cpu_time;
use crate::intake::agent::{Intake, Refused, agent_at};
use crate::intake::build::build;
use crate::league::League;
use crate::league::clock_rules::Spent;
use crate::record::{EndReason, GameRecord, transcript};
use crate::referee::players::{Contestant, Participant, play, prepare};
use crate::sandbox::Workspace;
use kingline_players::exit::BadInput;
use kingline_players::figures::{Figure, FiguresOption, Topic};
use kingline_players::files::write_whole;
use kingline_players::help::GuidePage;
use kingline_players::terminal::{stderr_line, stdout_json, stdout_line};

/// Plays games between two agents: `master play mine/ reference/ --time 30`.
///
/// The colors alternate, and both games of a pair start from the same opening. Each game is saved as PDN or SGF. With
/// `--display`, the games are shown in the browser, and `human` plays there: `master play mine/ human --display`.
/// Persons have no clock.
///
/// Exit codes: 0 all games are played, 1 something failed, or it was stopped, 2 bad usage or input.
#[derive(Args)]
#[command(after_help = GuidePage::Master.line())]
pub(super) struct PlayArguments {
    /// Agent that is Black in the first game: a folder, an archive of one, or an executable file; or `human`.
    first: PathBuf,
    /// Its opponent: likewise a folder, an archive, a file or `human`.
    second: PathBuf,
    #[command(flatten)]
    rules: LeagueOptions,
    #[command(flatten)]
    sandbox: SandboxOptions,
    /// Number of games. Games of a `human` go on until "End" is pressed on the page.
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
    page: PageOptions,
    #[command(flatten)]
    figures: FiguresOption,
}

/// Name of a person on the command line. An agent of this name is `./human`.
const HUMAN: &str = "human";

/// More games than a person plays at a time.
const MOST_OF_PERSONS: u32 = 1000;

pub(super) fn run(arguments: &PlayArguments) -> Result<()> {
    let league = arguments.rules.league()?;
    let paths = [&*arguments.first, &*arguments.second];
    let persons = paths.map(|path| path == Path::new(HUMAN));
    let (sandbox, stop) = arguments.sandbox.sandbox(Purpose::Private, &paths)?;
    games_at_once(&sandbox, &league, NonZeroUsize::MIN);
    // Checked before the first game, so that no game is played that cannot be saved.
    let made = fs::create_dir_all(&arguments.save);
    made.map_err(|error| BadInput::new(format!("--save: {}: {error}", arguments.save.display())))?;
    let folder = tempfile::tempdir().context("cannot create a folder for the games")?;
    let workspace = Workspace { sandbox: &sandbox, folder: folder.path(), kept: folder.path() };
    let show = if arguments.json { Show::Nothing } else { for_stdout() };
    if !arguments.json {
        let steps = league.clock.steps_in_words();
        stdout_line(format_args!("CPU time is measured by {}; {steps} counts", league.measurement(&sandbox)))?;
    }
    let intake = intake(&league)?;
    // Opened before this thread has run an agent, and with that has entered a network of its own.
    let options = arguments.page;
    let page = options.display.then(|| Page::open(&league, persons, options.port, stop.clone())).transpose()?;
    let entrants = [ready(workspace, &intake, paths[0])?, ready(workspace, &intake, paths[1])?];
    let participants =
        [participant(entrants[0].as_ref(), page.as_ref())?, participant(entrants[1].as_ref(), page.as_ref())?];
    let planned = if persons.contains(&true) { MOST_OF_PERSONS } else { arguments.games };
    let saved = saved_before(arguments, planned, &league, participants.each_ref().map(Participant::name))?;
    let (mut half_points, mut cost) = ([0; 2], RefereeCost::start()?);
    for number in 0.. {
        let first_is = (number % 2) as usize;
        let order = [first_is, 1 - first_is];
        let names = order.map(|place| participants[place].name().to_owned());
        page.iter().for_each(|page| page.set_sides(names.clone(), order.map(|place| persons[place]), &league.clock));
        // Both games of a pair have the same seed and therefore the same opening.
        let seed = arguments.seed.wrapping_add(u64::from(number / 2));
        let budgets = [league.clock.game; 2];
        let mut observer = (Live::new(show, names, &league.clock, budgets), page.as_ref());
        let record = play(workspace, &league, order.map(|place| participants[place]), budgets, seed, &mut observer);
        if let Some([black, white]) = record.verdict.half_points(league.draws) {
            half_points[first_is] += black;
            half_points[1 - first_is] += white;
        }
        if stop.is_requested() {
            bail!("stopped in game {}", number + 1);
        }
        let is_left = page.as_ref().is_some_and(Page::is_left);
        match &record.verdict.reason {
            EndReason::Failed(failure) if !is_left => bail!("game {}: {failure}", number + 1),
            _ => {}
        }
        cost.add(&record);
        let path = path_of(arguments, &league, record.names.each_ref().map(|name| &**name), saved + number + 1);
        write_whole(&path, transcript::write(&record)?.as_bytes())?;
        if arguments.json {
            stdout_json(serde_json::to_string(&record)?)?;
        } else {
            stdout_line(summary(&record, &league.clock))?;
        }
        page.iter().try_for_each(|page| page.end_game(&record))?;
        let goes_on = match &page {
            Some(page) if persons.contains(&true) => page.wants_another_game(),
            _ => number + 1 < arguments.games,
        };
        if goes_on {
            continue;
        }
        if number > 0 && !arguments.json {
            let [first, second] = half_points.map(|points| f64::from(points) / 2.0);
            stdout_line(format_args!("{} {first} - {second} {}", participants[0].name(), participants[1].name()))?;
        }
        break;
    }
    let (cost, turns) = (cost.per_turn()?, cost.turns);
    if !arguments.json {
        let [wall, cpu] = in_ms(&cost);
        stdout_line(format_args!(
            "the referee itself took {wall} ms per turn ({cpu} ms of CPU time) over {turns} turns"
        ))?;
    }
    arguments.figures.record(Topic::Referee, [figure(&cost, turns)])
}

/// The participation of an agent or, at the page, of a person.
fn participant<'a>(agent: Option<&'a Contestant>, page: Option<&'a Page>) -> Result<Participant<'a>> {
    match (agent, page) {
        (Some(contestant), _) => Ok(Participant::Agent(contestant)),
        (None, Some(page)) => Ok(Participant::Person(page)),
        (None, None) => Err(BadInput::new(format!("{HUMAN}: persons play in the browser; help: add --display")).into()),
    }
}

/// Prepares the agent in a folder, archive or file; `None` for a person.
fn ready(workspace: Workspace, intake: &Intake, path: &Path) -> Result<Option<Contestant>> {
    if path == Path::new(HUMAN) {
        return Ok(None);
    }
    let unusable = |why| BadInput::new(Refused::new(path, why).to_string());
    let agent = agent_at(path, intake).map_err(|refused| BadInput::new(refused.to_string()))?;
    let agent = build(workspace, intake.league(), &agent)?.result.map_err(unusable)?;
    let contestant = prepare(workspace, intake.league(), agent, &Running::alone())?;
    for note in contestant.remarks() {
        stderr_line(format_args!("master: {}: {note}", contestant.agent().name));
    }
    Ok(Some(contestant))
}

fn path_of(arguments: &PlayArguments, league: &League, [black, white]: [&str; 2], number: u32) -> PathBuf {
    let ending = transcript::extension(league.game);
    arguments.save.join(format!("{black}-{white}-{number}.{ending}"))
}

/// Returns the number of the last game between these agents saved in the folder, in either color; 0 if there is none.
/// No game has one of the `planned` numbers after it. Fails if a game could not be saved because its name is too long.
fn saved_before(arguments: &PlayArguments, planned: u32, league: &League, [first, second]: [&str; 2]) -> Result<u32> {
    let mut last = 0;
    for number in 1.. {
        for names in [[first, second], [second, first]] {
            let path = path_of(arguments, league, names, number);
            match path.symlink_metadata() {
                Ok(_) => last = number,
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(BadInput::new(format!("--save: {}: {error}", path.display())).into()),
            }
        }
        if number > last + planned {
            break;
        }
    }
    Ok(last)
}

/// Time of the referee itself: the time of this process and its children, minus the agents' time.
struct RefereeCost {
    start: Instant,
    cpu_at_start: Duration,
    agents: Spent,
    turns: u32,
}

impl RefereeCost {
    fn start() -> Result<RefereeCost> {
        Ok(RefereeCost { start: Instant::now(), cpu_at_start: cpu_time()?, agents: Spent::default(), turns: 0 })
    }

    fn add(&mut self, record: &GameRecord) {
        record.turns.iter().for_each(|turn| self.agents += turn.spent);
        self.turns += record.turns.len() as u32;
    }

    /// Mean wall and CPU time per turn.
    fn per_turn(&self) -> Result<Spent> {
        let per_turn = |all: Duration, agents: Duration| all.saturating_sub(agents) / self.turns.max(1);
        let wall = per_turn(self.start.elapsed(), self.agents.wall);
        let cpu = per_turn(cpu_time()?.saturating_sub(self.cpu_at_start), self.agents.cpu);
        Ok(Spent { cpu, wall })
    }
}

/// Returns wall and CPU time per turn with their targets.
fn figure(cost: &Spent, turns: u32) -> Figure {
    const MOST: Spent = Spent { wall: Duration::from_millis(5), cpu: Duration::from_millis(3) };
    let [wall, cpu] = in_ms(cost);
    let measured = format!("{wall} ms wall, {cpu} ms CPU, mean of {turns} turns");
    let met = cost.wall <= MOST.wall && cost.cpu <= MOST.cpu;
    Figure::new("the referee's own cost of a turn", measured).against("at most 5 ms wall, 3 ms CPU", met)
}

fn in_ms(cost: &Spent) -> [String; 2] {
    [cost.wall, cost.cpu].map(|time| format!("{:.2}", time.as_secs_f64() * 1e3))
}
