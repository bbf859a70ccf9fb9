//! Chooses the records to keep from a game.

use super::census::Seen;
use crate::learn::record::Record;

/// Rule for choosing records, and the positions chosen so far.
pub(super) struct Choice {
    /// Largest number of records per game.
    most: usize,
    /// Positions chosen so far, if each is chosen only once.
    unique: Option<Seen>,
}

impl Choice {
    pub(super) fn new(thin: Option<u16>, unique: bool) -> Choice {
        Choice { most: thin.map_or(usize::MAX, usize::from), unique: unique.then(Seen::default) }
    }

    /// Returns the records to keep from this game. The last of them is marked as the end of the game.
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

/// Returns at most `most` records: splits the game into that many equal parts and takes the middle record of each.
fn spread(records: &[Record], most: usize) -> Vec<Record> {
    let (count, kept) = (records.len(), records.len().min(most));
    (0..kept).map(|part| records[(2 * part + 1) * count / (2 * kept)]).collect()
}
