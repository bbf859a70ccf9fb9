//! A player's games against every reply.
//!
//! The walk visits all positions in which the player may have to move, and makes the player's move in each. If the
//! player always has a move and no path leads from a position back to itself, every game ends with a win for the
//! player. Positions with the same form count as one: the player must make corresponding moves in them.

use std::collections::HashMap;
use std::fmt;

use anyhow::{Context, Result, bail};
use kingline::game::{Canonical, Color, Outcome};

use crate::progress::Status;
use crate::threads::Threads;
use kingline::terminal::in_thousands;

/// Largest number of positions given to the threads at a time.
const ROUND: usize = 1 << 12;

/// Function that returns the position after a player's move, and the nodes of the player's solver; `None` if the player
/// knows no win.
pub(super) type Policy<'a, G> = &'a (dyn Fn(&G) -> Option<(G, u64)> + Sync);

/// All games of a player.
pub(super) struct Walk {
    /// Forms of the positions in which the player may have to move.
    forms: Vec<u128>,
    turns: Vec<Turn>,
    /// Place of the turn from which each position was first reached; `None` for the starts.
    before: Vec<Option<u32>>,
}

/// Turn of the player, and the positions that it leads to.
struct Turn {
    /// Places of the positions in which the player has to move next, one for each reply.
    next: Vec<u32>,
    /// Plies from the position to the end of the game if no reply continues it; `None` if the player knows no win.
    shortest: Option<u32>,
    nodes: u64,
}

/// Summary of a player's games against all replies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Played {
    /// Number of positions in which the player may have to move, counted by form.
    pub(super) positions: usize,
    /// Number of these positions in which the solver was called.
    pub(super) solved: usize,
    /// Largest number of solver nodes in one position.
    pub(super) most_nodes: u64,
    /// Number of plies in the longest game.
    pub(super) longest: u32,
}

impl Walk {
    /// Plays from these positions, with the player to move, against every reply.
    ///
    /// # Errors
    /// Fails if a move of the player leads to a position that it does not win.
    pub(super) fn of<G: Canonical + Send + Sync>(
        starts: &[G],
        policy: Policy<'_, G>,
        threads: Threads,
    ) -> Result<Walk> {
        let mut walk = Walk { forms: Vec::new(), turns: Vec::new(), before: Vec::new() };
        let mut places: HashMap<u128, u32> = HashMap::new();
        let mut place = |walk: &mut Walk, form: u128, before: Option<u32>| {
            *places.entry(form).or_insert_with(|| {
                walk.forms.push(form);
                walk.before.push(before);
                (walk.forms.len() - 1) as u32
            })
        };
        for start in starts {
            place(&mut walk, start.form(), None);
        }
        let mut status = Status::new();
        while walk.turns.len() < walk.forms.len() {
            let first = walk.turns.len();
            let round = &walk.forms[first..walk.forms.len().min(first + ROUND)];
            let taken = threads.map(round, |&form| taken::<G>(form, policy))?;
            for (mut turn, after) in taken {
                let before = Some(walk.turns.len() as u32);
                turn.next = after.into_iter().map(|form| place(&mut walk, form, before)).collect();
                walk.turns.push(turn);
            }
            let (done, known) = (in_thousands(walk.turns.len() as u64), in_thousands(walk.forms.len() as u64));
            status.show(|| format!("{done} of {known} known positions played"));
        }
        Ok(walk)
    }

    /// Returns the form of the position at a place.
    pub(super) fn form(&self, place: usize) -> u128 {
        self.forms[place]
    }

    /// Returns the place from which a place was first reached.
    pub(super) fn before(&self, place: usize) -> Option<usize> {
        self.before[place].map(|place| place as usize)
    }

    /// Returns the places at which the player knows no win.
    pub(super) fn stuck(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.turns.len()).filter(|&place| self.turns[place].shortest.is_none())
    }

    /// Summarizes the games.
    ///
    /// # Errors
    /// Returns the cycles if there are any, each as a list of places.
    pub(super) fn played(&self) -> std::result::Result<Played, Vec<Vec<usize>>> {
        Ok(Played {
            positions: self.turns.len(),
            solved: self.turns.iter().filter(|turn| turn.nodes > 0).count(),
            most_nodes: self.turns.iter().map(|turn| turn.nodes).max().unwrap_or(0),
            longest: self.longest()?,
        })
    }

    /// Returns the plies of the longest game from any position, or the cycles.
    fn longest(&self) -> std::result::Result<u32, Vec<Vec<usize>>> {
        /// State of a place in the depth-first search.
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            New,
            OnWay,
            Done(u32),
        }
        let mut marks = vec![Mark::New; self.turns.len()];
        let mut way: Vec<(usize, usize)> = Vec::new();
        let mut most = 0;
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
                match turn.next.get(reply).map(|&next| (next as usize, marks[next as usize])) {
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
                        let plies = turn.next.iter().map(after).max().unwrap_or(0).max(turn.shortest.unwrap_or(0));
                        marks[place] = Mark::Done(plies);
                        most = most.max(plies);
                        way.pop();
                    }
                }
            }
        }
        if around.is_empty() { Ok(most) } else { Err(around) }
    }
}

/// Returns the player's move in a position, and the forms of the positions in which it has to move next.
fn taken<G: Canonical>(form: u128, policy: Policy<'_, G>) -> Result<(Turn, Vec<u128>)> {
    let position = G::of_form(form, Color::Black).context("found a form without a position")?;
    let Some((after, nodes)) = policy(&position) else {
        return Ok((Turn { next: Vec::new(), shortest: None, nodes: 0 }, Vec::new()));
    };
    let won = Some(Outcome::Win(position.turn()));
    let mut next = Vec::new();
    let mut shortest = 1;
    if after.outcome().is_none() {
        for mv in after.legal_moves() {
            let reply = after.play(mv);
            shortest = 2;
            match reply.outcome() {
                None => next.push(reply.form()),
                outcome if outcome == won => {}
                Some(_) => bail!("the player does not win in {position}: {after}, then {reply}"),
            }
        }
    } else if after.outcome() != won {
        bail!("the player's move does not win in {position}: {after}");
    }
    next.sort_unstable();
    next.dedup();
    Ok((Turn { next: Vec::new(), shortest: Some(shortest), nodes }, next))
}

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [positions, solved, nodes] = [self.positions as u64, self.solved as u64, self.most_nodes].map(in_thousands);
        write!(
            f,
            "{positions} positions with the winner to move; the solver was called in {solved} of them, for at most {nodes} \
             nodes; the longest game has {} plies",
            self.longest
        )
    }
}
