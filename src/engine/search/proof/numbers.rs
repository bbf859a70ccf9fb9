//! Proof and disproof numbers, and how those of a position follow from those of its children.
//!
//! Source: L. V. Allis, "Searching for solutions in games and artificial intelligence", 1994.

use crate::score::Score;
use crate::search::buckets::{Buckets, age};
use crate::search::params::BARRED_ELSEWHERE;
use crate::search::path::Ruling;

/// Proof and disproof number of a position, from the side to move's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    /// Number of positions to decide before it is proved won; 0 if it is won.
    pub(super) win: u32,
    /// Number of positions to decide before it is proved lost; 0 if it is lost.
    pub(super) loss: u32,
    /// Upper bound on the plies to the win or loss; 0 while undecided.
    pub(super) plies: u16,
}

/// Initial numbers of a position before it is visited, from its evaluation. M. Winands, M. Schadd, "Evaluation-function
/// based proof-number search", 2010.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// Difference between the two numbers of a position that is evaluated as won, at least 0.
    pub spread: i16,
    /// Evaluation from which a position counts as won, in hundredths of the evaluation's unit, above 0.
    pub counts_as_won: i16,
}

impl Default for Expectation {
    fn default() -> Expectation {
        Expectation { spread: 10, counts_as_won: 100 }
    }
}

/// Infinite number: the position cannot be won, or lost.
pub(super) const NEVER: u32 = (1 << 26) - 1;
/// Infinite number on this path only, because a position would repeat.
pub(super) const BARRED: u32 = NEVER - 1;
pub(super) const MANY: u32 = BARRED - 1;
pub(super) const VOID: u32 = NEVER + 1;

/// Scope of a draw below a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Draws {
    Lasting,
    Passing,
}

impl Numbers {
    pub(super) const UNKNOWN: Numbers = Numbers { win: 1, loss: 1, plies: 0 };
    /// Numbers of a drawn position: nobody can win.
    pub(super) const DRAWN: Numbers = Numbers { win: NEVER, loss: NEVER, plies: 0 };
    /// Numbers of a repeated position: neither side makes progress by returning to it.
    pub(super) const REPEATED: Numbers = Numbers { win: BARRED, loss: BARRED, plies: 0 };
    pub(super) const UNBOUNDED: Numbers = Numbers { win: VOID, loss: VOID, plies: 0 };

    pub(super) fn expected(evaluation: Score, expectation: Expectation) -> Numbers {
        let [spread, counts_as_won] = [expectation.spread, expectation.counts_as_won].map(i32::from);
        let value = i32::from(evaluation.value()).clamp(-counts_as_won, counts_as_won);
        let good = spread * (counts_as_won + value) / (2 * counts_as_won);
        Numbers { win: 1 + (spread - good) as u32, loss: 1 + good as u32, plies: 0 }
    }

    pub(super) fn by_rule(ruling: Ruling) -> Numbers {
        match ruling {
            Ruling::Won => Numbers::won_in(0),
            Ruling::Lost => Numbers::lost_in(0),
            Ruling::Drawn => Numbers::DRAWN,
            Ruling::Repeated => Numbers::REPEATED,
        }
    }

    pub(super) const fn won_in(plies: u16) -> Numbers {
        Numbers { win: 0, loss: NEVER, plies }
    }

    pub(super) const fn lost_in(plies: u16) -> Numbers {
        Numbers { win: NEVER, loss: 0, plies }
    }

    pub(super) fn is_decided(self) -> bool {
        self.win == 0 || self.loss == 0
    }

    /// Returns `true` if there is nothing left to find on this path.
    pub(super) fn is_final(self) -> bool {
        self.is_decided() || (self.win >= BARRED && self.loss >= BARRED)
    }

    /// Numbers of a position from those of its children. It is won if one child is lost for the side to move there, and
    /// lost if all children are won.
    pub(super) fn of(children: impl IntoIterator<Item = Numbers>) -> Numbers {
        let (mut win, mut loss, mut never) = (NEVER, 0, 0);
        let (mut shortest, mut longest) = (u16::MAX, None);
        for child in children {
            win = win.min(child.loss);
            if child.win >= BARRED {
                never = never.max(child.win);
            } else {
                loss = sum(loss, child.win);
            }
            if child.loss == 0 {
                shortest = shortest.min(child.plies);
            } else {
                longest = longest.max(Some(child.plies));
            }
        }
        if win == 0 {
            Numbers::won_in(shortest + 1)
        } else if loss.max(never) == 0 {
            // A position without moves is lost already.
            Numbers::lost_in(longest.map_or(0, |plies| plies + 1))
        } else {
            Numbers { win, loss: loss.max(never), plies: 0 }
        }
    }

    /// Replaces barred numbers, which may differ on another path; likewise those of draws, unless they are lasting.
    pub(super) fn elsewhere(self, draws: Draws) -> Numbers {
        let barred = |number: u32| number == BARRED || (number == NEVER && draws == Draws::Passing);
        if self.is_decided() {
            return self;
        }
        let [win, loss] = BARRED_ELSEWHERE;
        Numbers {
            win: if barred(self.win) { win } else { self.win },
            loss: if barred(self.loss) { loss } else { self.loss },
            ..self
        }
    }
}

/// Sum of two finite numbers, capped at the largest finite one.
fn sum(one: u32, other: u32) -> u32 {
    (one + other).min(MANY)
}

/// Returns the numbers of the position with this key from the solver's table.
#[inline]
pub(super) fn probe(table: &Buckets, key: u64) -> Option<Numbers> {
    table.find(key).map(unpack)
}

/// Stores the numbers of a position on which `work` more nodes were spent. In a full bucket the entry with the least work
/// is replaced; each later search halves the work of an entry.
#[inline]
pub(super) fn store(table: &mut Buckets, key: u64, numbers: Numbers, work: u64) {
    let now = table.generation();
    let worth = |packed| packed_work(packed) as i32 - age(now, packed_generation(packed));
    table.count_store();
    table.write(key, worth, |known| {
        let before = known.map_or(0, |packed| 1 << packed_work(packed));
        pack(numbers, work.max(1) + before, now)
    });
}

// Bits of a packed entry: work (the binary logarithm) 0..6, generation 6..12, win 12..38, loss 38..64.
// A decided position has 0 in place of one number, and its plies plus one in place of the other.

fn pack(numbers: Numbers, work: u64, generation: u8) -> u64 {
    let plies = u32::from(numbers.plies) + 1;
    let (win, loss) = match (numbers.win, numbers.loss) {
        (0, _) => (0, plies),
        (_, 0) => (plies, 0),
        both => both,
    };
    u64::from(work.ilog2()) | u64::from(generation) << 6 | u64::from(win) << 12 | u64::from(loss) << 38
}

fn unpack(packed: u64) -> Numbers {
    let win = (packed >> 12) as u32 & 0x03ff_ffff;
    let loss = (packed >> 38) as u32;
    match (win, loss) {
        (0, plies) => Numbers::won_in((plies - 1) as u16),
        (plies, 0) => Numbers::lost_in((plies - 1) as u16),
        (win, loss) => Numbers { win, loss, plies: 0 },
    }
}

fn packed_work(packed: u64) -> u32 {
    packed as u32 & 0x3f
}

fn packed_generation(packed: u64) -> u8 {
    (packed >> 6) as u8 & 0x3f
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(win: u32, loss: u32) -> Numbers {
        Numbers { win, loss, plies: 0 }
    }

    #[test]
    fn one_lost_child_wins_and_all_won_children_lose() {
        let (won, lost) = (Numbers::won_in, Numbers::lost_in);
        assert_eq!(Numbers::of([]), lost(0));
        assert_eq!(Numbers::of([open(3, 4), lost(8), won(1), lost(6)]), won(7));
        assert_eq!(Numbers::of([won(1), won(5), won(3)]), lost(6));
        assert_eq!(Numbers::of([won(1), open(3, 4), open(5, 2)]), open(2, 8));
    }

    #[test]
    fn a_draw_and_a_repetition_are_neither_won_nor_lost() {
        assert_eq!(Numbers::of([Numbers::DRAWN, Numbers::won_in(1)]), Numbers::DRAWN);
        assert_eq!(Numbers::of([Numbers::REPEATED, Numbers::won_in(1)]), open(BARRED, BARRED));
        assert_eq!(Numbers::of([Numbers::REPEATED, Numbers::DRAWN]), open(BARRED, NEVER));
        assert_eq!(Numbers::of([Numbers::REPEATED, open(3, 4)]), open(4, BARRED));
    }

    #[test]
    fn outside_its_path_a_result_is_final_only_if_decided_or_a_lasting_draw() {
        for decided in [Numbers::won_in(3), Numbers::lost_in(2)] {
            assert_eq!(decided.elsewhere(Draws::Passing), decided);
        }
        assert_eq!(Numbers::DRAWN.elsewhere(Draws::Lasting), Numbers::DRAWN);
        assert!(!Numbers::DRAWN.elsewhere(Draws::Passing).is_final());
        assert!(!Numbers::REPEATED.elsewhere(Draws::Lasting).is_final());
        assert_eq!(open(7, BARRED).elsewhere(Draws::Lasting).win, 7);
    }

    #[test]
    fn large_numbers_saturate() {
        assert_eq!(Numbers::of([open(MANY, MANY); 3]), open(MANY, MANY));
    }

    #[test]
    fn stored_entries_are_found() {
        let mut table = Buckets::with_limit(1 << 16);
        table.next_generation();
        let kinds = [
            Numbers::UNKNOWN,
            Numbers { win: MANY, loss: 7, plies: 0 },
            Numbers { win: 7, loss: MANY, plies: 0 },
            Numbers::won_in(1),
            Numbers::won_in(1000),
            Numbers::lost_in(0),
            Numbers::lost_in(200),
        ];
        for (key, numbers) in [0, 1, u64::MAX, 0x1234_5678_9abc_def0].into_iter().zip(kinds.into_iter().cycle()) {
            assert_eq!(probe(&table, key), None);
            for numbers in kinds.into_iter().chain([numbers]) {
                store(&mut table, key, numbers, 1 << 40);
                assert_eq!(probe(&table, key), Some(numbers));
            }
        }
    }

    #[test]
    fn the_entry_with_the_least_work_is_replaced() {
        let mut table = Buckets::with_limit(0);
        table.next_generation();
        assert_eq!(table.bytes(), 64);
        for key in 1..=4 {
            store(&mut table, key, Numbers::UNKNOWN, 1000 << key);
        }
        store(&mut table, 1, Numbers::UNKNOWN, 1_000_000);
        store(&mut table, 5, Numbers::UNKNOWN, 1);
        assert_eq!(probe(&table, 2), None);
        for _ in 0..30 {
            table.next_generation();
        }
        store(&mut table, 5, Numbers::UNKNOWN, 1);
        store(&mut table, 6, Numbers::UNKNOWN, 1);
        assert!(probe(&table, 5).is_some(), "young, if small");
    }
}
