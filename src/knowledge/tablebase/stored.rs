//! What does a table say of a position?

use super::value::LONGEST;
use crate::game::{Value, Wdl};

/// What a table says of a position: the outcome with no quiet turn behind it, and bounds of the distance.
///
/// The exact distance comes from a short search (see `distance`). Wide bounds mean few codes and small tables: they are
/// as wide as keeps that search cheap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StoredValue {
    Win(Span),
    Draw,
    Loss(Span),
}

/// Bounds of a distance in plies, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) least: u16,
    pub(super) most: u16,
}

impl Span {
    /// The side to move has no turn.
    pub(super) const NOW: Span = Span { least: 0, most: 0 };
    /// The zeroing turn comes next.
    const NEXT: Span = Span { least: 1, most: 1 };

    /// Whether the distance is at most `plies`; `None` if the bounds do not tell.
    pub(super) const fn ends_within(self, plies: u16) -> Option<bool> {
        if self.most <= plies {
            Some(true)
        } else if self.least > plies {
            Some(false)
        } else {
            None
        }
    }

    /// The smaller of two distances.
    pub(super) fn nearer(self, other: Span) -> Span {
        Span { least: self.least.min(other.least), most: self.most.min(other.most) }
    }

    /// The larger of two distances.
    pub(super) fn farther(self, other: Span) -> Span {
        Span { least: self.least.max(other.least), most: self.most.max(other.most) }
    }

    /// One ply more.
    pub(super) fn and_one(self) -> Span {
        Span { least: self.least + 1, most: self.most + 1 }
    }

    /// The intersection of two spans of one distance; of two that contradict each other, the nearer end.
    pub(super) fn intersect(self, other: Span) -> Span {
        let most = self.most.min(other.most);
        Span { least: self.least.max(other.least).min(most), most }
    }
}

/// The spans of losses. A search of eight plies takes a fraction of a millisecond. The spans of wins are shifted by
/// half a span: what one leaves open the other tells. Measured against spans of 4 to 12 plies, even and uneven, and
/// against losses alone: these cost the least time for their bytes.
const LOSSES: [Span; 6] = spans([8, 16, 24, 32, 40, LONGEST]);
/// The spans of wins.
const WINS: [Span; 6] = spans([12, 20, 28, 36, 44, LONGEST]);
const FIRST_WIN: usize = 1;
const FIRST_LOSS: usize = FIRST_WIN + WINS.len();

const fn spans<const N: usize>(mosts: [u16; N]) -> [Span; N] {
    let mut spans = [Span::NOW; N];
    let mut least = 0;
    let mut place = 0;
    while place < N {
        spans[place] = Span { least, most: mosts[place] };
        least = mosts[place] + 1;
        place += 1;
    }
    spans
}

impl StoredValue {
    /// The side to move has no move.
    pub(super) const LOST: StoredValue = StoredValue::Loss(Span::NOW);

    /// The value before a zeroing turn that is worth `outcome` to the side that makes it.
    pub(super) const fn by_zeroing(outcome: Wdl) -> StoredValue {
        match outcome {
            Wdl::Win => StoredValue::Win(Span::NEXT),
            Wdl::Draw => StoredValue::Draw,
            Wdl::Loss => StoredValue::Loss(Span::NEXT),
        }
    }

    /// With no quiet turn behind it.
    pub(super) const fn outcome(self) -> Wdl {
        match self {
            StoredValue::Win(_) => Wdl::Win,
            StoredValue::Draw => Wdl::Draw,
            StoredValue::Loss(_) => Wdl::Loss,
        }
    }

    /// The lower bound of the distance; 0 in a drawn position.
    pub(super) const fn least(self) -> u16 {
        match self {
            StoredValue::Win(span) | StoredValue::Loss(span) => span.least,
            StoredValue::Draw => 0,
        }
    }

    /// The upper bound of the distance; 0 in a drawn position.
    pub(super) const fn most(self) -> u16 {
        match self {
            StoredValue::Win(span) | StoredValue::Loss(span) => span.most,
            StoredValue::Draw => 0,
        }
    }

    /// The value with `quiet_turns` quiet turns behind the position, its distance an upper bound; `None` if it depends
    /// on the exact distance.
    pub(super) const fn with_quiet_turns(self, quiet_turns: u16) -> Option<Value> {
        let (span, value) = match self {
            StoredValue::Draw => return Some(Value::Draw),
            StoredValue::Win(span) => (span, Value::Win(span.most)),
            StoredValue::Loss(span) => (span, Value::Loss(span.most)),
        };
        if quiet_turns + span.most <= LONGEST {
            Some(value)
        } else if quiet_turns + span.least > LONGEST {
            Some(Value::Draw)
        } else {
            None
        }
    }

    /// The value of a code; `None` for one that is never written.
    #[inline]
    pub(super) fn from_code(code: u8) -> Option<StoredValue> {
        let code = usize::from(code);
        match code {
            0 => Some(StoredValue::Draw),
            FIRST_WIN..FIRST_LOSS => Some(StoredValue::Win(WINS[code - FIRST_WIN])),
            _ => LOSSES.get(code - FIRST_LOSS).map(|&span| StoredValue::Loss(span)),
        }
    }

    /// The code of a value.
    pub(super) fn code(value: Value) -> u8 {
        let place = |spans: &[Span], plies| spans.iter().position(|span| plies <= span.most).unwrap_or(spans.len() - 1);
        let code = match value {
            Value::Draw => 0,
            Value::Win(plies) => FIRST_WIN + place(&WINS, plies),
            Value::Loss(plies) => FIRST_LOSS + place(&LOSSES, plies),
        };
        code as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_lies_in_the_range_of_its_code() {
        let inside = |span: Span, plies: u16| plies >= span.least && plies <= span.most;
        assert_eq!(StoredValue::from_code(StoredValue::code(Value::Draw)), Some(StoredValue::Draw));
        for plies in 0..=LONGEST {
            match StoredValue::from_code(StoredValue::code(Value::Loss(plies))) {
                Some(StoredValue::Loss(span)) => assert!(inside(span, plies)),
                other => panic!("{other:?}"),
            }
            match StoredValue::from_code(StoredValue::code(Value::Win(plies))) {
                Some(StoredValue::Win(span)) => assert!(inside(span, plies)),
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(StoredValue::from_code((FIRST_LOSS + LOSSES.len()) as u8), None);
    }
}
