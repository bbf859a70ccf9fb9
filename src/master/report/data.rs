//! Results for programs, as JSON.

use anyhow::Result;
use serde_json::{Value, json};

use super::content::Tournament;
use super::endings;
use super::results::Results;
use super::round_ratings::RatedRound;
use kingline::terminal::escaped_json;

/// Standings, the elimination bracket, ratings, those of earlier rounds, and endings as JSON. Agents are in the order of
/// the standings. Points are whole points, not half points.
pub(super) fn json(tournament: &Tournament, results: &Results) -> Result<String> {
    let rounds = &results.rounds;
    let agents = results.standings.iter().map(|row| {
        let (rating, statistics) = (results.ratings[row.agent], &results.statistics.agents[row.agent]);
        let about = &tournament.agents[row.agent];
        let faults = statistics.faults.iter().map(|faults| (faults.kind.to_string(), Value::from(faults.count)));
        let mut agent = json!({
            "rank": row.rank,
            "out_after_round": row.out,
            "name": about.name,
            "title": about.title,
            "hash": about.hash,
            "page": results.names[row.agent].file,
            "games": row.played,
            "points": f64::from(row.half_points) / 2.0,
            "won": row.wins,
            "drawn": row.draws,
            "lost": row.losses,
            "unfinished": row.unfinished,
            "faults": faults.collect::<serde_json::Map<String, Value>>(),
            "timeouts": row.timeouts,
            "seconds_a_turn": statistics.mean().as_secs_f64(),
            "rating": { "elo": rating.elo, "low": rating.low, "high": rating.high },
            "earlier": rounds.rated.iter().filter_map(|round| earlier(round, &about.name)).collect::<Vec<Value>>(),
            "change": rounds.risen(&about.name, &rating),
        });
        if let Some(reviews) = &results.reviews {
            agent["review"] = reviews.agent_json(row.agent);
        }
        agent
    });
    let endings = endings::count(&tournament.games).into_iter();
    let endings =
        endings.map(|ending| json!({ "end": ending.words, "games": ending.games, "on_time": ending.on_time }));
    let names: Vec<&str> = tournament.agents.iter().map(|agent| &*agent.name).collect();
    let bracket = tournament.bracket.as_ref();
    let winners = bracket.and_then(|bracket| bracket.winners.as_ref());
    let round = |round: &RatedRound| json!({ "name": round.name, "shift": round.shift, "unchanged": round.unchanged });
    let mut report = json!({
        "generator": concat!("kingline ", env!("CARGO_PKG_VERSION")),
        "name": tournament.name,
        "league": tournament.league,
        "seed": tournament.rules.seed,
        "games": tournament.games.len(),
        "missing": tournament.missing,
        "failed": tournament.failed,
        "tiers": results.statistics.tiers,
        "earlier": rounds.rated.iter().map(round).collect::<Vec<Value>>(),
        "bracket": bracket.map(|bracket| bracket.json(&names)),
        "winners": winners.map(|winners| winners.iter().map(|&agent| names[agent]).collect::<Vec<&str>>()),
        "agents": agents.collect::<Vec<Value>>(),
        "endings": endings.collect::<Vec<Value>>(),
    });
    if let Some(reviews) = &results.reviews {
        report["review"] = reviews.json(&tournament.games);
    }
    Ok(escaped_json(&serde_json::to_string_pretty(&report)?) + "\n")
}

/// An agent's results in an earlier round, with the rating on the scale of this one; `None` if it did not take part.
fn earlier(round: &RatedRound, name: &str) -> Option<Value> {
    let agent = round.agents.get(name)?;
    let points = f64::from(agent.half_points) / 2.0;
    Some(json!({
        "name": round.name,
        "hash": agent.hash,
        "rank": agent.rank,
        "points": points,
        "games": agent.games,
        "elo": agent.elo,
    }))
}
