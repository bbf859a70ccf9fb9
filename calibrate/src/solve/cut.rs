//! Cuts a complete strategy down to the positions that a solver needs.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result, bail, ensure};
use kingline::game::{Canonical, Color, Game, Outcome};
use kingline::knowledge::solved::{ENDLESS, Strategy};
use kingline::loa::Position;
use kingline::search::Limits;
use kingline_players::exit::BadInput;
use kingline_players::play::solved::{SOLVER_NODES, known_choice, proved_choice};
use kingline_players::progress::Status;
use kingline_players::terminal::in_thousands;
use kingline_players::threads::Threads;

use super::goal::{self, Aim, Goal};
use super::walk::{Played, Taken, Walk};
use crate::batch_file::{BatchFile, Format, OtherFile};

/// Positions of a strategy by form, with their plies.
type Positions = HashMap<u128, u8>;

/// Cut of a complete strategy for these goals.
pub(super) struct Cut<'a> {
    pub(super) whole: &'a Strategy<'a, Position<6>>,
    pub(super) goals: &'a [Goal<Position<6>>],
    /// Positions with so many plies or more are all kept.
    pub(super) fewest: u8,
    pub(super) threads: Threads,
}

/// Returns the file of positions with which the loser can hold out longest: those with at least `fewest` plies, and others
/// without which a reply would seem to last longer than it does.
pub(super) fn for_loser(whole: &Strategy<'_, Position<6>>, fewest: u8) -> Vec<u8> {
    let all: Positions = whole.positions().filter(|&(_, plies)| plies != ENDLESS).collect();
    let mut kept: Positions = all.iter().map(|(&form, &plies)| (form, plies)).filter(|it| it.1 >= fewest).collect();
    keep_from_going_astray::<Position<6>>(&all, &mut kept);
    to_bytes(&kept, fewest)
}

impl Cut<'_> {
    /// Returns the file of positions that `loa6` needs to reach the goals: those with at least `fewest` plies, and others
    /// in which its solver needs [`SOLVER_NODES`] nodes, finds no win, returns to an earlier position, or takes longer than promised.
    pub(super) fn part(&self, answers: &Answers, status: &mut Status) -> Result<Vec<u8>> {
        let &Cut { whole, goals, fewest, threads } = self;
        let starts = &goal::turns_of_winner(goals, whole);
        // Kept to tell that they are lost.
        let lost: Vec<u128> = goals.iter().map(|it| it.start.form()).filter(|&it| whole.plies(it).is_some()).collect();
        let all = needed(whole, &lost, starts, threads, status)?;
        let bytes = to_bytes(&all, 0);
        // Moves elsewhere would leave what is needed.
        let whole = &Strategy::open(&bytes)?;
        let is_kept = |&(form, plies): &(u128, u8)| plies >= fewest || lost.contains(&form);
        let mut kept: Positions = all.iter().map(|(&form, &plies)| (form, plies)).filter(is_kept).collect();
        loop {
            keep_from_going_astray::<Position<6>>(&all, &mut kept);
            let bytes = to_bytes(&kept, fewest);
            let part = Strategy::open(&bytes)?;
            let walk = Walk::of(starts, &player(&part, answers, SOLVER_NODES), threads, status)?;
            let bad = bad(&walk);
            if bad.is_empty() {
                return Ok(bytes);
            }
            let wanted = wanted(&walk, &bad, whole, &kept);
            if wanted.is_empty() {
                bail!("the strategy has no better move at {} positions", bad.len());
            }
            let [bad, size] = [bad.len(), kept.len()].map(|count| in_thousands(count as u64));
            status.note(&format!("{size} positions kept; more are needed at {bad}"));
            kept.extend(wanted.into_iter().map(|form| (form, all[&form])));
        }
    }
}

/// Returns the file of a cut strategy with more positions: those in which its solver needs [`SOLVER_NODES`] or more, as the journal
/// knows it.
///
/// The player still comes only to positions that it came to before. It wins in no more plies from any of them, since a
/// new move is one that it made before, or leaves fewer plies.
pub(super) fn extended(
    strategy: &Strategy<'_, Position<6>>,
    starts: &[Position<6>],
    answers: &Answers,
    threads: Threads,
    status: &mut Status,
) -> Result<(Vec<u8>, Played)> {
    let before = player(strategy, answers, u64::MAX);
    let walk = Walk::of(starts, &before, threads, status)?;
    ensure!(bad(&walk).is_empty(), "the player does not reach the goals with this strategy; help: try more --nodes");
    let Ok(plies) = walk.plies() else { bail!("found a cycle") };
    let places: Vec<usize> = (0..walk.len()).filter(|&place| plies[place] > 0).collect();
    let mut kept: Positions = strategy.positions().collect();
    loop {
        // The position that the player moves to at a place, if that is to be kept.
        let missing = |&place: &usize| -> Result<Option<(u128, u8)>> {
            let position =
                Position::<6>::of_form(walk.form(place), Color::Black).context("found a form without a position")?;
            let after = position.legal_moves().into_iter().map(|mv| position.play(mv));
            let forms = after.filter(|after| after.outcome().is_none()).map(|after| after.form());
            let known = |form| kept.get(&form).filter(|&&plies| plies != ENDLESS).map(|&plies| (plies, form));
            let lasts = plies[place] - 1;
            let is_missing = match forms.filter_map(known).min() {
                Some((plies, form)) => u32::from(plies) > lasts && strategy.plies(form).is_none(),
                None => walk.nodes(place) >= SOLVER_NODES,
            };
            let taken = if is_missing { before(&position)? } else { None };
            Ok(taken.map(|taken| (taken.after.form(), lasts as u8)))
        };
        let missing: Vec<(u128, u8)> = threads.map(&places, missing)?.into_iter().flatten().collect();
        if missing.is_empty() {
            break;
        }
        let [size, more] = [kept.len(), missing.len()].map(|count| in_thousands(count as u64));
        status.note(&format!("{size} positions kept; more are needed at {more}"));
        kept.extend(missing);
    }
    let bytes = to_bytes(&kept, strategy.fewest_plies());
    let part = Strategy::open(&bytes)?;
    let walk = Walk::of(starts, &player(&part, answers, SOLVER_NODES), threads, status)?;
    ensure!(walk.stuck().is_empty(), "the player is stuck in {} positions", walk.stuck().len());
    let Ok(played) = walk.played() else { bail!("the player moves in a cycle") };
    Ok((bytes, played))
}

/// Returns the player that moves by this part of a strategy, or else by its solver if that needs fewer nodes than `limit`.
fn player(
    part: &Strategy<'_, Position<6>>,
    answers: &Answers,
    limit: u64,
) -> impl Fn(&Position<6>) -> Result<Option<Taken<Position<6>>>> + Sync {
    move |position| match known_choice(position, part) {
        Some(choice) => Ok(Some(Taken::of(position, &choice))),
        None => Ok(answers.get(position)?.filter(|taken| taken.nodes < limit)),
    }
}

fn to_bytes(positions: &Positions, fewest: u8) -> Vec<u8> {
    Strategy::<Position<6>>::to_bytes(positions.iter().map(|(&form, &plies)| (form, plies)), fewest)
}

/// Returns what the player cannot do: the places where it is stuck, or if there are none, the cycles of moves to win.
fn bad(walk: &Walk) -> Vec<Vec<usize>> {
    let stuck: Vec<Vec<usize>> = walk.stuck().into_iter().map(|place| vec![place]).collect();
    if stuck.is_empty() { walk.played().err().unwrap_or_default() } else { stuck }
}

/// Returns one position to keep for each of these lists of places: one that the complete strategy moves to at one of
/// the places, or else on the way to them.
fn wanted(walk: &Walk, bad: &[Vec<usize>], whole: &Strategy<'_, Position<6>>, kept: &Positions) -> HashSet<u128> {
    let mut wanted = HashSet::new();
    for places in bad {
        let here = || places.iter().filter_map(|&place| better(walk, place, whole));
        // In a cycle, one better move is enough.
        if here().any(|form| wanted.contains(&form)) {
            continue;
        }
        let way = places.first().map_or(Vec::new(), |&place| walk.way_to(place));
        let before = way.into_iter().filter_map(|place| better(walk, place, whole));
        wanted.extend(here().chain(before).find(|form| !kept.contains_key(form)));
    }
    wanted
}

/// Returns the positions that a player who follows the strategy from `starts` moves to, and these lost ones.
fn needed(
    whole: &Strategy<'_, Position<6>>,
    lost: &[u128],
    starts: &[Position<6>],
    threads: Threads,
    status: &mut Status,
) -> Result<Positions> {
    let policy = |position: &Position<6>| Ok(known_choice(position, whole).map(|choice| Taken::of(position, &choice)));
    let walk = Walk::of(starts, &policy, threads, status)?;
    let moved_to = (0..walk.len()).filter_map(|place| better(&walk, place, whole));
    let forms: HashSet<u128> = moved_to.chain(lost.iter().copied()).collect();
    Ok(whole.positions().filter(|(form, _)| forms.contains(form)).collect())
}

/// Returns the form that the complete strategy moves to at `place`; `None` if it does not know the place or ends the
/// game.
fn better(walk: &Walk, place: usize, whole: &Strategy<'_, Position<6>>) -> Option<u128> {
    let position = Position::<6>::of_form(walk.form(place), Color::Black)?;
    let after = position.play(known_choice(&position, whole)?.best);
    after.outcome().is_none().then(|| after.form())
}

/// Adds positions so that, after each reply to a kept position, either some move leads to a kept position with fewer
/// plies, or the player has to call its solver. Where the position is not lost, the player must not hold if it can win.
fn keep_from_going_astray<G: Canonical>(all: &Positions, kept: &mut Positions) {
    loop {
        let missing: Vec<u128> = kept.iter().flat_map(|(&form, &plies)| astray::<G>(form, plies, all, kept)).collect();
        if missing.is_empty() {
            return;
        }
        kept.extend(missing.into_iter().map(|form| (form, all[&form])));
    }
}

/// Returns the positions that must be added so that the plies decrease after each reply to this position.
fn astray<G: Canonical>(form: u128, plies: u8, all: &Positions, kept: &Positions) -> Vec<u128> {
    let Some(position) = G::of_form(form, Color::White) else { return Vec::new() };
    let mut missing = Vec::new();
    for mv in position.legal_moves() {
        let reply = position.play(mv);
        if reply.outcome().is_some() {
            continue;
        }
        let after: Vec<G> = reply.legal_moves().into_iter().map(|mv| reply.play(mv)).collect();
        if after.iter().any(|after| after.outcome() == Some(Outcome::Win(reply.turn()))) {
            continue;
        }
        let forms: Vec<u128> = after.iter().filter(|after| after.outcome().is_none()).map(Canonical::form).collect();
        let least = |set: &Positions| forms.iter().filter_map(|form| Some((*set.get(form)?, *form))).min();
        let best = least(all);
        let is_astray = |stays: u8| match plies {
            ENDLESS => stays == ENDLESS && best.is_some_and(|(plies, _)| plies != ENDLESS),
            plies => u16::from(stays) + 2 > plies.into(),
        };
        if least(kept).is_some_and(|(stays, _)| is_astray(stays)) {
            missing.extend(best.map(|(_, form)| form));
        }
    }
    missing
}

/// Number of answers in a batch: about a second of work.
const BATCH: usize = 1 << 12;
/// Bytes of an answer in the journal: the form, then for a win the form after the move, the solver's nodes, and 1.
const RECORD: usize = 41;

/// Answers so far. The solver is called only once for each form.
pub(super) struct Answers {
    path: PathBuf,
    /// Most nodes of the solver for an answer.
    nodes: u64,
    kept: Mutex<Kept>,
    /// Number of answers in a batch of the journal.
    batch: usize,
}

struct Kept {
    /// By form; `None` if the solver finds no win.
    known: HashMap<u128, Option<Won>>,
    journal: BatchFile,
    /// Records that are not in the journal yet.
    new: Vec<u8>,
}

/// Winning move of the solver.
#[derive(Clone, Copy)]
struct Won {
    /// Form of the position after it.
    after: u128,
    nodes: u64,
}

impl Answers {
    /// Opens the journal of the cut that is written to `output`, or begins one. The solver gets `nodes` nodes.
    pub(super) fn open(output: &Path, nodes: u64) -> Result<Answers> {
        let path = PathBuf::from(format!("{}.journal", output.display()));
        let title = format!("kingline cut 1 {nodes} nodes");
        let mut known = HashMap::new();
        let opened = BatchFile::open(&path, Format { title, record: RECORD, is_replaceable: false }, |records| {
            known.extend(records.chunks_exact(RECORD).filter_map(answer));
            Ok(())
        });
        let other = "expected the journal of a cut; help: move it away, or name another file with --output";
        let journal = opened.map_err(|error| match error.is::<OtherFile>() {
            true => error.context(BadInput::new(format!("{}: {other}", path.display()))),
            false => error,
        })?;
        Ok(Answers { path, nodes, kept: Mutex::new(Kept { known, journal, new: Vec::new() }), batch: BATCH })
    }

    pub(super) fn count(&self) -> usize {
        self.kept().known.len()
    }

    /// Returns the solver's move in a position; `None` if it finds no win.
    pub(super) fn get(&self, position: &Position<6>) -> Result<Option<Taken<Position<6>>>> {
        let form = position.form();
        let known = self.kept().known.get(&form).copied();
        let won = match known {
            Some(won) => won,
            None => self.ask(position, form)?,
        };
        let Some(Won { after, nodes }) = won else { return Ok(None) };
        let after = Position::of_form(after, !position.turn()).context("found a form without a position")?;
        Ok(Some(Taken { aim: Aim::Win, after, nodes }))
    }

    fn ask(&self, position: &Position<6>, form: u128) -> Result<Option<Won>> {
        let choice = proved_choice(position, Limits::nodes(self.nodes));
        let won = choice.map(|choice| Won { after: position.play(choice.best).form(), nodes: choice.why.nodes() });
        let mut kept = self.kept();
        kept.known.insert(form, won);
        kept.new.extend(record(form, won));
        if kept.new.len() >= self.batch * RECORD {
            let batch = std::mem::take(&mut kept.new);
            kept.journal.append(&batch)?;
        }
        Ok(won)
    }

    pub(super) fn remove(self) -> Result<()> {
        let Answers { path, kept, .. } = self;
        drop(kept);
        std::fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn record(form: u128, won: Option<Won>) -> [u8; RECORD] {
    let mut bytes = [0; RECORD];
    bytes[..16].copy_from_slice(&form.to_le_bytes());
    if let Some(Won { after, nodes }) = won {
        bytes[16..32].copy_from_slice(&after.to_le_bytes());
        bytes[32..40].copy_from_slice(&nodes.to_le_bytes());
        bytes[40] = 1;
    }
    bytes
}

fn answer(record: &[u8]) -> Option<(u128, Option<Won>)> {
    let (form, rest) = record.split_first_chunk()?;
    let (after, rest) = rest.split_first_chunk()?;
    let (nodes, rest) = rest.split_first_chunk()?;
    let won = Won { after: u128::from_le_bytes(*after), nodes: u64::from_le_bytes(*nodes) };
    Some((u128::from_le_bytes(*form), (rest == [1]).then_some(won)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupted_run_leaves_its_answers() {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("part");
        let level: Position<6> = "-bbbb-/w----w/w----w/w----w/w----w/-bbbb- black".parse().unwrap();
        let won: Position<6> = "--bbb-/--w---/-b---b/ww-bbw/w----w/-b---w black".parse().unwrap();
        let answers = Answers { batch: 2, ..Answers::open(&output, 250_000).unwrap() };
        assert!(answers.get(&level).unwrap().is_none());
        let taken = answers.get(&won).unwrap().unwrap();
        drop(answers);
        assert!(Answers::open(&output, 20_000).err().unwrap().is::<BadInput>(), "another number of nodes");
        let answers = Answers::open(&output, 250_000).unwrap();
        assert_eq!(answers.count(), 2);
        let again = answers.get(&won).unwrap().unwrap();
        assert_eq!((again.aim, again.after.form(), again.nodes), (Aim::Win, taken.after.form(), taken.nodes));
        answers.remove().unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
