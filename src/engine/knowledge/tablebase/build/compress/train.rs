//! Training of a dictionary, with symbols for frequent sequences of values.
//!
//! It uses Re-Pair (N. J. Larsson, A. Moffat, "Off-line dictionary-based compression", 2000) in rounds: it counts the
//! pairs of neighboring symbols, makes symbols of the most frequent ones, and replaces them. It starts from runs
//! instead of single values.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::knowledge::tablebase::section::{MAX_SYMBOL_LENGTH, Symbol, VALUE_BITS};

const MAX_RUNS: usize = 1 << 10;
/// Largest number of runs in a symbol, and thus the depth of the tree of phrases.
pub(super) const MAX_PHRASE: u32 = 1 << 7;
/// Separates two pieces of a sample.
const GAP: u16 = u16::MAX;

#[derive(Clone, Copy, Debug)]
pub(super) struct TrainingLimits {
    pub(super) symbols: usize,
    pub(super) min_count: u32,
}

/// Returns symbols for values like those in the pieces of a sample, and their occurrence counts there. Each of the
/// `used` values gets a symbol.
pub(super) fn train<'a>(
    pieces: impl Iterator<Item = &'a [u8]> + Clone,
    used: &[u8],
    limits: TrainingLimits,
) -> (Vec<Symbol>, Vec<u32>) {
    let mut symbols = frequent_runs(pieces.clone(), used, limits);
    let mut row = write_runs(pieces, &symbols);
    let mut pairs = Pairs::new(row.len());
    while symbols.len() < limits.symbols {
        pairs.count(&row);
        let chosen = choose(&pairs, &symbols, limits);
        if chosen.is_empty() {
            break;
        }
        let mut numbers = HashMap::new();
        for pair in chosen {
            numbers.insert(pair, symbols.len() as u16);
            symbols.push(Symbol::Pair(pair.0, pair.1));
        }
        replace(&mut row, &numbers, symbols.len());
    }
    let mut counts = vec![0; symbols.len()];
    for &symbol in row.iter().filter(|&&symbol| symbol != GAP) {
        counts[usize::from(symbol)] += 1;
    }
    (symbols, counts)
}

pub(super) fn runs(values: &[u8]) -> impl Iterator<Item = (u8, u32)> {
    values.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u32))
}

/// Returns the first symbols: for each value, the runs whose length is a power of two, and the frequent runs.
fn frequent_runs<'a>(pieces: impl Iterator<Item = &'a [u8]>, used: &[u8], limits: TrainingLimits) -> Vec<Symbol> {
    let mut counts: HashMap<(u8, u32), u32> = HashMap::new();
    for (value, length) in pieces.flat_map(runs) {
        *counts.entry((value, length.min(MAX_SYMBOL_LENGTH))).or_default() += 1;
    }
    let mut chosen: Vec<(u8, u32)> = Vec::new();
    for &value in used {
        let longest = counts.keys().filter(|run| run.0 == value).map(|run| run.1).max().unwrap_or(1);
        chosen.extend((0..=longest.ilog2()).map(|power| (value, 1 << power)));
    }
    let mut others: Vec<_> = counts
        .into_iter()
        .filter(|&((_, length), count)| count >= limits.min_count && !length.is_power_of_two())
        .collect();
    others.sort_by_key(|&(run, count)| (Reverse(count), run));
    let room = MAX_RUNS.min(limits.symbols / 2).saturating_sub(chosen.len());
    chosen.extend(others.iter().take(room).map(|&(run, _)| run));
    chosen.sort_unstable();
    chosen.into_iter().map(|(value, length)| Symbol::Run { value, length }).collect()
}

/// Writes the pieces as symbols, with gaps between them. Each run is split into the longest symbols.
fn write_runs<'a>(pieces: impl Iterator<Item = &'a [u8]>, symbols: &[Symbol]) -> Vec<u16> {
    let mut by_value: Vec<Vec<(u32, u16)>> = vec![Vec::new(); 1 << VALUE_BITS];
    for (number, symbol) in symbols.iter().enumerate() {
        if let &Symbol::Run { value, length } = symbol {
            by_value[usize::from(value)].push((length, number as u16));
        }
    }
    let mut row = Vec::new();
    for piece in pieces {
        for (value, mut length) in runs(piece) {
            let lengths = &by_value[usize::from(value)];
            while length > 0 {
                let place = lengths.partition_point(|run| run.0 <= length) - 1;
                length -= lengths[place].0;
                row.push(lengths[place].1);
            }
        }
        row.push(GAP);
    }
    row
}

/// Chooses the pairs of a round: the most frequent ones, but no two that could overlap.
fn choose(pairs: &Pairs, symbols: &[Symbol], limits: TrainingLimits) -> Vec<(u16, u16)> {
    let mut frequent: Vec<(u32, u32)> = pairs.frequent(limits.min_count).collect();
    frequent.sort_unstable_by_key(|&(pair, count)| (Reverse(count), pair));
    let lengths = sums(symbols, |run| run);
    let phrases = sums(symbols, |_| 1);
    let batch = (symbols.len() / 10).max(4).min(limits.symbols - symbols.len());
    let mut is_left = vec![false; symbols.len()];
    let mut is_right = vec![false; symbols.len()];
    let mut chosen = Vec::new();
    let enough = frequent.first().map_or(0, |&(_, count)| count / 4);
    for (pair, count) in frequent {
        let (left, right) = ((pair >> 16) as usize, (pair & 0xffff) as usize);
        if chosen.len() == batch || count < enough {
            break;
        }
        let is_short =
            lengths[left] + lengths[right] <= MAX_SYMBOL_LENGTH && phrases[left] + phrases[right] <= MAX_PHRASE;
        if is_short && !is_right[left] && !is_left[right] {
            is_left[left] = true;
            is_right[right] = true;
            chosen.push((left as u16, right as u16));
        }
    }
    chosen
}

fn replace(row: &mut Vec<u16>, numbers: &HashMap<(u16, u16), u16>, symbols: usize) {
    let mut is_left = vec![false; symbols];
    for pair in numbers.keys() {
        is_left[usize::from(pair.0)] = true;
    }
    let (mut from, mut to) = (0, 0);
    while from < row.len() {
        let mut symbol = row[from];
        from += 1;
        if symbol != GAP
            && is_left[usize::from(symbol)]
            && let Some(&right) = row.get(from)
            && let Some(&number) = numbers.get(&(symbol, right))
        {
            symbol = number;
            from += 1;
        }
        row[to] = symbol;
        to += 1;
    }
    row.truncate(to);
}

/// Occurrence count of each pair of neighbors, in a hash table with open addressing.
struct Pairs {
    /// The pair, with its left symbol in the high bits, and its count; a count of 0 marks a free entry.
    entries: Vec<(u32, u32)>,
}

impl Pairs {
    fn new(row: usize) -> Pairs {
        Pairs { entries: vec![(0, 0); (row * 2).next_power_of_two().max(64)] }
    }

    fn count(&mut self, row: &[u16]) {
        let size = (row.len() * 2).next_power_of_two().max(64);
        self.entries.truncate(size);
        self.entries.fill((0, 0));
        let (mask, shift) = (size - 1, 32 - size.ilog2());
        let mut overlapping = false;
        for pair in row.windows(2) {
            // Three equal symbols make only one pair.
            overlapping = pair[0] == pair[1] && !overlapping;
            if pair[0] == GAP || pair[1] == GAP || (pair[0] == pair[1] && !overlapping) {
                continue;
            }
            let key = u32::from(pair[0]) << 16 | u32::from(pair[1]);
            let mut place = (key.wrapping_mul(0x9e37_79b1) >> shift) as usize;
            while self.entries[place].1 != 0 && self.entries[place].0 != key {
                place = (place + 1) & mask;
            }
            self.entries[place].0 = key;
            self.entries[place].1 += 1;
        }
    }

    fn frequent(&self, min_count: u32) -> impl Iterator<Item = (u32, u32)> {
        self.entries.iter().copied().filter(move |&(_, count)| count >= min_count.max(1))
    }
}

/// Stands for a value that does not matter.
pub(crate) const DONT_CARE: u8 = 255;

/// Sums `of_run` of the lengths of each symbol's runs.
pub(super) fn sums(symbols: &[Symbol], of_run: impl Fn(u32) -> u32) -> Vec<u32> {
    let mut sums: Vec<u32> = Vec::with_capacity(symbols.len());
    for symbol in symbols {
        sums.push(match *symbol {
            Symbol::Run { length, .. } => of_run(length),
            Symbol::Pair(left, right) => sums[usize::from(left)] + sums[usize::from(right)],
        });
    }
    sums
}

pub(super) fn all_runs(symbols: &[Symbol]) -> Vec<Vec<(u8, u32)>> {
    let mut all: Vec<Vec<(u8, u32)>> = Vec::with_capacity(symbols.len());
    for symbol in symbols {
        all.push(match *symbol {
            Symbol::Run { value, length } => vec![(value, length)],
            Symbol::Pair(left, right) => {
                let mut runs = all[usize::from(left)].clone();
                let mut right = all[usize::from(right)].iter().copied();
                if let (Some(last), Some(next)) = (runs.last_mut(), right.next()) {
                    if last.0 == next.0 {
                        last.1 += next.1;
                    } else {
                        runs.push(next);
                    }
                }
                runs.extend(right);
                runs
            }
        });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_symbols_make_pairs_of_two() {
        let mut pairs = Pairs::new(8);
        pairs.count(&[5, 5, 5, 5, 5, GAP, 5, 6]);
        let mut counted: Vec<_> = pairs.frequent(1).collect();
        counted.sort_unstable();
        assert_eq!(counted, [(5 << 16 | 5, 2), (5 << 16 | 6, 1)]);
        let mut row = vec![5, 5, 5, 5, 5, GAP, 5, 6];
        replace(&mut row, &HashMap::from([((5, 5), 7)]), 7);
        assert_eq!(row, [7, 7, 5, GAP, 5, 6]);
    }

    #[test]
    fn frequent_rows_become_one_symbol() {
        let values = [3, 3, 4, 5, 5, 5].repeat(64);
        let (symbols, counts) =
            train(std::iter::once(&values[..]), &[3, 4, 5], TrainingLimits { symbols: 50, min_count: 3 });
        let lengths = sums(&symbols, |run| run);
        let values: u32 = lengths.iter().zip(&counts).map(|(length, count)| length * count).sum();
        assert_eq!(values, 64 * 6);
        assert!(counts.iter().sum::<u32>() <= 8);
    }
}
