//! Which records of a game are kept?

use super::census::Seen;
use crate::learn::record::Record;

/// How records are chosen, and what was chosen so far.
pub(super) struct Choice {
    /// The most records of a game.
    most: usize,
    /// The positions that were chosen, where each is chosen once.
    unique: Option<Seen>,
}

impl Choice {
    pub(super) fn new(thin: Option<u16>, unique: bool) -> Choice {
        Choice { most: thin.map_or(usize::MAX, usize::from), unique: unique.then(Seen::default) }
    }

    /// The records of this game that are kept; the last one of them ends it.
    pub(super) fn of(&mut self, game: &[Record]) -> Vec<Record> {
        let Choice { most, unique } = self;
        let mut kept = match unique {
            None => spread(game, *most),
            Some(known) => {
                let mut own = Seen::default();
                let new = |record: &&Record| !known.contains(record) && own.insert(record);
                let kept = spread(&game.iter().filter(new).copied().collect::<Vec<_>>(), *most);
                kept.iter().for_each(|record| _ = known.insert(record));
                kept
            }
        };
        let count = kept.len();
        kept.iter_mut().enumerate().for_each(|(place, record)| record.last = place + 1 == count);
        kept
    }
}

/// At most this many of the records: those in the middle of as many equal parts.
fn spread(records: &[Record], most: usize) -> Vec<Record> {
    let (count, kept) = (records.len(), records.len().min(most));
    (0..kept).map(|part| records[(2 * part + 1) * count / (2 * kept)]).collect()
}
