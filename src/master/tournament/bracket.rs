//! The elimination bracket: meetings, their results and the winners (§3).

#[cfg(test)]
mod tests;

use serde::Serialize;

use crate::league::{DrawRule, Pairing};
use crate::tournament::schedule::{GameStatus, PlannedGame, TournamentRules, is_out};
use crate::tournament::store::TournamentState;

/// Elimination rounds so far. Agents are indexes of [`Store::agents`](crate::tournament::store::Store::agents).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bracket {
    /// Rounds that were played, and the current one.
    pub rounds: Vec<Round>,
    /// Agents that were never eliminated; `None` until the tournament is over.
    pub winners: Option<Vec<usize>>,
}

/// A round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// 1-based round number.
    pub number: u32,
    /// Meetings in the order of play.
    pub meetings: Vec<Meeting>,
    /// Remaining agents without an opponent in this round.
    pub resting: Vec<usize>,
}

/// The games of two agents that meet in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// The two agents, lower index first. The pairs below are in the same order.
    pub agents: [usize; 2],
    /// Half points of each agent, two per win.
    pub half_points: [u32; 2],
    /// Games in which the opponent got the full point.
    pub losses: [u32; 2],
    /// Number of games, played or not.
    pub games: u32,
    /// Games that were played but count for neither side.
    pub uncounted: u32,
    /// Games still to be played, excluding failed ones.
    pub missing: u32,
    /// Games in which the referee failed, to be played again.
    pub failed: u32,
}

/// A round of an elimination, in JSON.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(rename = "BracketRound"))]
pub(crate) struct RoundText<'a> {
    /// Round, from 1.
    round: u32,
    /// Meetings in the order of play.
    meetings: Vec<MeetingText<'a>>,
    /// Remaining agents without an opponent in this round.
    resting: Vec<&'a str>,
}

/// The games of two agents that meet in a round. The pairs are in the same order.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(rename = "Meeting"))]
struct MeetingText<'a> {
    /// The two agents.
    agents: [&'a str; 2],
    /// Points of each agent, 1 for a win.
    points: [f64; 2],
    /// The agent that is out; null: neither is.
    out: Option<&'a str>,
    /// Number of games, played or not.
    games: u32,
    /// Games that were played but count for neither side.
    uncounted: u32,
    /// Games still to be played, excluding failed ones.
    missing: u32,
    /// Games in which the referee failed, to be played again.
    failed: u32,
}

/// Outcome of a meeting for one of its agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeetingResult {
    /// The agent lost more than half of the games.
    Out,
    /// The agent stays in, whatever happens in the remaining games.
    StaysIn,
    /// The remaining games decide.
    Open,
}

/// Returns the rule that decides who is out, in words (§3). It counts lost games, and who lost a drawn game depends on
/// the league.
pub fn rule(draws: DrawRule) -> String {
    let drawn = match draws {
        DrawRule::Halves => "Neither side loses a drawn game.",
        DrawRule::MoreTimeLeft => {
            "The side with less time left loses a drawn game; neither does if both have the same time."
        }
        DrawRule::Nothing => "Neither side loses a game without a winner.",
    };
    format!(
        "An agent that loses more than half of a meeting's games is out; otherwise both agents stay in, whatever their \
         points. {drawn}"
    )
}

type MeetingGame = (PlannedGame, GameStatus);

impl Bracket {
    /// Returns the bracket of a tournament in the given state; `None` if it is a round robin.
    pub fn of(rules: &TournamentRules, state: &TournamentState) -> Option<Bracket> {
        let TournamentState { out, done, missing, failed } = state;
        if rules.pairing == Pairing::RoundRobin {
            return None;
        }
        let mut games: Vec<MeetingGame> =
            done.iter().map(|game| (game.planned(), GameStatus::Played(game.half_points))).collect();
        games.extend(missing.iter().map(|game| (*game, GameStatus::Missing)));
        games.extend(failed.iter().map(|game| (*game, GameStatus::Failed)));
        games.sort_by_key(|(game, _)| (game.round, game.pairing));
        let rounds = games.chunk_by(|(a, _), (b, _)| a.round == b.round).map(|games| Round::of(games, out)).collect();
        let is_over = missing.is_empty() && failed.is_empty();
        let winners = is_over.then(|| (0..out.len()).filter(|&agent| out[agent].is_none()).collect());
        Some(Bracket { rounds, winners })
    }

    /// Returns the rounds for JSON, with points instead of half points.
    pub(crate) fn json<'a>(&self, names: &[&'a str]) -> Vec<RoundText<'a>> {
        let meeting = |meeting: &Meeting| MeetingText {
            agents: meeting.agents.map(|agent| names[agent]),
            points: meeting.half_points.map(|half_points| f64::from(half_points) / 2.0),
            out: meeting.out().map(|agent| names[agent]),
            games: meeting.games,
            uncounted: meeting.uncounted,
            missing: meeting.missing,
            failed: meeting.failed,
        };
        let round = |round: &Round| {
            let meetings = round.meetings.iter().map(meeting).collect();
            let resting = round.resting.iter().map(|&agent| names[agent]).collect();
            RoundText { round: round.number, meetings, resting }
        };
        self.rounds.iter().map(round).collect()
    }
}

impl Round {
    /// Builds a round from its games, of which there is at least one, in the order of play.
    fn of(games: &[MeetingGame], out: &[Option<u32>]) -> Round {
        let number = games[0].0.round;
        let meetings: Vec<Meeting> = games.chunk_by(|a, b| sides(a) == sides(b)).map(Meeting::of).collect();
        let is_in = |agent: usize| out[agent].is_none_or(|after| after >= number);
        let meets = |agent: usize| meetings.iter().any(|meeting| meeting.agents.contains(&agent));
        let resting = (0..out.len()).filter(|&agent| is_in(agent) && !meets(agent)).collect();
        Round { number, meetings, resting }
    }
}

impl Meeting {
    /// Builds a meeting from its games, of which there is at least one.
    fn of(games: &[MeetingGame]) -> Meeting {
        let agents = sides(&games[0]);
        let mut meeting = Meeting {
            agents,
            half_points: [0; 2],
            losses: [0; 2],
            games: games.len() as u32,
            uncounted: 0,
            missing: 0,
            failed: 0,
        };
        for (game, status) in games {
            match status {
                GameStatus::Missing => meeting.missing += 1,
                GameStatus::Failed => meeting.failed += 1,
                GameStatus::Played(None) => meeting.uncounted += 1,
                GameStatus::Played(Some(half_points)) => {
                    for (place, agent) in agents.into_iter().enumerate() {
                        let points = half_points[usize::from(game.agents[0] != agent)];
                        meeting.half_points[place] += points;
                        meeting.losses[place] += u32::from(points == 0);
                    }
                }
            }
        }
        meeting
    }

    /// Returns the outcome so far for the agent at index `place` in `agents`.
    pub fn result(&self, place: usize) -> MeetingResult {
        let losses = self.losses[place];
        if is_out(losses, self.games) {
            MeetingResult::Out
        } else if is_out(losses + self.missing + self.failed, self.games) {
            MeetingResult::Open
        } else {
            MeetingResult::StaysIn
        }
    }

    /// Returns the eliminated agent, if there is one yet.
    pub fn out(&self) -> Option<usize> {
        (0..2).find(|&place| self.result(place) == MeetingResult::Out).map(|place| self.agents[place])
    }

    /// Describes games without a result, or without points, in a few words each.
    pub fn remarks(&self) -> Vec<String> {
        let games = self.games;
        let of_games = [
            (self.missing, "still to be played"),
            (self.failed, "failed, to be played again"),
            (self.uncounted, "without points"),
        ];
        of_games
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} of {games} games {what}"))
            .collect()
    }
}

/// Returns both agents, lower index first.
fn sides((game, _): &MeetingGame) -> [usize; 2] {
    let [a, b] = game.agents;
    [a.min(b), a.max(b)]
}
