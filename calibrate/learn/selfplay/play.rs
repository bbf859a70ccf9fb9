//! How does the engine play a game with itself to learn from it?

use kingline::game::{Color, Ending, Evaluator, History, Knowledge, Wdl, random_opening};
use kingline::score::Score;
use kingline::search::{Limits, Searcher};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::learn::game::Learned;
use crate::learn::mix;
use crate::learn::record::{GameResult, Record};

/// Bytes of the transposition table: it fills in a game, not in a move.
const TABLE_BYTES: usize = 8 << 20;
/// A game is dead after this many searches in a row that say nothing but a draw, ...
const DEAD_SEARCHES: u32 = 12;
/// ... by no more than this score, in the evaluation's unit, ...
const DEAD_SCORE: i16 = 10;
/// ... with at least this many quiet turns.
const DEAD_QUIET_TURNS: u16 = 16;

/// The records of game number `game` of this seed, each position searched for `nodes` nodes; equal numbers give equal
/// games. A game ends by the rules, with a proof or a table that says its result, after a long time without any
/// prospect of one, or after the most turns of its kind.
pub(super) fn play<G: Learned>(
    evaluation: &(impl Evaluator<G> + Clone),
    knowledge: impl Knowledge<G> + Copy,
    seed: u64,
    game: u32,
    nodes: u64,
) -> Vec<Record> {
    let mut rng = StdRng::seed_from_u64(mix(seed, game));
    let (mut history, mut ply) = opening(evaluation, knowledge, nodes, &mut rng);
    let mut searcher = Searcher::new(evaluation.clone()).with_table_limit(TABLE_BYTES).with_knowledge(knowledge);
    let mut records = Vec::new();
    let mut dead = 0;
    let winner = loop {
        let position: G = history.position();
        match history.ending() {
            Some(Ending::Win(winner)) => break Some(winner),
            Some(Ending::Draw(_)) => break None,
            None => {}
        }
        if let Some(known) = knowledge.probe(&position, history.quiet_turns()) {
            break match known.outcome() {
                Wdl::Win => Some(position.turn()),
                Wdl::Draw => None,
                Wdl::Loss => Some(!position.turn()),
            };
        }
        if ply >= G::LONGEST || dead >= DEAD_SEARCHES && history.quiet_turns() >= DEAD_QUIET_TURNS {
            break None;
        }
        let list = position.legal_moves();
        let mut mv = list[0];
        if list.len() > 1 {
            let report = searcher.search(&history, Limits::nodes(nodes), &mut ());
            if report.score.is_decided() {
                break Some(if report.score.is_win() { position.turn() } else { !position.turn() });
            }
            mv = report.best.unwrap_or(mv);
            dead = if report.score.value().abs() <= DEAD_SCORE { dead + 1 } else { 0 };
            records.push(Record {
                pieces: position.pack(),
                turn: position.turn(),
                game,
                score: report.score.value(),
                ply,
                quiet_turns: G::quiet_turns(&history),
                captures: position.has_captures(),
                threatened: position.turned().has_captures(),
                last: false,
                result: GameResult::Drawn,
                depth: u8::try_from(report.depth.0).unwrap_or(u8::MAX),
            });
        }
        history.play(mv);
        ply += 1;
    };
    finish(&mut records, winner);
    records
}

/// Random turns, as many as the game's kind wants, to a position that is about level; and how many they are.
fn opening<G: Learned>(
    evaluation: &(impl Evaluator<G> + Clone),
    knowledge: impl Knowledge<G> + Copy,
    nodes: u64,
    rng: &mut StdRng,
) -> (History<G>, u16) {
    loop {
        let plies = rng.random_range(G::OPENING);
        let Some(opening) = random_opening::<G>(plies, |moves| rng.random_range(0..moves)) else { continue };
        let searcher = Searcher::new(evaluation.clone()).with_table_limit(TABLE_BYTES);
        let mut searcher = searcher.with_knowledge(knowledge);
        let report = searcher.search(&opening.history, Limits::nodes(nodes), &mut ());
        if (Score::estimate(-i32::from(G::LEVEL))..=Score::estimate(G::LEVEL.into())).contains(&report.score) {
            return (opening.history, plies as u16);
        }
    }
}

/// Writes the result into all records of a game.
fn finish(records: &mut [Record], winner: Option<Color>) {
    for record in records.iter_mut() {
        record.result = GameResult::of(winner, record.turn);
    }
    if let Some(last) = records.last_mut() {
        last.last = true;
    }
}
