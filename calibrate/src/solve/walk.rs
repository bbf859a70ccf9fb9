//! A player's games against every reply.
//!
//! The walk visits all positions in which the player may have to move, and makes the player's move in each. A move is
//! made to win, or to hold: not to lose. If the player always has a move, only moves to win follow a move to win, and no
//! path of such moves leads from a position back to itself, then the player wins every game in which it has made a move
//! to win, and does not lose the others. Positions with the same form count as one: the player must make corresponding
//! moves in them. Positions in which it wins at once, nine of ten, are played but not kept.

use std::collections::HashMap;
use std::fmt;

use anyhow::{Context, Result, bail};
use kingline::game::{Canonical, Color, Game, Outcome};
use kingline_players::play::{Choice, Why};
use kingline_players::progress::Status;
use kingline_players::terminal::in_thousands;
use kingline_players::threads::Threads;

use super::goal::Aim;

/// Largest number of positions given to the threads at a time.
const ROUND: usize = 1 << 12;

/// Function that returns a player's move; `None` if the player knows none.
pub(super) type Policy<'a, G> = &'a (dyn Fn(&G) -> Result<Option<Taken<G>>> + Sync);

#[derive(Clone, Copy, Debug)]
pub(super) struct Taken<G> {
    pub(super) aim: Aim,
    pub(super) after: G,
    /// Nodes of the player's solver.
    pub(super) nodes: u64,
}

impl<G: Game> Taken<G> {
    /// Returns the move that `loa6` has chosen by its strategy or its solver.
    pub(super) fn of(position: &G, choice: &Choice<G>) -> Taken<G> {
        let aim = if matches!(choice.why, Why::Held) { Aim::Hold } else { Aim::Win };
        Taken { aim, after: position.play(choice.best), nodes: choice.why.nodes() }
    }
}

pub(super) struct Walk {
    /// Forms of the positions in which the player may have to move.
    forms: Vec<u128>,
    turns: Vec<Turn>,
    /// Place of a turn that leads to each position: the first one with a move to win, or else the first one. `None` for
    /// the starts.
    before: Vec<Option<u32>>,
}

/// Turn of the player, and the positions that it leads to.
struct Turn {
    /// Places of the positions in which the player has to move next, one for each reply.
    next: Vec<u32>,
    /// Aim of the player's move; `None` if the player knows none.
    aim: Option<Aim>,
    /// Plies from the position to the end of the game if it does not come to another turn that is kept.
    shortest: u32,
    nodes: u64,
}

impl Walk {
    /// Plays from these positions, with the player to move, against every reply. It is an error if a reply to a move of the
    /// player ends the game, and it was not the move's aim.
    pub(super) fn of<G: Canonical + Send + Sync>(
        starts: &[G],
        policy: Policy<'_, G>,
        threads: Threads,
        status: &mut Status,
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
        while walk.turns.len() < walk.forms.len() {
            let first = walk.turns.len();
            let round = &walk.forms[first..walk.forms.len().min(first + ROUND)];
            let turns = threads.map(round, |&form| turn::<G>(form, policy))?;
            for (mut turn, after) in turns {
                let before = walk.turns.len() as u32;
                turn.next = after.into_iter().map(|form| place(&mut walk, form, Some(before))).collect();
                walk.turns.push(turn);
                walk.note_win(before);
            }
            let (done, known) = (in_thousands(walk.turns.len() as u64), in_thousands(walk.forms.len() as u64));
            status.show(|| format!("{done} of {known} known positions played"));
        }
        Ok(walk)
    }

    pub(super) fn len(&self) -> usize {
        self.forms.len()
    }

    pub(super) fn form(&self, place: usize) -> u128 {
        self.forms[place]
    }

    /// Returns places on the way to a place, the last one first. A move to win leads from each to the next, as far back
    /// as possible. Ends before a place that it already contains.
    pub(super) fn way_to(&self, place: usize) -> Vec<usize> {
        let mut way = Vec::new();
        let mut before = self.before[place];
        while let Some(place) = before.map(|place| place as usize).filter(|place| !way.contains(place)) {
            way.push(place);
            before = self.before[place];
        }
        way
    }

    /// Returns the places at which the player knows no move, or only holds although a move to win has led there.
    pub(super) fn stuck(&self) -> Vec<usize> {
        let is_stuck = |&place: &usize| match self.turns[place].aim {
            None => true,
            Some(Aim::Hold) => self.before[place].is_some_and(|before| self.wins(before)),
            Some(Aim::Win) => false,
        };
        (0..self.turns.len()).filter(is_stuck).collect()
    }

    /// Notes that the turn at this place leads to its next positions, if it is made to win.
    fn note_win(&mut self, place: u32) {
        let Walk { turns, before, .. } = self;
        let wins = |place: u32| turns[place as usize].aim == Some(Aim::Win);
        for &next in turns[place as usize].next.iter().filter(|_| wins(place)) {
            let before = &mut before[next as usize];
            if !before.is_some_and(wins) {
                *before = Some(place);
            }
        }
    }

    /// True if the player's move at this place is made to win.
    fn wins(&self, place: u32) -> bool {
        self.turns[place as usize].aim == Some(Aim::Win)
    }

    /// Returns the nodes that the solver needs for the player's move at a place; 0 if the player knows the move.
    pub(super) fn nodes(&self, place: usize) -> u64 {
        self.turns[place].nodes
    }

    pub(super) fn held(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.turns.len()).filter(|&place| self.turns[place].aim == Some(Aim::Hold))
    }
}

/// Returns the player's turn in a position, and the forms of the positions in which it has to move next.
fn turn<G: Canonical>(form: u128, policy: Policy<'_, G>) -> Result<(Turn, Vec<u128>)> {
    let position = G::of_form(form, Color::Black).context("found a form without a position")?;
    let Some(Taken { aim, after, nodes }) = policy(&position)? else {
        return Ok((Turn { next: Vec::new(), aim: None, shortest: 0, nodes: 0 }, Vec::new()));
    };
    let is_reached = |outcome| match aim {
        Aim::Win => outcome == Outcome::Win(position.turn()),
        Aim::Hold => outcome != Outcome::Win(!position.turn()),
    };
    let (mut next, mut shortest) = (Vec::new(), 1);
    match after.outcome() {
        Some(outcome) if is_reached(outcome) => {}
        Some(_) => bail!("the player's move misses its aim in {position}: {after}"),
        None => {
            for mv in after.legal_moves() {
                let reply = after.play(mv);
                match reply.outcome() {
                    None if wins_at_once(&reply, policy)? => shortest = 3,
                    None => next.push(reply.form()),
                    Some(outcome) if is_reached(outcome) => shortest = shortest.max(2),
                    Some(_) => bail!("the player misses its aim in {position}: {after}, then {reply}"),
                }
            }
        }
    }
    next.sort_unstable();
    next.dedup();
    Ok((Turn { next: Vec::new(), aim: Some(aim), shortest, nodes }, next))
}

/// True if the player can win at once, and does.
fn wins_at_once<G: Canonical>(position: &G, policy: Policy<'_, G>) -> Result<bool> {
    let won = Some(Outcome::Win(position.turn()));
    let can = position.legal_moves().into_iter().any(|mv| position.play(mv).outcome() == won);
    Ok(can && policy(position)?.is_some_and(|taken| taken.after.outcome() == won))
}

/// Summary of a player's games against all replies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Played {
    /// Number of positions in which the player may have to move and does not win at once, counted by form.
    pub(super) positions: usize,
    /// Number of these positions in which the solver was called.
    pub(super) solved: usize,
    /// Largest number of solver nodes in one position.
    pub(super) most_nodes: u64,
    /// Number of these positions in which the player only does not lose.
    pub(super) held: usize,
    /// Number of plies in the longest win.
    pub(super) longest: u32,
}

impl Walk {
    /// Summarizes the games.
    ///
    /// # Errors
    /// Returns the cycles of moves to win if there are any, each as a list of places.
    pub(super) fn played(&self) -> std::result::Result<Played, Vec<Vec<usize>>> {
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
    pub(super) fn plies(&self) -> std::result::Result<Vec<u32>, Vec<Vec<usize>>> {
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
