use kingline::game::{Evaluator, Game, Knowledge, Outcome, Progress, Rules, Searched, Value};
use kingline::score::{Ply, Score};

/// An evaluation that is a hash of the position, with seven values.
#[derive(Clone, Copy)]
pub(super) struct Hashed;

impl<G: Game> Evaluator<G> for Hashed {
    /// Key of the position, to check that the search carries the state along.
    type State = u64;
    fn start(&self, position: &G) -> u64 {
        position.key()
    }
    fn advance(&self, _: &u64, _: &G, _: G::Move, after: &G, next: &mut u64) {
        *next = after.key();
    }
    fn passed(&self, _: &u64, after: &G, next: &mut u64) {
        *next = after.key();
    }
    fn evaluate(&self, state: &u64, position: &G) -> Score {
        assert_eq!(*state, position.key(), "the state belongs to another position");
        Score::estimate(((state.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) % 7) as i32 * 10 - 30)
    }
}

/// Plain negamax over whole histories, with the search's horizon: captures are searched further unless the game needs
/// no quiescence, forced moves may be extended, and a position that recurs within the search is drawn.
pub(super) struct Oracle<'a, G, T> {
    pub(super) game: &'a [G],
    pub(super) tables: &'a T,
    pub(super) rules: Rules,
    /// True if the only legal move costs no depth, unless it changes material.
    pub(super) forced_move_extension: bool,
    /// Ply at which the game is drawn.
    pub(super) last_ply: u16,
    /// True if any value depended on the path to its position.
    pub(super) by_path: bool,
    /// True if any value came from a table.
    pub(super) by_table: bool,
}

impl<G: Searched, T: Knowledge<G>> Oracle<'_, G, T> {
    /// Value of the root position, from which play continues whatever its outcome: that of an immediate win, or of its
    /// best move.
    pub(super) fn value(&mut self, position: G, quiet: u16, depth: i16) -> Score {
        let wins = |&mv: &G::Move| {
            let after = position.play(mv);
            after.outcome().map_or(moves(&after).is_empty(), |outcome| outcome == Outcome::Win(position.turn()))
        };
        match moves(&position) {
            list if list.is_empty() => Score::loss_in(Ply(0)),
            list if list.iter().any(wins) => Score::win_in(Ply(1)),
            list => self.best(&[position], &list, quiet, depth - 1),
        }
    }

    /// Value of the last position of `path`, which begins at the root.
    fn value_below(&mut self, path: &[G], quiet: u16, depth: i16) -> Score {
        let position = path[path.len() - 1];
        let ply = path.len() as u16 - 1;
        match position.outcome() {
            Some(Outcome::Win(winner)) if winner == position.turn() => return Score::win_in(Ply(ply)),
            Some(Outcome::Win(_)) => return Score::loss_in(Ply(ply)),
            Some(Outcome::Draw) => return Score::DRAW,
            None => {}
        }
        let before = path[1..path.len() - 1].iter().filter(|&&other| other == position).count();
        let in_game = self.game.iter().filter(|&&other| other == position).count();
        // Without a repetition rule, one occurrence in the game is enough.
        if before > 0 || in_game + 1 >= G::REPETITION_LIMIT.map_or(2, usize::from) {
            self.by_path = true;
            return Score::DRAW;
        }
        let list = moves(&position);
        let at_limit = ply >= self.last_ply || self.rules.quiet_limit::<G>().is_some_and(|limit| quiet >= limit);
        // Tables ignore a limit on the game's length.
        if !at_limit
            && self.last_ply == u16::MAX
            && let Some(value) = self.tables.probe(&position, quiet, self.rules)
        {
            self.by_table = true;
            return match value {
                Value::Win(plies) => Score::table_win(Ply(ply), plies),
                Value::Draw => Score::DRAW,
                Value::Loss(plies) => Score::table_loss(Ply(ply), plies),
            };
        }
        if G::STATIC_EVAL_SUFFICES && depth <= 0 && !at_limit {
            return Hashed.evaluate(&position.key(), &position);
        }
        if list.is_empty() {
            return Score::loss_in(Ply(ply));
        }
        if at_limit {
            return Score::DRAW;
        }
        let loud = list.iter().any(|&mv| !position.is_quiet(mv));
        if depth <= 0 && !loud {
            return Hashed.evaluate(&position.key(), &position);
        }
        let forced = self.forced_move_extension && list.len() == 1 && !loud && depth > 0;
        self.best(path, &list, quiet, if forced { depth } else { depth - 1 })
    }

    /// Values of all moves of the root position, in the order of the list.
    pub(super) fn values(&mut self, position: G, quiet: u16, depth: i16) -> Vec<Score> {
        self.children(&[position], &moves(&position), quiet, depth - 1)
    }

    fn best(&mut self, path: &[G], list: &[G::Move], quiet: u16, depth: i16) -> Score {
        self.children(path, list, quiet, depth).into_iter().max().expect("a move")
    }

    fn children(&mut self, path: &[G], list: &[G::Move], quiet: u16, depth: i16) -> Vec<Score> {
        let position = path[path.len() - 1];
        let values = list.iter().map(|&mv| {
            let mut longer = path.to_vec();
            longer.push(position.play(mv));
            let quiet = if position.progress(mv) == Progress::Zeroing { 0 } else { quiet + 1 };
            -self.value_below(&longer, quiet, depth)
        });
        values.collect()
    }
}

pub(super) fn moves<G: Game>(position: &G) -> Vec<G::Move> {
    position.legal_moves().to_vec()
}

/// Tables with arbitrary values that look like real ones to the search. They cover only some piece counts, which quiet
/// turns never change; the function counts the pieces. A distance beyond the remaining quiet turns gives a draw, or
/// `None` as if it were not known precisely enough.
pub(super) struct MadeUp<G>(pub(super) fn(&G) -> u32);

impl<G: Game> Knowledge<G> for MadeUp<G> {
    fn probe(&self, position: &G, quiet_turns: u16, rules: Rules) -> Option<Value> {
        if !self.0(position).is_multiple_of(3) || moves(position).is_empty() {
            return None;
        }
        let hash = position.key().wrapping_mul(0xd6e8_feb8_6659_fd93);
        let plies = (hash >> 32) as u16 % 51;
        if rules.quiet_limit::<G>().is_some_and(|limit| quiet_turns + plies > limit) {
            // Coarse distances are in doubt only if there were many quiet turns.
            return (quiet_turns < 39 || hash & 1 == 0).then_some(Value::Draw);
        }
        Some(match (hash >> 48) % 3 {
            0 => Value::Win(plies),
            1 => Value::Draw,
            _ => Value::Loss(plies),
        })
    }
}
