use std::hash::{BuildHasher, RandomState};
use std::num::NonZero;
use std::time::{Duration, Instant};

use super::choice::Choice;
use super::effort::Effort;
use super::loa_player::{LoaPlayer, LoaSettings};
use super::params::{
    ANALYSIS_TABLE_BYTES, ENDLESS_OCCURRENCES, FEWEST_MOVES_TO_GO, GAME_TIME, GAMES_TO_GO, HINT_TIME,
    LEAST_SEEDED_NODES, LOA_TABLE_BYTES, PROCESS_TIME, SEEDED_GAME_NODES, UNWATCHED_TIME, USUAL_MOVES,
};
use super::reply::Thought;
use super::time_manager::{MoveDemand, TimeManager};
use crate::protocol::commands::Pace;
use kingline::clock::Clock;
use kingline::evaluate::loa::Evaluation;
use kingline::game::{Color, Game, History};
use kingline::loa::{Move, Position};
use kingline::search::{Limits, Observer, Searcher, TimeLimit};

/// Both automatic players, which share one memory.
#[derive(Debug)]
pub struct Thinker {
    evaluation: Evaluation<8>,
    /// Threads of each search that time limits.
    threads: NonZero<usize>,
    player: LoaPlayer<8>,
    pace: Pace,
    usual_pace: Pace,
    /// Allowance left to each side in this game.
    left: [Allowance; 2],
    /// Number of moves that each side has chosen in this game.
    chosen: [u32; 2],
    /// Time spent by each side since the start of the process.
    spent: [Duration; 2],
    seed: Option<u64>,
}

/// Search of positions for a person or program who analyzes them.
pub(super) type Analyst = Searcher<Position<8>, Evaluation<8>>;

/// Settings of the automatic players.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Pace of moves; with a seed, only a level that counts nodes applies.
    pub pace: Pace,
    /// Seed of the players' random choices, if any.
    pub seed: Option<u64>,
}

/// Allowance of a side for the rest of a game: time, or nodes if there is a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Allowance {
    time: Duration,
    nodes: u64,
}

/// Spectators of the automatic players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spectators {
    /// Somebody may be watching.
    Present,
    /// Nobody is watching: the next command, or the end of the commands, has already arrived.
    Absent,
}

fn player(evaluation: &Evaluation<8>, threads: NonZero<usize>, variety: u64) -> LoaPlayer<8> {
    let evaluation = evaluation.clone().with_variety(variety);
    LoaPlayer::with(evaluation, LoaSettings::default(), LOA_TABLE_BYTES).with_threads(threads)
}

impl Thinker {
    /// Players whose games differ every time.
    pub(super) fn new(pace: Pace) -> Thinker {
        let (evaluation, variety) = (Evaluation::default(), RandomState::new().hash_one(0));
        let threads = NonZero::<usize>::MIN;
        let mut thinker = Thinker {
            player: player(&evaluation, threads, variety),
            evaluation,
            threads,
            pace,
            usual_pace: pace,
            left: [Allowance { time: Duration::ZERO, nodes: 0 }; 2],
            chosen: [0; 2],
            spent: [Duration::ZERO; 2],
            seed: None,
        };
        thinker.new_game();
        thinker
    }

    /// Replaces the evaluation, and empties the players' memory.
    #[must_use]
    pub(super) fn with_evaluation(self, evaluation: Evaluation<8>) -> Thinker {
        Thinker { evaluation, ..self }.with_empty_memory()
    }

    /// Replaces the number of threads, and empties the players' memory.
    #[must_use]
    pub(super) fn with_threads(self, threads: NonZero<usize>) -> Thinker {
        Thinker { threads, ..self }.with_empty_memory()
    }

    fn with_empty_memory(mut self) -> Thinker {
        let variety = self.seed.unwrap_or_else(|| RandomState::new().hash_one(0));
        self.player = player(&self.evaluation, self.threads, variety);
        self
    }

    /// Seeds the players. From now on, the same commands lead to the same moves on any machine.
    pub(super) fn seed(&mut self, seed: u64) {
        self.player = player(&self.evaluation, self.threads, seed);
        self.seed = Some(seed);
        for left in &mut self.left {
            left.nodes = SEEDED_GAME_NODES;
        }
    }

    /// Settings of the players.
    pub fn settings(&self) -> Settings {
        Settings { pace: self.pace, seed: self.seed }
    }

    /// Sets the pace of moves; `None` restores the initial pace. With a seed, only a level that counts nodes has an
    /// effect.
    pub(super) fn set_pace(&mut self, pace: Option<Pace>) {
        self.pace = pace.unwrap_or(self.usual_pace);
    }

    pub(super) fn new_game(&mut self) {
        self.chosen = [0; 2];
        for color in Color::ALL {
            let time = match self.pace {
                Pace::PerProcess => PROCESS_TIME.saturating_sub(self.spent[color.index()]) / GAMES_TO_GO,
                Pace::PerGame | Pace::Constant(_) | Pace::Level(_) => GAME_TIME,
            };
            self.left[color.index()] = Allowance { time: time.min(GAME_TIME), nodes: SEEDED_GAME_NODES };
        }
    }

    /// Makes the rest of the game fast, because nobody watches the two players.
    pub(super) fn hurry(&mut self) {
        for left in &mut self.left {
            left.time = left.time.min(UNWATCHED_TIME);
        }
    }

    /// Chooses a move; `None` if no move is legal. If `observer` stops the search, the move is the best so far and does
    /// not count as made.
    pub fn choose(
        &mut self,
        thought: &Thought,
        observer: &mut impl Observer<Position<8>>,
    ) -> Option<Choice<Position<8>>> {
        let Thought { history, plies } = thought;
        let side = history.position().turn().index();
        let limits = self.limits(side, *plies);
        let start = Instant::now();
        let choice = self.think(history, side, Limits { game_plies: *plies, ..limits }, observer).map(|choice| {
            let is_endless = is_endless(history, *plies, choice.best);
            let away = if is_endless { self.player.choose_new(history, limits, observer) } else { None };
            Choice { best: away.unwrap_or(choice.best), ..choice }
        });
        let took = start.elapsed();
        self.chosen[side] += u32::from(observer.poll().is_continue());
        self.spent[side] += took;
        self.left[side].time = self.left[side].time.saturating_sub(took);
        self.left[side].nodes = self.left[side].nodes.saturating_sub(limits.nodes.unwrap_or(0));
        choice
    }

    /// Chooses a move as a hint for a person. At a constant pace it takes as long as an automatic move, otherwise one
    /// second. It does not reduce the allowance of the automatic players, and does not help weak ones.
    pub fn hint(
        &mut self,
        thought: &Thought,
        observer: &mut impl Observer<Position<8>>,
    ) -> Option<Choice<Position<8>>> {
        let limits = match self.pace {
            _ if self.seed.is_some() => Limits::nodes(LEAST_SEEDED_NODES),
            Pace::Constant(time) => Limits::time(time),
            Pace::PerGame | Pace::PerProcess | Pace::Level(_) => Limits::time(HINT_TIME),
        };
        let limits = Limits { game_plies: thought.plies, ..limits };
        if matches!(self.effort(), Some(Effort::Nodes(_))) {
            // A player that remembers a long search would play above its level.
            let mut adviser = player(&self.evaluation, self.threads, self.seed.unwrap_or(0));
            return adviser.choose_watched(&thought.history, limits, observer);
        }
        self.player.choose_watched(&thought.history, limits, observer)
    }

    /// Search with an empty memory, for an analysis that does not depend on the game and does not change the moves of the
    /// players.
    pub(super) fn analyst(&self) -> Analyst {
        let analyst = Searcher::new(self.evaluation.clone()).with_threads(self.threads);
        analyst.with_table_limit(ANALYSIS_TABLE_BYTES).with_table_reserved()
    }

    /// Returns true if nodes limit the moves, so that equal commands give equal games.
    pub(super) fn counts_nodes(&self) -> bool {
        self.seed.is_some() || matches!(self.effort(), Some(Effort::Nodes(_)))
    }

    /// Effort of the level, if one is set.
    fn effort(&self) -> Option<Effort> {
        match self.pace {
            Pace::Level(level) => Some(Effort::of(level)),
            Pace::Constant(_) | Pace::PerGame | Pace::PerProcess => None,
        }
    }

    /// Chooses a move within these limits. If the time is for a whole game, the move may take less or more than its
    /// share; later moves share the rest.
    fn think(
        &mut self,
        history: &History<Position<8>>,
        side: usize,
        limits: Limits,
        observer: &mut impl Observer<Position<8>>,
    ) -> Option<Choice<Position<8>>> {
        match (self.pace, limits.time) {
            (Pace::PerGame | Pace::PerProcess, Some(TimeLimit::Wall(share))) => {
                let demand = MoveDemand::new(share);
                let (most, clock) = (demand.most(self.left[side].time), Clock::Wall(Instant::now()));
                let mut manager = TimeManager::new(demand, most, (clock, Duration::ZERO), observer);
                self.player.choose_watched(history, limits, &mut manager)
            }
            _ => self.player.choose_watched(history, limits, observer),
        }
    }

    /// Limits for the next move of a side: the effort of the level, the constant time, or the allowance divided by the
    /// usual number of remaining moves, or by the number that the move limit leaves.
    fn limits(&self, side: usize, plies: Option<u16>) -> Limits {
        let usual = USUAL_MOVES.saturating_sub(self.chosen[side]);
        let moves = plies.map_or(usual, |plies| usual.min(plies.div_ceil(2).into())).max(FEWEST_MOVES_TO_GO);
        let left = self.left[side];
        match (self.effort(), self.pace) {
            (Some(effort @ Effort::Nodes(_)), _) => effort.limits(),
            _ if self.seed.is_some() => Limits::nodes((left.nodes / u64::from(moves)).max(LEAST_SEEDED_NODES)),
            (Some(effort), _) => effort.limits(),
            (None, Pace::Constant(time)) => Limits::time(time),
            (None, _) => Limits::time(left.time / moves),
        }
    }
}

/// Returns true if the players would repeat positions forever: no move limit ends the game, the position has occurred
/// often, and `mv` leads to a position that has occurred before.
fn is_endless(history: &History<Position<8>>, plies: Option<u16>, mv: Move) -> bool {
    plies.is_none()
        && history.occurrences() >= ENDLESS_OCCURRENCES
        && history.positions().contains(&history.position().play(mv))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::params::{LEVEL_NODES, LEVEL_TIMES};
    use crate::protocol::commands::Level;

    fn time(limits: Limits) -> Duration {
        match limits.time {
            Some(TimeLimit::Wall(time)) => time,
            _ => Duration::ZERO,
        }
    }

    /// Allowance that Black spends on its first `moves` moves. The game is a tie after `limit` moves of each side.
    fn spent(thinker: &mut Thinker, moves: u16, limit: Option<u16>) -> Allowance {
        let mut sum = Allowance { time: Duration::ZERO, nodes: 0 };
        for made in 0..moves {
            let limits = thinker.limits(0, limit.map(|limit| 2 * (limit - made)));
            let (time, nodes) = (time(limits), limits.nodes.unwrap_or(0));
            sum = Allowance { time: sum.time + time, nodes: sum.nodes + nodes };
            let left = &mut thinker.left[0];
            *left = Allowance { time: left.time.saturating_sub(time), nodes: left.nodes.saturating_sub(nodes) };
            thinker.spent[0] += time;
            thinker.chosen[0] += 1;
        }
        sum
    }

    #[test]
    fn a_side_spends_four_seconds_at_most_however_long_the_game_is() {
        for (moves, limit) in [(30, Some(30)), (3, Some(3)), (500, Some(500)), (10_000, None)] {
            let mut thinker = Thinker::new(Pace::PerGame);
            for _ in 0..2 {
                let time = spent(&mut thinker, moves, limit).time;
                assert!(time <= Duration::from_secs(4), "{time:?}");
                assert!(moves < 30 || time > Duration::from_secs(3), "{moves} moves: {time:?}");
                thinker.new_game();
            }
        }
    }

    #[test]
    fn no_move_takes_long_even_if_it_is_the_last() {
        for plies in [None, Some(1), Some(2), Some(60)] {
            let mut thinker = Thinker::new(Pace::PerGame);
            assert!(time(thinker.limits(0, plies)) <= Duration::from_millis(700));
            thinker.hurry();
            assert!(time(thinker.limits(1, plies)) <= Duration::from_millis(200));
        }
    }

    #[test]
    fn a_process_of_many_games_keeps_within_fourteen_seconds() {
        let mut thinker = Thinker::new(Pace::PerProcess);
        let mut sum = Duration::ZERO;
        for _ in 0..50 {
            thinker.new_game();
            let time = spent(&mut thinker, 60, None).time;
            assert!(time <= Duration::from_secs(4) && time > Duration::ZERO);
            sum += time;
        }
        assert!(sum <= Duration::from_secs(14), "{sum:?}");
    }

    #[test]
    fn the_rest_of_an_unwatched_game_is_short() {
        let mut thinker = Thinker::new(Pace::PerGame);
        spent(&mut thinker, 5, Some(30));
        thinker.hurry();
        assert!(spent(&mut thinker, 30, Some(30)).time <= UNWATCHED_TIME);
        let mut thinker = Thinker::new(Pace::Constant(Duration::from_secs(1)));
        thinker.hurry();
        assert_eq!(spent(&mut thinker, 1000, None).time, Duration::from_secs(1000), "a constant time stays constant");
    }

    #[test]
    fn a_level_decides_the_effort_for_each_move() {
        let mut thinker = Thinker::new(Pace::PerGame);
        let level = |number: &str| Some(Pace::Level(Level::read(number).unwrap()));
        thinker.set_pace(level("2"));
        assert_eq!(thinker.limits(0, None), Limits::nodes(LEVEL_NODES[1]));
        thinker.set_pace(level("8"));
        assert_eq!(thinker.limits(0, Some(2)), Limits::time(LEVEL_TIMES[1]));
        thinker.seed(1);
        assert_eq!(thinker.limits(0, None).time, None, "a seeded player counts nodes");
        thinker.set_pace(level("2"));
        assert_eq!(thinker.limits(0, None), Limits::nodes(LEVEL_NODES[1]));
        thinker.set_pace(None);
        assert!(thinker.limits(0, None).nodes > Some(LEVEL_NODES[1]));
    }

    #[test]
    fn a_hint_does_not_raise_the_level() {
        let start = || Thought { history: Position::start().into(), plies: None };
        let choice = |hints: usize| {
            let mut thinker = Thinker::new(Pace::Level(Level::read("2").unwrap()));
            thinker.seed(1);
            for _ in 0..hints {
                thinker.hint(&start(), &mut ()).expect("a move");
            }
            thinker.choose(&start(), &mut ()).expect("a move").in_words(&Position::start())
        };
        assert_eq!(choice(0), choice(1));
    }

    #[test]
    fn a_seeded_game_has_few_nodes_but_every_move_has_some() {
        let mut thinker = Thinker::new(Pace::PerGame);
        thinker.seed(1);
        assert!(spent(&mut thinker, 30, Some(30)).nodes <= SEEDED_GAME_NODES);
        assert!(thinker.limits(0, Some(2)).nodes >= Some(LEAST_SEEDED_NODES));
        thinker.seed(2);
        assert!(spent(&mut thinker, 200, None).nodes <= SEEDED_GAME_NODES + 200 * LEAST_SEEDED_NODES);
    }
}
