//! `calibrate endings`: the agent must win won endings and draw drawn ones, against a perfect opponent or the reference
//! agent.

mod perfect;
mod play;

use std::fmt;
use std::sync::Mutex;

use anyhow::{Result, ensure};
use kingline::knowledge::tablebase::build::SolvedValues;
use kingline_players::figures::{Figure, FiguresOption, Topic};
use kingline_players::help::GuidePage;
use kingline_players::terminal::{in_thousands, stdout_json, stdout_line};
use serde::Serialize;

use crate::help::help_end;
use crate::options::ThreadsOption;
use crate::program::Spread;
use crate::progress::Progress;
use crate::tables;
use crate::threads::Threads;
use perfect::{OpponentKind, Sampler, StartKind};
use play::{By, Pairing, PlayedEnding, PlayerKind};

/// Plays checkers endings with the agent's logic against an opponent: it must win won positions and must not lose drawn
/// ones.
#[derive(clap::Args)]
#[command(after_help = help_end(GuidePage::Endings))]
pub(crate) struct EndingsArguments {
    /// Number of games from won positions; as many are played from drawn ones.
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Number of pieces on the board, 2 to 5; five are 3 against 2 or 4 against 1. All positions are equally likely.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(2..=5))]
    pieces: u8,
    /// Seed for the games; the same seed gives the same games.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: ThreadsOption,
    /// Player under test.
    #[arg(long, value_enum, default_value_t = PlayerKind::Agent)]
    player: PlayerKind,
    /// Opponent. A drawn position cannot be won against the perfect one.
    #[arg(long, value_enum, default_value_t = OpponentKind::Perfect)]
    opponent: OpponentKind,
    /// Print the report as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    figures: FiguresOption,
}

/// Plays the games, prints the report, and prints each game with a wrong result in full.
pub(crate) fn run(arguments: &EndingsArguments) -> Result<()> {
    let threads = arguments.threads.threads();
    let (values, mut materials) = tables::solved(arguments.pieces, threads)?;
    materials.retain(|material| material.pieces() == arguments.pieces);
    let sampler = Sampler::of(materials, &values);
    let [won, drawn] =
        [StartKind::Won, StartKind::Drawn].map(|kind| games(kind, arguments, &sampler, &values, threads));
    let (won, drawn) = (won?, drawn?);
    let report = EndingsReport { won: GameStats::of(&won), drawn: GameStats::of(&drawn) };
    let failures: Vec<_> = won.into_iter().chain(drawn).filter_map(|played| played.failure).collect();
    if arguments.json {
        stdout_json(serde_json::to_string(&serde_json::json!({ "report": report, "failures": failures }))?)?;
    } else {
        failures.iter().try_for_each(stdout_line)?;
        stdout_line(&report)?;
    }
    ensure!(failures.is_empty(), "{} games ended with a wrong result", in_thousands(failures.len() as u64));
    arguments.figures.record(Topic::EndgameTables, report.figures(arguments.pieces, arguments.opponent))
}

/// Plays all games of a kind. Returns them in order.
fn games(
    kind: StartKind,
    arguments: &EndingsArguments,
    sampler: &Sampler,
    values: &SolvedValues,
    threads: Threads,
) -> Result<Vec<PlayedEnding>> {
    let numbers: Vec<u32> = (0..arguments.games).collect();
    let pairing = Pairing { player: arguments.player, opponent: arguments.opponent };
    let progress = Mutex::new((Progress::new(&kind.to_string(), numbers.len()), 0));
    threads.map(&numbers, |&number| {
        let mut rng = kind.rng(arguments.seed, number);
        let played = play::play(kind, number, &sampler.draw(kind, &mut rng)?, pairing, values, &mut rng)?;
        if let Ok(mut locked) = progress.lock() {
            let (progress, failures) = &mut *locked;
            *failures += usize::from(played.failure.is_some());
            progress.step(&format!("{failures} failed"));
        }
        Ok(played)
    })
}

#[derive(Serialize)]
struct EndingsReport {
    won: GameStats,
    drawn: GameStats,
}

#[derive(Serialize)]
struct GameStats {
    games: u64,
    failures: u64,
    won: u64,
    /// Number of games whose first position is drawn only because of its count of quiet turns.
    by_count: u64,
    longest_game: u64,
    most_quiet_turns: u64,
    only_turns: u64,
    by_tables: u64,
    by_search: u64,
    /// Median CPU time of the agent's turns, in microseconds.
    median_us: f64,
    /// 99th percentile of the same times.
    high_us: f64,
    most_us: f64,
}

impl EndingsReport {
    /// Returns the results as figures, for positions with `pieces` pieces against `opponent`.
    fn figures(&self, pieces: u8, opponent: OpponentKind) -> [Figure; 2] {
        let EndingsReport { won, drawn } = self;
        let name = |kind: StartKind, stats: &GameStats| {
            format!("{} {kind} positions of {pieces} pieces against {opponent}", in_thousands(stats.games))
        };
        let quiet = won.most_quiet_turns;
        let of_won = format!("{} won, at most {quiet} quiet turns in a row", in_thousands(won.games - won.failures));
        let [held, better, lost] =
            [drawn.games - drawn.won - drawn.failures, drawn.won, drawn.failures].map(in_thousands);
        let of_drawn = format!("{held} drawn, {better} won, {lost} lost");
        [
            Figure::new(name(StartKind::Won, won), of_won).against("all won", won.failures == 0),
            Figure::new(name(StartKind::Drawn, drawn), of_drawn).against("none lost", drawn.failures == 0),
        ]
    }
}

impl GameStats {
    fn of(games: &[PlayedEnding]) -> GameStats {
        let count = |is: fn(&PlayedEnding) -> bool| games.iter().filter(|played| is(played)).count() as u64;
        let turns = |by| games.iter().flat_map(|played| &played.chosen).filter(|turn| turn.0 == by).count() as u64;
        let times = Spread::of(games.iter().flat_map(|played| &played.chosen).map(|turn| turn.1).collect());
        let micros = |percent| times.percent(percent).as_nanos() as f64 / 1000.0;
        GameStats {
            games: games.len() as u64,
            failures: count(|played| played.failure.is_some()),
            won: count(|played| played.won),
            by_count: count(|played| played.by_count),
            longest_game: games.iter().map(|played| played.turns as u64).max().unwrap_or(0),
            most_quiet_turns: games.iter().map(|played| u64::from(played.most_quiet_turns)).max().unwrap_or(0),
            only_turns: turns(By::OnlyTurn),
            by_tables: turns(By::Tables),
            by_search: turns(By::Search),
            median_us: micros(50),
            high_us: micros(99),
            most_us: micros(100),
        }
    }
}

impl fmt::Display for EndingsReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let groups = [&self.won, &self.drawn];
        write!(f, "{:<34} {:>12} {:>12}", "", "from won", "from drawn")?;
        let mut row = |name, of: fn(&GameStats) -> String| {
            let [won, drawn] = groups.map(of);
            write!(f, "\n{name:<34} {won:>12} {drawn:>12}")
        };
        row("games", |group| in_thousands(group.games))?;
        row("with a wrong result", |group| in_thousands(group.failures))?;
        row("won by the agent", |group| in_thousands(group.won))?;
        row("drawn only by quiet turns", |group| in_thousands(group.by_count))?;
        row("turns of the longest game", |group| in_thousands(group.longest_game))?;
        row("most quiet turns in a row", |group| in_thousands(group.most_quiet_turns))?;
        row("agent's turns, by the tables", |group| in_thousands(group.by_tables))?;
        row("agent's turns, by search", |group| in_thousands(group.by_search))?;
        row("agent's turns, forced", |group| in_thousands(group.only_turns))?;
        row("CPU time of a turn, us: median", |group| format!("{:.1}", group.median_us))?;
        row("CPU time of a turn, us: 99 %", |group| format!("{:.1}", group.high_us))?;
        row("CPU time of a turn, us: most", |group| format!("{:.1}", group.most_us))
    }
}
