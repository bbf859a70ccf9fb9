//! Games of the engine against itself.

use kingline::game::{Color, Ending, Evaluator, History, Knowledge, Wdl, random_opening};
use kingline::score::Score;
use kingline::search::{Limits, Searcher};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::learn::game::Learned;
use crate::learn::record::{GameResult, Record};
use crate::learn::seed::game_seed;

/// Size of the transposition table in bytes. The table is kept for the whole game.
pub(in crate::learn) const TABLE_BYTES: usize = 8 << 20;
/// Number of consecutive searches with a drawish score after which a game is dead.
const DEAD_SEARCHES: u32 = 12;
/// Largest drawish score, in the evaluation's unit.
const DEAD_SCORE: i16 = 10;
/// Smallest number of quiet turns in a dead game.
const DEAD_QUIET_TURNS: u16 = 16;

/// Plays game number `game` of `seed` and returns its records. Each position is searched for `nodes` nodes; the same
/// numbers give the same game. A game ends by the rules, when a proof or a table gives its result, when it is dead, or
/// at the turn limit.
pub(super) fn play<G: Learned>(
    evaluation: &(impl Evaluator<G> + Clone),
    knowledge: impl Knowledge<G> + Copy,
    seed: u64,
    game: u32,
    nodes: u64,
) -> Vec<Record> {
    let mut rng = StdRng::seed_from_u64(game_seed(seed, game));
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

/// Plays random turns to a roughly level position. Returns the game and the number of turns.
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
