//! Summary of a player's games against every reply: how long they take, and whether the player always makes progress.

use std::fmt;

use kingline_players::terminal::in_thousands;

use super::Walk;
use crate::solve::node::Aim;

/// Summary of a player's games against all replies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::solve) struct Played {
    /// Number of positions in which the player may have to move and does not win at once, counted by form.
    pub(in crate::solve) positions: usize,
    /// Number of these positions in which the solver was called.
    pub(in crate::solve) solved: usize,
    /// Largest number of solver nodes in one position.
    pub(in crate::solve) most_nodes: u64,
    /// Number of these positions in which the player only does not lose.
    pub(in crate::solve) held: usize,
    /// Number of plies in the longest win.
    pub(in crate::solve) longest: u32,
}

impl Walk {
    /// Summarizes the games.
    ///
    /// # Errors
    /// Returns the cycles of moves to win if there are any, each as a list of places.
    pub(in crate::solve) fn played(&self) -> std::result::Result<Played, Vec<Vec<usize>>> {
        Ok(Played {
            positions: self.turns.len(),
            solved: self.turns.iter().filter(|turn| turn.nodes > 0).count(),
            most_nodes: self.turns.iter().map(|turn| turn.nodes).max().unwrap_or(0),
            held: self.held().count(),
            longest: self.plies()?.into_iter().max().unwrap_or(0),
        })
    }

    /// Returns the plies of the longest win from each place, 0 where the player only holds.
    ///
    /// # Errors
    /// Returns the cycles of moves to win if there are any, each as a list of places.
    pub(in crate::solve) fn plies(&self) -> std::result::Result<Vec<u32>, Vec<Vec<usize>>> {
        /// State of a place in the depth-first search.
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            New,
            OnWay,
            Done(u32),
        }
        let mut marks = vec![Mark::New; self.turns.len()];
        let mut way: Vec<(usize, usize)> = Vec::new();
        let mut plies = vec![0; self.turns.len()];
        let mut around: Vec<Vec<usize>> = Vec::new();
        for start in 0..self.turns.len() {
            if marks[start] == Mark::New {
                way.push((start, 0));
            }
            while let Some(top) = way.last_mut() {
                let (place, reply) = *top;
                top.1 += 1;
                marks[place] = Mark::OnWay;
                let turn = &self.turns[place];
                // Going on without end is no win.
                let (next, shortest) =
                    if turn.aim == Some(Aim::Win) { (&turn.next[..], turn.shortest) } else { (&[][..], 0) };
                match next.get(reply).map(|&next| (next as usize, marks[next as usize])) {
                    Some((next, Mark::OnWay)) => {
                        let places = way.iter().rev().map(|&(place, _)| place);
                        let since = places.clone().position(|place| place == next).unwrap_or(0);
                        around.push(places.take(since + 1).collect());
                    }
                    Some((next, Mark::New)) => way.push((next, 0)),
                    Some((_, Mark::Done(_))) => {}
                    None => {
                        let after =
                            |&next: &u32| if let Mark::Done(plies) = marks[next as usize] { plies + 2 } else { 0 };
                        plies[place] = next.iter().map(after).max().unwrap_or(0).max(shortest);
                        marks[place] = Mark::Done(plies[place]);
                        way.pop();
                    }
                }
            }
        }
        if around.is_empty() { Ok(plies) } else { Err(around) }
    }
}

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [positions, solved, nodes] = [self.positions as u64, self.solved as u64, self.most_nodes].map(in_thousands);
        let held = match self.held {
            0 => String::new(),
            held => format!(" it only holds in {} of them;", in_thousands(held as u64)),
        };
        write!(
            f,
            "{positions} positions with the player to move and no win at once;{held} the solver was called in {solved} of them, for at most \
             {nodes} nodes; the longest win has {} plies",
            self.longest
        )
    }
}
