use super::params::{
    CAPTURE, COUNTER, HISTORY_BOUND, KILLERS, LOGARITHM_STEPS, LateMoveReduction, MAX_PLY, Params, TABLE_MOVE,
    history_bonus,
};
use super::table::Entry;
use crate::game::{Game, MAX_MOVES, MoveList, Searched};
use crate::score::{Depth, Ply};

#[derive(Debug)]
pub(super) struct MoveOrder<G: Game> {
    /// Two killer moves per ply, which caused cutoffs there, the latest first. S. Akl, M. Newborn, "The principal
    /// continuation and the killer heuristic", 1977.
    killers: Vec<[Option<G::Move>; 2]>,
    /// By side to move and slot: how often the move caused cutoffs, with more weight on recent and deep ones; at most
    /// [`HISTORY_BOUND`] in absolute value. J. Schaeffer, "The history heuristic", 1983.
    history: Vec<i16>,
    /// By side to move and slot of the opponent's last move: the move that refuted it. J. Uiterwijk, "The countermove
    /// heuristic", 1992.
    counter_moves: Vec<Option<G::Move>>,
}

pub(super) struct Context<M> {
    pub(super) side: usize,
    pub(super) ply: Ply,
    /// Move that led here; none at the root and after a null move.
    pub(super) previous: Option<M>,
}

/// Moves of a node and their order: buffers of one ply, allocated once per search.
#[derive(Clone)]
pub(super) struct PlyBuffers<G: Game> {
    pub(super) list: MoveList<G::Move>,
    /// The moves that were picked, in that order, and then the others.
    ranks: [Rank; MAX_MOVES],
}

/// Rating of a move, and its index in the list in the lowest eight bits: of equal ratings, the first in the list ranks
/// highest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank(i32);

impl Rank {
    #[inline(always)]
    const fn new(rating: i32, index: usize) -> Rank {
        const { assert!(MAX_MOVES <= 256, "an index has eight bits") };
        Rank((rating << 8) | (255 - index as i32))
    }

    #[inline(always)]
    const fn index(self) -> usize {
        255 - (self.0 & 255) as usize
    }
}

impl<G: Game> PlyBuffers<G> {
    pub(super) fn new() -> PlyBuffers<G> {
        PlyBuffers { list: MoveList::new(), ranks: [Rank::new(0, 0); MAX_MOVES] }
    }

    pub(super) fn list_moves(&mut self, position: &G) {
        self.list.clear();
        position.moves(&mut self.list);
    }

    /// Picks the best-rated of the moves not yet picked, the `number`-th from 0; of moves with equal ratings, the first
    /// in the list. Returns its index there.
    // One caller, in the hot loop: without LTO the compiler would not inline it.
    #[inline(always)]
    pub(super) fn pick(&mut self, number: usize) -> usize {
        let ranks = &mut self.ranks[..self.list.len()];
        let mut best = number;
        for place in number + 1..ranks.len() {
            if ranks[place] > ranks[best] {
                best = place;
            }
        }
        ranks.swap(number, best);
        ranks[number].index()
    }

    fn picked(&self, number: usize) -> impl Iterator<Item = G::Move> {
        self.ranks[..number].iter().map(|rank| self.list[rank.index()])
    }
}

impl<G: Searched> MoveOrder<G> {
    pub(super) fn new() -> MoveOrder<G> {
        MoveOrder {
            killers: vec![[None; 2]; MAX_PLY + 1],
            history: vec![0; 2 * G::SLOTS],
            counter_moves: vec![None; 2 * G::SLOTS],
        }
    }

    /// Rates each move listed in `buffers`; [`pick`](PlyBuffers::pick) then takes them by rating.
    #[inline(always)]
    pub(super) fn rate(
        &self,
        params: &Params,
        position: &G,
        entry: Option<Entry>,
        context: &Context<G::Move>,
        buffers: &mut PlyBuffers<G>,
    ) {
        let first = entry.map_or(usize::MAX, |entry| usize::from(entry.best));
        let killers = if params.killers { self.killers[usize::from(context.ply.0)] } else { [None; 2] };
        let answered = context.previous.filter(|_| params.counter_moves);
        let counter = answered.and_then(|mv| self.counter_moves[context.side * G::SLOTS + G::slot(mv)]);
        for (index, (&mv, rank)) in buffers.list.iter().zip(&mut buffers.ranks).enumerate() {
            let mut value = 0;
            if params.history {
                value = i32::from(self.history[context.side * G::SLOTS + G::slot(mv)]);
            }
            if index == first {
                value = TABLE_MOVE;
            } else if !position.is_quiet(mv) {
                value += CAPTURE;
            } else if killers[0] == Some(mv) {
                value = KILLERS[0];
            } else if killers[1] == Some(mv) {
                value = KILLERS[1];
            } else if counter == Some(mv) {
                value = COUNTER;
            }
            *rank = Rank::new(value, index);
        }
    }

    /// Learns that the quiet move `mv`, picked from `buffers` at index `number`, caused a cutoff at a node of this
    /// depth, and that the moves picked before it did not.
    pub(super) fn learn_cut(
        &mut self,
        mv: G::Move,
        number: usize,
        buffers: &PlyBuffers<G>,
        depth: Depth,
        context: &Context<G::Move>,
    ) {
        let killers = &mut self.killers[usize::from(context.ply.0)];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        if let Some(previous) = context.previous {
            self.counter_moves[context.side * G::SLOTS + G::slot(previous)] = Some(mv);
        }
        let bonus = history_bonus(depth);
        self.learn(context.side, mv, bonus);
        for other in buffers.picked(number) {
            self.learn(context.side, other, -bonus);
        }
    }

    fn learn(&mut self, side: usize, mv: G::Move, bonus: i32) {
        let value = &mut self.history[side * G::SLOTS + G::slot(mv)];
        let old = i32::from(*value);
        // The nearer the value is to the bound, the less is added, so that old results fade.
        *value = (old + bonus - old * bonus.abs() / HISTORY_BOUND) as i16;
    }
}

/// Late-move reductions, by depth and index of the move; `None` disables them. T. Romstad, "An introduction to late move
/// reductions", 2006.
pub(super) struct Reductions(pub(super) Option<LateMoveReduction>);

/// Natural logarithms of the indices, rounded; 0 for index 0. Computed at compile time, so that a program need not load
/// a math library to start.
static LOGARITHMS: [f32; 64] = {
    let mut logarithms = [0.0; 64];
    let mut exact = 0.0;
    let mut value = 2;
    while value < logarithms.len() {
        // ln(n) - ln(n - 1) = 2 (y + y^3 / 3 + y^5 / 5 + ...) with y = 1 / (2n - 1).
        let y = 1.0 / (2 * value - 1) as f64;
        let (mut power, mut odd) = (y, 1);
        while odd < 64 {
            exact += 2.0 * power / odd as f64;
            power *= y * y;
            odd += 2;
        }
        logarithms[value] = (exact * LOGARITHM_STEPS as f64 + 0.5) as i32 as f32 / LOGARITHM_STEPS;
        value += 1;
    }
    logarithms
};

impl Reductions {
    /// Reduction in plies of the quiet move tried at index `number`, at a node of this depth.
    #[inline]
    pub(super) fn plies(&self, depth: Depth, number: usize) -> i16 {
        let Some(late) = self.0 else { return 0 };
        if depth < late.from_depth || number < late.from_move {
            return 0;
        }
        let less = late.base + logarithm(depth.0 as usize) * logarithm(number) / late.divisor;
        // Leave at least one ply above the horizon.
        (less as i16).min(depth.0 - 2).max(0)
    }
}

#[inline]
fn logarithm(value: usize) -> f32 {
    LOGARITHMS[value.min(LOGARITHMS.len() - 1)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkers;
    use crate::loa::Position;
    use crate::score::Score;
    use crate::search::table::Bound;

    const CONTEXT: Context<crate::loa::Move> = Context { side: 0, ply: Ply(3), previous: None };

    fn buffers<G: Game>(position: &G) -> PlyBuffers<G> {
        let mut buffers = PlyBuffers::new();
        buffers.list_moves(position);
        buffers
    }

    /// Indices of the first four moves to try in the starting position.
    fn first_four(
        order: &MoveOrder<Position<6>>,
        params: &Params,
        best: Option<u8>,
        context: &Context<crate::loa::Move>,
    ) -> Vec<usize> {
        let position = Position::start();
        let entry = best.map(|best| Entry { score: Score::DRAW, bound: Bound::Lower, depth: Depth(1), best });
        let mut buffers = buffers(&position);
        order.rate(params, &position, entry, context, &mut buffers);
        (0..4).map(|number| buffers.pick(number)).collect()
    }

    /// Records that the move at index `place` of the starting position, tried first, caused a cutoff at this depth.
    fn learn(order: &mut MoveOrder<Position<6>>, place: usize, depth: i16, context: &Context<crate::loa::Move>) {
        let buffers = buffers(&Position::start());
        order.learn_cut(buffers.list[place], 0, &buffers, Depth(depth), context);
    }

    #[test]
    fn without_experience_moves_stay_in_the_order_of_generation() {
        assert_eq!(first_four(&MoveOrder::new(), &Params::default(), None, &CONTEXT), [0, 1, 2, 3]);
    }

    #[test]
    fn the_table_move_then_killers_then_the_counter_move_then_history() {
        let mut order = MoveOrder::new();
        let reply = Context { previous: Some(Position::<6>::start().legal_moves()[0]), ..CONTEXT };
        // A deep cutoff elsewhere; the counter move, at another ply; then the earlier and the later killer.
        learn(&mut order, 9, 8, &Context { ply: Ply(7), ..CONTEXT });
        learn(&mut order, 8, 1, &Context { ply: Ply(5), ..reply });
        learn(&mut order, 7, 1, &CONTEXT);
        learn(&mut order, 6, 1, &CONTEXT);
        assert_eq!(first_four(&order, &Params::default(), None, &reply), [6, 7, 8, 9]);
        assert_eq!(first_four(&order, &Params::default(), Some(5), &reply), [5, 6, 7, 8]);
        assert_eq!(first_four(&order, &Params::plain(), None, &reply), [0, 1, 2, 3]);
        let history_alone = Params { history: true, ..Params::plain() };
        assert_eq!(first_four(&order, &history_alone, None, &reply)[0], 9);
        let other_side = Context { side: 1, ply: Ply(4), previous: None };
        assert_eq!(first_four(&order, &Params::default(), None, &other_side), [0, 1, 2, 3]);
    }

    #[test]
    fn moves_that_failed_come_later_and_history_stays_within_its_bounds() {
        let mut order = MoveOrder::new();
        let position = Position::<6>::start();
        let mut buffers = buffers(&position);
        for _ in 0..100 {
            order.rate(&Params::plain(), &position, None, &CONTEXT, &mut buffers);
            for number in 0..3 {
                buffers.pick(number);
            }
            order.learn_cut(buffers.list[2], 2, &buffers, Depth(30), &CONTEXT);
        }
        assert!(order.history.iter().all(|&value| i32::from(value).abs() <= HISTORY_BOUND));
        let history_alone = Params { history: true, ..Params::plain() };
        assert_eq!(first_four(&order, &history_alone, None, &CONTEXT), [2, 3, 4, 5]);
    }

    #[test]
    fn captures_come_before_killers() {
        let position: checkers::Position = "W:W18,22:B14,15".parse().expect("a position");
        let mut buffers = buffers(&position);
        let context = Context { side: 1, ply: Ply(0), previous: None };
        MoveOrder::new().rate(&Params::default(), &position, None, &context, &mut buffers);
        assert!(
            !buffers.list.is_empty()
                && buffers.ranks[..buffers.list.len()].iter().all(|&rank| rank >= Rank::new(CAPTURE, 255))
        );
    }

    #[test]
    fn later_moves_and_deeper_nodes_are_reduced_more() {
        let late = LateMoveReduction { from_depth: Depth(3), from_move: 2, base: 0.9, divisor: 1.6 };
        let reductions = Reductions(Some(late));
        assert_eq!((reductions.plies(Depth(2), 9), reductions.plies(Depth(9), 1)), (0, 0));
        // 0.9 + ln(9) * ln(2) / 1.6 = 1.85 and 0.9 + ln(9) * ln(20) / 1.6 = 5.01.
        assert_eq!((reductions.plies(Depth(9), 2), reductions.plies(Depth(9), 20)), (1, 5));
        assert_eq!(reductions.plies(Depth(300), 300), reductions.plies(Depth(63), 63));
        assert_eq!(Reductions(None).plies(Depth(9), 20), 0);
    }

    #[test]
    fn logarithms_are_rounded_to_steps() {
        for (value, logarithm) in LOGARITHMS.iter().enumerate().skip(1) {
            let expected = ((value as f32).ln() * LOGARITHM_STEPS).round() / LOGARITHM_STEPS;
            assert_eq!(*logarithm, expected, "{value}");
        }
    }

    #[test]
    fn a_ply_is_left_above_the_horizon() {
        let late = LateMoveReduction { from_depth: Depth(1), from_move: 0, base: 40.0, divisor: 1.0 };
        let reductions = Reductions(Some(late));
        assert_eq!([1, 2, 3, 9].map(|depth| reductions.plies(Depth(depth), 0)), [0, 0, 1, 7]);
    }
}
