//! Standings of a tournament.

use std::cmp::Reverse;

use serde::{Serialize, Serializer};

use crate::tournament::store::Summary;
use kingline::game::Color;

/// Results of an agent. Its JSON has points instead of half points, and neither index nor rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Standing {
    /// Index of the agent in [`Store::agents`](crate::tournament::store::Store::agents).
    #[serde(skip)]
    pub agent: usize,
    /// Rank, starting at 1; tied agents share it.
    #[serde(skip)]
    pub rank: usize,
    /// Half points, two per win.
    #[serde(rename = "points", serialize_with = "as_points")]
    #[cfg_attr(feature = "schemas", schemars(with = "f64", description = "Points, 1 for a win."))]
    pub half_points: u32,
    /// Games played, whether or not they count.
    #[serde(rename = "games")]
    pub played: u32,
    /// Games won, by the rules or by the opponent's fault.
    pub wins: u32,
    /// Games that count but have no winner.
    pub draws: u32,
    /// Draws that gave this agent the full point.
    pub draws_taken: u32,
    /// Games lost, by the rules or by a fault.
    pub losses: u32,
    /// Games that count for neither side.
    pub unfinished: u32,
    /// Faults in all games.
    pub faults: u32,
    /// Time faults among `faults`.
    pub timeouts: u32,
    /// Elimination round after which the agent was out; null: it was not.
    pub out: Option<u32>,
}

fn as_points<S: Serializer>(half_points: &u32, to: S) -> Result<S::Ok, S::Error> {
    (f64::from(*half_points) / 2.0).serialize(to)
}

/// Ranks agents by rounds survived, then points, then games won. `out` gives the round after which each agent was out.
pub fn standings(games: &[Summary], out: &[Option<u32>]) -> Vec<Standing> {
    let row = |(agent, &out)| Standing { agent, out, ..Standing::default() };
    let mut rows: Vec<Standing> = out.iter().enumerate().map(row).collect();
    for game in games {
        for side in Color::ALL {
            rows[game.agents[side.index()]].add(game, side);
        }
    }
    let merit = |row: &Standing| Reverse((row.out.unwrap_or(u32::MAX), row.half_points, row.wins));
    rows.sort_by_key(|row| (merit(row), row.agent));
    for place in 0..rows.len() {
        let is_tied = place > 0 && merit(&rows[place - 1]) == merit(&rows[place]);
        rows[place].rank = if is_tied { rows[place - 1].rank } else { place + 1 };
    }
    rows
}

impl Standing {
    /// Adds a game that the agent played with this side.
    pub(crate) fn add(&mut self, game: &Summary, side: Color) {
        let mine = side.index();
        self.played += 1;
        self.faults += game.faults[mine];
        self.timeouts += game.timeouts[mine];
        let Some(half_points) = game.half_points else {
            self.unfinished += 1;
            return;
        };
        self.half_points += half_points[mine];
        match game.winner {
            Some(winner) if winner == side => self.wins += 1,
            Some(_) => self.losses += 1,
            None => {
                self.draws += 1;
                self.draws_taken += u32::from(half_points[mine] == 2);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(agents: [usize; 2], winner: Option<Color>, half_points: Option<[u32; 2]>) -> Summary {
        Summary { agents, winner, half_points, faults: [1, 2], timeouts: [0, 1], ..Summary::default() }
    }

    #[test]
    fn agents_are_ranked_by_points_then_by_wins() {
        let games = [
            game([0, 1], None, Some([0, 2])),
            game([1, 0], None, Some([1, 1])),
            game([2, 0], Some(Color::Black), Some([2, 0])),
            game([1, 2], None, None),
            game([2, 3], None, Some([1, 1])),
        ];
        let rows = standings(&games, &[None; 4]);
        let table: Vec<_> = rows.iter().map(|row| (row.agent, row.rank, row.half_points)).collect();
        assert_eq!(table, [(2, 1, 3), (1, 2, 3), (0, 3, 1), (3, 3, 1)]);
        let of_one = Standing {
            agent: 1,
            rank: 2,
            half_points: 3,
            played: 3,
            draws: 2,
            draws_taken: 1,
            unfinished: 1,
            faults: 4,
            timeouts: 1,
            ..Standing::default()
        };
        assert_eq!(rows[1], of_one);
        assert_eq!((rows[0].wins, rows[2].losses), (1, 1));
    }

    #[test]
    fn agents_that_stay_in_longer_come_first() {
        let games = [game([0, 1], Some(Color::Black), Some([2, 0]))];
        let order: Vec<usize> = standings(&games, &[Some(2), Some(3), None]).iter().map(|row| row.agent).collect();
        assert_eq!(order, [2, 1, 0]);
    }
}
