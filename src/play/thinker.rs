//! How long do the automatic players of a session think, and what do they move?

use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, Instant};

use super::choice::Choice;
use super::loa_player::LoaPlayer;
use super::move_time::{MoveTime, Watched};
use super::params::{
    ENDLESS_OCCURRENCES, FEWEST_MOVES_TO_GO, GAME_TIME, GAMES_TO_GO, HINT_TIME, LEAST_SEEDED_NODES, LOA_TABLE_BYTES,
    PROCESS_TIME, SEEDED_GAME_NODES, UNWATCHED_TIME, USUAL_MOVES,
};
use crate::game::{Color, Game, History};
use crate::loa::{Move, Position};
use crate::protocol::commands::Pace;
use crate::search::{Limits, Observer, TimeLimit};

/// What is to be thought about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thought {
    /// The game up to the position in which a move is wanted.
    pub history: History<Position<8>>,
    /// The game is a tie after this number of further moves of both sides; `None`: never.
    pub plies: Option<u16>,
}

/// Both automatic players, which share one memory of the game.
#[derive(Debug)]
pub struct Thinker {
    player: LoaPlayer<8>,
    pace: Pace,
    /// That of the start.
    usual_pace: Pace,
    /// What each side may still spend on this game.
    left: [Allowance; 2],
    /// Moves that each side has chosen in it.
    chosen: [u32; 2],
    /// Time that each side has spent since the start of the process.
    spent: [Duration; 2],
    seed: Option<u64>,
}

/// How automatic players are to think.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How long a move may take, unless seeded.
    pub pace: Pace,
    /// What their random choices depend on, if it was given.
    pub seed: Option<u64>,
}

/// What a side may still spend on a game: time, or once seeded nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Allowance {
    time: Duration,
    nodes: u64,
}

/// Whether anybody waits for what the automatic players do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Somebody may be watching.
    Present,
    /// The next command, or the end of all commands, is there already.
    Absent,
}

impl Thinker {
    /// Players that play differently every time.
    pub(super) fn new(pace: Pace) -> Thinker {
        let variety = RandomState::new().hash_one(0);
        let mut thinker = Thinker {
            player: LoaPlayer::new(variety, LOA_TABLE_BYTES),
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

    /// From now on equal commands lead to equal moves, however fast the machine is.
    pub(super) fn seed(&mut self, seed: u64) {
        self.player = LoaPlayer::new(seed, LOA_TABLE_BYTES);
        self.seed = Some(seed);
        for left in &mut self.left {
            left.nodes = SEEDED_GAME_NODES;
        }
    }

    /// How they are to think.
    pub fn settings(&self) -> Settings {
        Settings { pace: self.pace, seed: self.seed }
    }

    /// From now on moves are made at this pace; `None`: at that of the start. Once seeded, it does not matter.
    pub(super) fn set_pace(&mut self, pace: Option<Pace>) {
        self.pace = pace.unwrap_or(self.usual_pace);
    }

    /// A new game begins.
    pub(super) fn new_game(&mut self) {
        self.chosen = [0; 2];
        for color in Color::ALL {
            let time = match self.pace {
                Pace::PerProcess => PROCESS_TIME.saturating_sub(self.spent[color.index()]) / GAMES_TO_GO,
                Pace::PerGame | Pace::Constant(_) => GAME_TIME,
            };
            self.left[color.index()] = Allowance { time: time.min(GAME_TIME), nodes: SEEDED_GAME_NODES };
        }
    }

    /// Nobody watches the two players: what is left of the game is played fast.
    pub(super) fn hurry(&mut self) {
        for left in &mut self.left {
            left.time = left.time.min(UNWATCHED_TIME);
        }
    }

    /// The move to make; none if there is none. `observer` watches the search; where it stops it, the move is the best so
    /// far, and is not counted as one that was made.
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

    /// What a person might move, thought about for as long as an automatic player would at a constant pace, or for
    /// one second. It costs the automatic players nothing.
    pub fn hint(
        &mut self,
        thought: &Thought,
        observer: &mut impl Observer<Position<8>>,
    ) -> Option<Choice<Position<8>>> {
        let limits = match self.pace {
            _ if self.seed.is_some() => Limits::nodes(LEAST_SEEDED_NODES),
            Pace::Constant(time) => Limits::time(time),
            Pace::PerGame | Pace::PerProcess => Limits::time(HINT_TIME),
        };
        self.player.choose_watched(&thought.history, Limits { game_plies: thought.plies, ..limits }, observer)
    }

    /// The choice within these limits, or where a whole game has a time near them: what a move leaves, others can have.
    fn think(
        &mut self,
        history: &History<Position<8>>,
        side: usize,
        limits: Limits,
        observer: &mut impl Observer<Position<8>>,
    ) -> Option<Choice<Position<8>>> {
        match (self.pace, limits.time) {
            (Pace::PerGame | Pace::PerProcess, Some(TimeLimit::Wall(share))) => {
                let time = MoveTime::new(share, self.left[side].time);
                self.player.choose_watched(history, limits, &mut Watched { time, observer })
            }
            _ => self.player.choose_watched(history, limits, observer),
        }
    }

    /// What is meant for the next move of a side: an equal share of what is left for the moves that a game usually takes, or
    /// that its limit leaves.
    fn limits(&self, side: usize, plies: Option<u16>) -> Limits {
        let usual = USUAL_MOVES.saturating_sub(self.chosen[side]);
        let moves = plies.map_or(usual, |plies| usual.min(plies.div_ceil(2).into())).max(FEWEST_MOVES_TO_GO);
        let left = self.left[side];
        match self.pace {
            _ if self.seed.is_some() => Limits::nodes((left.nodes / u64::from(moves)).max(LEAST_SEEDED_NODES)),
            Pace::Constant(time) => Limits::time(time),
            Pace::PerGame | Pace::PerProcess => Limits::time(left.time / moves),
        }
    }
}

/// Whether two players who are both content with a repetition would go on forever: no limit of moves ends the game, and
/// a position that has often been there is left for one that has been there too.
fn is_endless(history: &History<Position<8>>, plies: Option<u16>, mv: Move) -> bool {
    plies.is_none()
        && history.occurrences() >= ENDLESS_OCCURRENCES
        && history.positions().contains(&history.position().play(mv))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(limits: Limits) -> Duration {
        match limits.time {
            Some(TimeLimit::Wall(time)) => time,
            _ => Duration::ZERO,
        }
    }

    /// What Black spends on its first `moves` moves of a game that is a tie after `limit` of each side.
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
    fn no_move_takes_long_though_it_be_the_last() {
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
    fn a_game_that_nobody_watches_is_short_from_where_it_is() {
        let mut thinker = Thinker::new(Pace::PerGame);
        spent(&mut thinker, 5, Some(30));
        thinker.hurry();
        assert!(spent(&mut thinker, 30, Some(30)).time <= UNWATCHED_TIME);
        let mut thinker = Thinker::new(Pace::Constant(Duration::from_secs(1)));
        thinker.hurry();
        assert_eq!(spent(&mut thinker, 1000, None).time, Duration::from_secs(1000), "a constant time stays constant");
    }

    #[test]
    fn a_seeded_game_has_few_nodes_and_its_moves_are_never_without() {
        let mut thinker = Thinker::new(Pace::PerGame);
        thinker.seed(1);
        assert!(spent(&mut thinker, 30, Some(30)).nodes <= SEEDED_GAME_NODES);
        assert!(thinker.limits(0, Some(2)).nodes >= Some(LEAST_SEEDED_NODES));
        thinker.seed(2);
        assert!(spent(&mut thinker, 200, None).nodes <= SEEDED_GAME_NODES + 200 * LEAST_SEEDED_NODES);
    }
}
