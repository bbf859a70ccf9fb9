use crate::checkers::Position;
use crate::game::{Game, Rules, Value, Wdl};

/// Longest distance in plies under the course's rules: the game is drawn after 50 quiet turns (§1), so the 50th turn is
/// the last that can be zeroing.
pub const LONGEST: u16 = match Position::QUIET_LIMIT {
    Some(limit) => limit,
    None => u16::MAX,
};

/// A value in one byte, with a flag that is set if the side to move must jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Packed(pub(super) u8);

impl Packed {
    const LOSS: u8 = 64;
    const LONGEST_LOSS: u8 = Self::LOSS + LONGEST as u8;
    const LONGEST_WIN: u8 = LONGEST as u8;
    const MUST_JUMP: u8 = 128;
    /// First byte that is not a value. The builder uses this byte and higher ones.
    pub(super) const FREE: u8 = 224;
    pub(super) const NONE: Packed = Packed(255);

    pub(super) const fn new(value: Value) -> Packed {
        Packed(match value {
            Value::Draw => 0,
            Value::Win(plies) => plies as u8,
            Value::Loss(plies) => Self::LOSS + plies as u8,
        })
    }

    pub(super) const fn jumping(value: Value) -> Packed {
        Packed(Self::new(value).0 | Self::MUST_JUMP)
    }

    /// Returns true for this value, no matter whether the side to move must jump.
    #[inline]
    pub(super) const fn is(self, value: Value) -> bool {
        self.0 < Self::FREE && self.0 & !Self::MUST_JUMP == Self::new(value).0
    }

    pub(super) const fn must_jump(self) -> bool {
        self.0 < Self::FREE && self.0 & Self::MUST_JUMP != 0
    }

    pub(super) const fn value(self) -> Option<Value> {
        match self.0 & !Self::MUST_JUMP {
            _ if self.0 >= Self::FREE => None,
            0 => Some(Value::Draw),
            plies @ 1..=Self::LONGEST_WIN => Some(Value::Win(plies as u16)),
            loss @ Self::LOSS..=Self::LONGEST_LOSS => Some(Value::Loss((loss - Self::LOSS) as u16)),
            _ => None,
        }
    }
}

/// A stored value: the outcome with no quiet turn before the position, and bounds on the distance.
///
/// It holds under the game's rules and, unless it is [cursed](Self::is_cursed), under the course's as well.
///
/// A short search finds the exact distance (see `distance`). Wider bounds need fewer codes and make smaller tables, so
/// these are as wide as a cheap search allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StoredValue {
    pub(super) outcome: Wdl,
    /// Bounds on the distance; [`Span::NOW`] in a drawn position.
    pub(super) span: Span,
    /// True if the course's rules draw the game before it is decided. Chess tables call such wins cursed, and such losses blessed.
    pub(super) is_cursed: bool,
}

/// Bounds on a distance in plies, both inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) least: u16,
    pub(super) most: u16,
}

impl Span {
    /// Distance if the side to move has no turn.
    pub(super) const NOW: Span = Span { least: 0, most: 0 };
    /// Distance one ply before a zeroing turn.
    const NEXT: Span = Span { least: 1, most: 1 };

    /// Returns true if the distance is at most `plies`; `None` if the bounds do not decide it.
    pub(super) const fn ends_within(self, plies: u16) -> Option<bool> {
        if self.most <= plies {
            Some(true)
        } else if self.least > plies {
            Some(false)
        } else {
            None
        }
    }

    pub(super) fn nearer(self, other: Span) -> Span {
        Span { least: self.least.min(other.least), most: self.most.min(other.most) }
    }

    pub(super) fn farther(self, other: Span) -> Span {
        Span { least: self.least.max(other.least), most: self.most.max(other.most) }
    }

    pub(super) fn and_one(self) -> Span {
        Span { least: self.least + 1, most: self.most + 1 }
    }

    /// Intersection of two spans for one distance. If they contradict each other, returns the nearer end.
    pub(super) fn intersect(self, other: Span) -> Span {
        let most = self.most.min(other.most);
        Span { least: self.least.max(other.least).min(most), most }
    }
}

/// Spans of losses.
///
/// A search of eight plies takes a fraction of a millisecond. The win spans are shifted by half a span, so each kind
/// narrows the other down. Among the spans measured (equal and unequal ones of 4 to 12 plies, and loss spans alone),
/// these take the least time for their size.
const LOSSES: [Span; 6] = spans([8, 16, 24, 32, 40, LONGEST]);
const WINS: [Span; 6] = spans([12, 20, 28, 36, 44, LONGEST]);
/// Spans of cursed values. A win or loss in fewer than 51 plies can be cursed too, by a zeroing turn into one that is.
const CURSED: [Span; 9] = spans([16, 32, 48, 56, 64, 72, 80, 96, LONGEST_CURSED]);
/// Longest distance in plies without a limit on quiet turns, in positions of up to six pieces.
pub(super) const LONGEST_CURSED: u16 = 254;
const FIRST_WIN: usize = 1;
const FIRST_LOSS: usize = FIRST_WIN + WINS.len();
const FIRST_CURSED_WIN: usize = FIRST_LOSS + LOSSES.len();
const FIRST_CURSED_LOSS: usize = FIRST_CURSED_WIN + CURSED.len();

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
    /// Value if the side to move has no move.
    pub(super) const LOST: StoredValue = StoredValue { outcome: Wdl::Loss, span: Span::NOW, is_cursed: false };
    const DRAW: StoredValue = StoredValue { outcome: Wdl::Draw, span: Span::NOW, is_cursed: false };

    /// Value one ply before a zeroing turn that is worth `outcome` to the side that makes it.
    pub(super) const fn by_zeroing(outcome: Wdl, is_cursed: bool) -> StoredValue {
        StoredValue { outcome, span: if matches!(outcome, Wdl::Draw) { Span::NOW } else { Span::NEXT }, is_cursed }
    }

    /// Value under these rules.
    #[inline]
    pub(super) const fn under(self, rules: Rules) -> StoredValue {
        if self.is_cursed && matches!(rules, Rules::Course) { StoredValue::DRAW } else { self }
    }

    /// Value after `quiet_turns` quiet turns, with an upper bound as its distance; `None` if it depends on the exact
    /// distance.
    pub(super) const fn with_quiet_turns(self, quiet_turns: u16, rules: Rules) -> Option<Value> {
        let StoredValue { outcome, span, .. } = self.under(rules);
        let value = match outcome {
            Wdl::Draw => return Some(Value::Draw),
            Wdl::Win => Value::Win(span.most),
            Wdl::Loss => Value::Loss(span.most),
        };
        if matches!(rules, Rules::Game) || quiet_turns + span.most <= LONGEST {
            Some(value)
        } else if quiet_turns + span.least > LONGEST {
            Some(Value::Draw)
        } else {
            None
        }
    }

    /// Value of a code; `None` for a code that is never written.
    #[inline]
    pub(super) fn from_code(code: u8) -> Option<StoredValue> {
        let code = usize::from(code);
        let (outcome, spans, first): (_, &[Span], _) = match code {
            0 => return Some(StoredValue::DRAW),
            FIRST_WIN..FIRST_LOSS => (Wdl::Win, &WINS, FIRST_WIN),
            FIRST_LOSS..FIRST_CURSED_WIN => (Wdl::Loss, &LOSSES, FIRST_LOSS),
            FIRST_CURSED_WIN..FIRST_CURSED_LOSS => (Wdl::Win, &CURSED, FIRST_CURSED_WIN),
            _ => (Wdl::Loss, &CURSED, FIRST_CURSED_LOSS),
        };
        spans.get(code - first).map(|&span| StoredValue { outcome, span, is_cursed: code >= FIRST_CURSED_WIN })
    }

    /// Code of a value under the course's rules.
    pub(super) fn code(value: Value) -> u8 {
        match value {
            Value::Draw => 0,
            Value::Win(plies) => code(FIRST_WIN, &WINS, plies),
            Value::Loss(plies) => code(FIRST_LOSS, &LOSSES, plies),
        }
    }

    /// Code of a value under the game's rules, in a position that the course's draw.
    pub(super) fn cursed_code(value: Value) -> u8 {
        match value {
            Value::Draw => 0,
            Value::Win(plies) => code(FIRST_CURSED_WIN, &CURSED, plies),
            Value::Loss(plies) => code(FIRST_CURSED_LOSS, &CURSED, plies),
        }
    }
}

fn code(first: usize, spans: &[Span], plies: u16) -> u8 {
    let place = spans.iter().position(|span| plies <= span.most).unwrap_or(spans.len() - 1);
    (first + place) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_values_round_trip() {
        let wins = (1..=LONGEST).map(Value::Win);
        let losses = (0..=LONGEST).map(Value::Loss);
        for value in wins.chain(losses).chain([Value::Draw]) {
            let packed = Packed::new(value);
            assert!(packed.0 < Packed::FREE && !packed.must_jump());
            assert_eq!(packed.value(), Some(value));
        }
        for value in [Value::Win(1), Value::Draw, Value::Loss(1)] {
            assert!(Packed::jumping(value).must_jump());
            assert_eq!(Packed::jumping(value).value(), Some(value));
        }
        assert_eq!(Packed::NONE.value(), None);
    }

    #[test]
    fn every_value_lies_in_the_span_of_its_code() {
        let losses = (0..=LONGEST).map(|plies| (Value::Loss(plies), plies));
        let wins = (1..=LONGEST).map(|plies| (Value::Win(plies), plies));
        for (value, plies) in losses.chain(wins).chain([(Value::Draw, 0)]) {
            let StoredValue { outcome, span, is_cursed } = StoredValue::from_code(StoredValue::code(value)).unwrap();
            assert_eq!((outcome, is_cursed), (value.outcome(), false));
            assert!((span.least..=span.most).contains(&plies), "{value}");
        }
        for plies in 1..=LONGEST_CURSED {
            for value in [Value::Win(plies), Value::Loss(plies)] {
                let stored = StoredValue::from_code(StoredValue::cursed_code(value)).unwrap();
                assert_eq!((stored.outcome, stored.is_cursed), (value.outcome(), true));
                assert!((stored.span.least..=stored.span.most).contains(&plies), "{value}");
                assert_eq!(stored.under(Rules::Course), StoredValue::DRAW);
            }
        }
        assert_eq!(StoredValue::from_code((FIRST_CURSED_LOSS + CURSED.len()) as u8), None);
    }
}
