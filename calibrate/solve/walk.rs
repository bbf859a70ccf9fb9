//! What happens if a player plays against every reply?
//!
//! All positions in which the player may have to move are visited, and in each it makes its move. If it always has one, and
//! no way leads from a position to itself, every game ends, and ends as its win. Positions that are alike are one: the
//! player must move alike in them.

use std::collections::HashMap;
use std::fmt;

use anyhow::{Context, Result, bail};
use kingline::game::{Canonical, Color, Outcome};

use crate::progress::Status;
use crate::tables::{Threads, in_thousands};

/// Positions that are given to the threads at a time, at most.
const ROUND: usize = 1 << 12;

/// How a player moves: to which position, and how many nodes its solver has visited; `None`: it knows no win.
pub(super) type Policy<'a, G> = &'a (dyn Fn(&G) -> Option<(G, u64)> + Sync);

/// All games of a player.
pub(super) struct Walk {
    /// Of the positions in which the player may have to move.
    forms: Vec<u128>,
    turns: Vec<Turn>,
    /// Where each position was met first: the place of the turn before; none for the first ones.
    before: Vec<Option<u32>>,
}

/// A position in which the player has to move, and where its move leads.
struct Turn {
    /// After the player's move, for each reply: the position in which it has to move again, by its place.
    next: Vec<u32>,
    /// Plies from the position to the end of the game where no reply goes on; `None`: the player knows no win.
    shortest: Option<u32>,
    nodes: u64,
}

/// What the games of a player are like, against all replies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Played {
    /// Positions in which it may have to move, those that are alike counted once.
    pub(super) positions: usize,
    /// Of them those in which its solver was asked.
    pub(super) solved: usize,
    /// Nodes of the solver in one of them, at most.
    pub(super) most_nodes: u64,
    /// Plies of the longest game.
    pub(super) longest: u32,
}

impl Walk {
    /// Plays from these positions, in which the player is to move, against every reply.
    ///
    /// # Errors
    /// A move of the player leads to a position that it has not won.
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
            status.show(|| format!("{done} positions played on, of {known} that are known so far"));
        }
        Ok(walk)
    }

    /// The form of the position at a place.
    pub(super) fn form(&self, place: usize) -> u128 {
        self.forms[place]
    }

    /// The place from which a place was reached first.
    pub(super) fn before(&self, place: usize) -> Option<usize> {
        self.before[place].map(|place| place as usize)
    }

    /// The places at which the player knows no win.
    pub(super) fn stuck(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.turns.len()).filter(|&place| self.turns[place].shortest.is_none())
    }

    /// What the games are like.
    ///
    /// # Errors
    /// Ways that lead from a place to itself, as far as they were found: the places on each.
    pub(super) fn played(&self) -> std::result::Result<Played, Vec<Vec<usize>>> {
        Ok(Played {
            positions: self.turns.len(),
            solved: self.turns.iter().filter(|turn| turn.nodes > 0).count(),
            most_nodes: self.turns.iter().map(|turn| turn.nodes).max().unwrap_or(0),
            longest: self.longest()?,
        })
    }

    /// Plies of the longest game from any position; or ways that lead from a place to itself.
    fn longest(&self) -> std::result::Result<u32, Vec<Vec<usize>>> {
        /// How far the search is with a place.
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

/// The player's move in a position, and the forms of the positions in which it has to move next.
fn taken<G: Canonical>(form: u128, policy: Policy<'_, G>) -> Result<(Turn, Vec<u128>)> {
    let position = G::of_form(form, Color::Black).context("a form of no position")?;
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
            "{positions} positions in which the winner may have to move; in {solved} of them the solver was asked, "
        )?;
        write!(f, "for at most {nodes} nodes; the longest game has {} plies", self.longest)
    }
}
