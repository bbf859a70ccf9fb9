//! Standings for programs, as JSON and CSV. Points are whole points, not half points.

use std::collections::BTreeMap;

use anyhow::Result;
use serde::Serialize;

use super::endings::EndingCount;
use super::results::Results;
use super::review::{AgentReview, ReviewResults, SiteReview};
use super::round_ratings::{RatedRound, RoundAgent};
use super::{Tournament, endings};
use crate::csv;
use crate::league::League;
use crate::record::FaultKind;
use crate::tournament::bracket::RoundText;
use crate::tournament::rating::Rating;
use kingline_players::terminal::escaped_json;

/// standings.json in the site that `master report` writes. Agents are in the order of the standings.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct SiteStandings<'a> {
    /// Program and version.
    generator: &'static str,
    /// Name of the tournament.
    name: &'a str,
    /// Its rules.
    league: &'a League,
    /// Seed of the tournament.
    seed: u64,
    /// Games that were played.
    games: usize,
    /// Games without a result, failed ones included.
    missing: u64,
    /// Missing games in which the referee failed.
    failed: u64,
    /// Number of games by the method of measuring CPU time.
    tiers: &'a BTreeMap<String, u64>,
    /// Earlier rounds.
    earlier: &'a [RatedRound],
    /// Rounds of an elimination; null: the tournament has another format.
    bracket: Option<Vec<RoundText<'a>>>,
    /// Agents that were never eliminated; null until an elimination is over.
    winners: Option<Vec<&'a str>>,
    /// The agents, the best first.
    agents: Vec<AgentStandings<'a>>,
    /// How games ended.
    endings: Vec<EndingCount>,
    /// Reviews; only with --review.
    #[serde(skip_serializing_if = "Option::is_none")]
    review: Option<SiteReview>,
}

/// An agent.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct AgentStandings<'a> {
    /// Rank, from 1; agents with equal results share it.
    rank: usize,
    /// Round after which the agent was out; null: it was not.
    out_after_round: Option<u32>,
    /// Name.
    name: &'a str,
    /// The name that the agent gives itself.
    title: Option<&'a str>,
    /// SHA-256 of its files, in hexadecimal digits.
    hash: &'a str,
    /// File of its page in the site.
    page: &'a str,
    /// Games that count.
    games: u32,
    /// Points, 1 for a win.
    points: f64,
    /// Games won.
    won: u32,
    /// Games drawn.
    drawn: u32,
    /// Games lost.
    lost: u32,
    /// Games that count for neither side.
    unfinished: u32,
    /// Number of faults of each kind, in words.
    faults: BTreeMap<String, u64>,
    /// Faults of time.
    timeouts: u32,
    /// Mean time of its turns, in seconds, by the league's clock.
    seconds_a_turn: f64,
    /// Its rating.
    rating: Rating,
    /// Its results in earlier rounds.
    earlier: Vec<EarlierResults<'a>>,
    /// Rating less that of the round before, in Elo; null: there is none to compare.
    change: Option<f64>,
    /// Reviews of its games; only with --review.
    #[serde(skip_serializing_if = "Option::is_none")]
    review: Option<AgentReview<'a>>,
}

/// Results in an earlier round.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct EarlierResults<'a> {
    /// Name of the round.
    name: &'a str,
    /// SHA-256 of its files then.
    hash: &'a str,
    /// Rank then.
    rank: usize,
    /// Points then.
    points: f64,
    /// Games that counted then.
    games: u32,
    /// Rating then, on the scale of this round; null if no game counted.
    elo: Option<f64>,
}

/// Results of an agent in an earlier round; `None` if it did not take part.
fn earlier<'a>(round: &'a RatedRound, name: &str) -> Option<EarlierResults<'a>> {
    let RoundAgent { hash, rank, half_points, games, elo } = round.agents.get(name)?;
    let points = f64::from(*half_points) / 2.0;
    Some(EarlierResults { name: &round.name, hash, rank: *rank, points, games: *games, elo: *elo })
}

pub(super) fn json(tournament: &Tournament, results: &Results<'_>) -> Result<String> {
    let rounds = &results.rounds;
    let agents = results.standings.iter().map(|row| {
        let (rating, statistics) = (results.ratings[row.agent], &results.statistics.agents[row.agent]);
        let about = &tournament.agents[row.agent];
        AgentStandings {
            rank: row.rank,
            out_after_round: row.out,
            name: &about.name,
            title: about.title.as_deref(),
            hash: &about.hash,
            page: &results.names[row.agent].file,
            games: row.played,
            points: f64::from(row.half_points) / 2.0,
            won: row.wins,
            drawn: row.draws,
            lost: row.losses,
            unfinished: row.unfinished,
            faults: statistics.faults.iter().map(|faults| (faults.kind.to_string(), faults.count)).collect(),
            timeouts: row.timeouts,
            seconds_a_turn: statistics.mean().as_secs_f64(),
            rating,
            earlier: rounds.rated.iter().filter_map(|round| earlier(round, &about.name)).collect(),
            change: rounds.risen(&about.name, &rating),
            review: results.reviews.map(|reviews| reviews.of_agent(row.agent)),
        }
    });
    let names: Vec<&str> = tournament.agents.iter().map(|agent| &*agent.name).collect();
    let bracket = tournament.bracket.as_ref();
    let winners = bracket.and_then(|bracket| bracket.winners.as_ref());
    let report = SiteStandings {
        generator: concat!("kingline ", env!("CARGO_PKG_VERSION")),
        name: &tournament.name,
        league: &tournament.league,
        seed: tournament.rules.seed,
        games: tournament.games.len(),
        missing: tournament.missing,
        failed: tournament.failed,
        tiers: &results.statistics.tiers,
        earlier: &rounds.rated,
        bracket: bracket.map(|bracket| bracket.json(&names)),
        winners: winners.map(|winners| winners.iter().map(|&agent| names[agent]).collect()),
        agents: agents.collect(),
        endings: endings::count(&tournament.games),
        review: results.reviews.map(ReviewResults::of_games),
    };
    Ok(escaped_json(&serde_json::to_string_pretty(&report)?) + "\n")
}

/// An agent in standings.csv.
#[derive(Serialize)]
struct StandingsRow<'a> {
    rank: usize,
    out_after_round: Option<u32>,
    name: &'a str,
    title: Option<&'a str>,
    hash: &'a str,
    page: &'a str,
    games: u32,
    points: f64,
    won: u32,
    drawn: u32,
    lost: u32,
    unfinished: u32,
    faults: u32,
    illegal_moves: u64,
    timeouts: u32,
    seconds_a_turn: f64,
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    /// Only where games are reviewed.
    #[serde(skip_serializing_if = "Option::is_none")]
    accuracy: Option<Option<f64>>,
}

pub(super) fn csv(tournament: &Tournament, results: &Results<'_>) -> Result<String> {
    let mut text = String::new();
    for row in &results.standings {
        let (rating, statistics) = (results.ratings[row.agent], &results.statistics.agents[row.agent]);
        let about = &tournament.agents[row.agent];
        let rated = |elo: Option<f64>| elo.filter(|_| rating.games > 0);
        let row = StandingsRow {
            rank: row.rank,
            out_after_round: row.out,
            name: &about.name,
            title: about.title.as_deref(),
            hash: &about.hash,
            page: &results.names[row.agent].file,
            games: row.played,
            points: f64::from(row.half_points) / 2.0,
            won: row.wins,
            drawn: row.draws,
            lost: row.losses,
            unfinished: row.unfinished,
            faults: row.faults,
            illegal_moves: statistics.faults_of(FaultKind::Illegal),
            timeouts: row.timeouts,
            seconds_a_turn: statistics.mean().as_secs_f64(),
            elo: rated(Some(rating.elo)),
            elo_low: rated(rating.low),
            elo_high: rated(rating.high),
            accuracy: results.reviews.map(|reviews| reviews.accuracy(row.agent)),
        };
        if text.is_empty() {
            text = csv::names(&row)?;
        }
        text += &csv::row(&row)?;
    }
    Ok(text)
}
