//! Results of the games.

use std::fmt;

use kingline_players::figures::Figure;
use serde::Serialize;

use super::agent::By;
use super::opponent::OpponentKind;
use super::play::PlayedEnding;
use super::sampler::StartKind;
use crate::spread::Spread;
use kingline_players::terminal::in_thousands;

/// Results of all games.
#[derive(Serialize)]
pub(super) struct EndingsReport {
    /// Games from won positions.
    pub(super) won: GameStats,
    /// Games from drawn positions.
    pub(super) drawn: GameStats,
}

/// Results of the games of one kind.
#[derive(Serialize)]
pub(super) struct GameStats {
    games: u64,
    /// Number of games with a wrong result.
    failures: u64,
    /// Number of games that the agent won.
    won: u64,
    /// Number of games whose first position is drawn only because of its count of quiet turns.
    by_count: u64,
    /// Largest number of turns in a game, by both sides.
    longest_game: u64,
    /// Largest number of consecutive quiet turns in a game.
    most_quiet_turns: u64,
    /// Number of the agent's forced turns.
    only_turns: u64,
    /// Number of turns that the agent took from the endgame tables.
    by_tables: u64,
    /// Number of turns that the agent took by search.
    by_search: u64,
    /// Median CPU time of the agent's turns, in microseconds.
    median_us: f64,
    /// 99th percentile of the same times.
    high_us: f64,
    most_us: f64,
}

impl EndingsReport {
    /// Returns the results as figures, for positions with `pieces` pieces against `opponent`.
    pub(super) fn figures(&self, pieces: u8, opponent: OpponentKind) -> [Figure; 2] {
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
    pub(super) fn of(games: &[PlayedEnding]) -> GameStats {
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
