//! Compression of an array of small numbers into a [section](crate::knowledge::tablebase::section).
//!
//! The compressor trains a dictionary on a sample, applies it to the sample, and removes symbols that do not pay off.
//! Then it finds the cheapest sequence of symbols for each group. A value that does not matter becomes whatever is
//! cheapest.

mod huffman;
mod parse;
mod phrases;
mod symbols;
mod train;
mod write;

use crate::knowledge::tablebase::section::{MAX_CODE_BITS, MAX_GROUP_BITS, Symbol};
use parse::Parser;
use phrases::{BIT, NO_CODE, Phrases};
use train::TrainingLimits;

pub(crate) use symbols::DONT_CARE;

/// Largest number of symbols. More symbols save little, and make a section slow to open.
const MAX_SYMBOLS: usize = 3 << 10;
/// Number of values in a piece of the sample.
const PIECE: usize = 1 << 14;
/// Largest number of values in the sample.
const SAMPLE: usize = 1 << 21;
/// Number of occurrences at which a pair becomes a symbol.
const MIN_COUNT: f64 = 9.0;
/// Approximate bits per run and per pair in the dictionary.
const RUN_BITS: f64 = 14.0;
const PAIR_BITS: f64 = 18.0;
/// Number of rounds that apply a dictionary to the sample and remove symbols that do not pay off.
const TRIALS: usize = 2;
/// Approximate bytes and codes per group. Larger groups would be slow to read.
const GROUP_BYTES: f64 = 64.0;
const GROUP_CODES: f64 = 64.0;
/// Smallest exponent of a group's size.
const MIN_GROUP_BITS: u8 = 8;

/// Compresses fewer than 2^32 `values`, each below 32 or [`DONT_CARE`], to a section.
pub(crate) fn compress(values: &[u8]) -> Vec<u8> {
    let mut that_matter = values.iter().copied().filter(|&value| value != DONT_CARE);
    let first = that_matter.next().unwrap_or(0);
    if that_matter.all(|value| value == first) {
        return write::one_value(first, values.len() as u32);
    }
    let (symbols, counts, mut group_bits) = dictionary(values, &used_values(values));
    let phrases = Phrases::new(&symbols, costs(&counts));
    loop {
        let (mut row, ends) = parse(values.chunks(1 << group_bits), &phrases);
        let (symbols, counts, numbers) = without_unused(&symbols, &count(&row, symbols.len()));
        for symbol in &mut row {
            *symbol = numbers[usize::from(*symbol)].unwrap_or(0);
        }
        let code_lengths = huffman::code_lengths(&counts, MAX_CODE_BITS);
        let parts = write::SectionParts {
            group_bits,
            len: values.len() as u32,
            symbols: &symbols,
            code_lengths: &code_lengths,
            row: &row,
            ends: &ends,
        };
        match write::write_section(&parts) {
            Some(bytes) => return bytes,
            None => group_bits -= 1,
        }
    }
}

/// Returns symbols for the values, their occurrence counts in a sample, and the exponent of the group size.
fn dictionary(values: &[u8], used: &[u8]) -> (Vec<Symbol>, Vec<u32>, u8) {
    let step = values.len().div_ceil(SAMPLE);
    let pieces: Vec<&[u8]> = values.chunks(PIECE).step_by(step).collect();
    let size: usize = pieces.iter().map(|piece| piece.len()).sum();
    let scale = values.len() as f64 / size as f64;
    let filled: Vec<Vec<u8>> = pieces.iter().map(|piece| fill(piece)).collect();
    let limits = TrainingLimits { symbols: MAX_SYMBOLS, min_count: ((MIN_COUNT / scale) as u32).max(3) };
    let (mut symbols, mut counts) = train::train(filled.iter().map(Vec::as_slice), used, limits);
    for _ in 0..TRIALS {
        let phrases = Phrases::new(&symbols, costs(&counts));
        let (row, _) = parse(pieces.iter().copied(), &phrases);
        counts = count(&row, symbols.len());
        drop_codes(&symbols, &mut counts, scale);
        (symbols, counts, _) = without_unused(&symbols, &counts);
    }
    let group_bits = group_bits(&counts, size);
    (symbols, counts, group_bits)
}

/// Returns the values that occur. The sample may lack some of them.
fn used_values(values: &[u8]) -> Vec<u8> {
    let mut is_used = [false; 256];
    for &value in values {
        is_used[usize::from(value)] = true;
    }
    (0..DONT_CARE).filter(|&value| is_used[usize::from(value)]).collect()
}

/// Replaces each value that does not matter by the one before it.
fn fill(values: &[u8]) -> Vec<u8> {
    let mut before = values.iter().copied().find(|&value| value != DONT_CARE).unwrap_or(0);
    let fill = |&value: &u8| {
        if value != DONT_CARE {
            before = value;
        }
        before
    };
    values.iter().map(fill).collect()
}

/// Returns the symbols of all pieces in order, and the end of each piece's symbols.
fn parse<'v>(pieces: impl Iterator<Item = &'v [u8]>, phrases: &Phrases) -> (Vec<u16>, Vec<usize>) {
    let (mut row, mut ends) = (Vec::new(), Vec::new());
    let mut parser = Parser::new(phrases);
    for piece in pieces {
        parser.parse(piece, &mut row);
        ends.push(row.len());
    }
    (row, ends)
}

fn count(row: &[u16], symbols: usize) -> Vec<u32> {
    let mut counts = vec![0; symbols];
    for &symbol in row {
        counts[usize::from(symbol)] += 1;
    }
    counts
}

/// Cost of each symbol, given the occurrence counts. A symbol that never occurs gets no code.
fn costs(counts: &[u32]) -> Vec<u32> {
    let total: f64 = counts.iter().copied().map(f64::from).sum();
    let cost = |&count: &u32| match count {
        0 => NO_CODE,
        _ => ((total / f64::from(count)).log2() * f64::from(BIT)).ceil().max(1.0) as u32,
    };
    counts.iter().map(cost).collect()
}

/// Removes the codes of symbols that save fewer bits than they take in the dictionary. Symbols for single values keep
/// their codes, because they can encode any array.
fn drop_codes(symbols: &[Symbol], counts: &mut [u32], scale: f64) {
    let costs = costs(counts);
    let cost = |symbol: u16| f64::from(costs[usize::from(symbol)].min(14 * BIT)) / f64::from(BIT);
    let mut shorter = Symbol::Run { value: 0, length: 1 };
    let mut shorter_cost = 0.0;
    for (number, symbol) in symbols.iter().enumerate() {
        let own = cost(number as u16);
        let (without, price) = match (*symbol, shorter) {
            (Symbol::Run { length: 1, .. }, _) => {
                counts[number] = counts[number].max(1);
                (f64::INFINITY, 0.0)
            }
            (Symbol::Run { length, .. }, Symbol::Run { length: shorter, .. }) => {
                (f64::from(length.div_ceil(shorter)) * shorter_cost, RUN_BITS)
            }
            (Symbol::Pair(left, right), _) | (_, Symbol::Pair(left, right)) => (cost(left) + cost(right), PAIR_BITS),
        };
        if counts[number] == 0 || (without - own) * f64::from(counts[number]) * scale < price {
            counts[number] = 0;
        } else if let Symbol::Run { .. } = symbol {
            (shorter, shorter_cost) = (*symbol, own);
        }
    }
}

/// Removes symbols that are used neither by themselves nor as parts of others. Sorts the rest in the order of the
/// format: runs, pairs of runs, pairs with such pairs, and so on. Also returns the new number of each old symbol.
fn without_unused(symbols: &[Symbol], counts: &[u32]) -> (Vec<Symbol>, Vec<u32>, Vec<Option<u16>>) {
    let mut is_used: Vec<bool> = counts.iter().map(|&count| count > 0).collect();
    for (number, symbol) in symbols.iter().enumerate().rev() {
        if let (true, &Symbol::Pair(left, right)) = (is_used[number], symbol) {
            is_used[usize::from(left)] = true;
            is_used[usize::from(right)] = true;
        }
    }
    let mut numbers: Vec<Option<u16>> = vec![None; symbols.len()];
    let (mut kept, mut kept_counts) = (Vec::new(), Vec::new());
    let mut keep = |old: usize, symbol: Symbol, numbers: &mut [Option<u16>]| {
        numbers[old] = Some(kept.len() as u16);
        kept.push(symbol);
        kept_counts.push(counts[old]);
    };
    let (runs, mut pairs): (Vec<usize>, Vec<usize>) =
        (0..symbols.len()).filter(|&old| is_used[old]).partition(|&old| matches!(symbols[old], Symbol::Run { .. }));
    for old in runs {
        keep(old, symbols[old], &mut numbers);
    }
    while !pairs.is_empty() {
        let mut ready: Vec<(Option<u16>, Option<u16>, usize)> = Vec::new();
        pairs.retain(|&old| {
            let Symbol::Pair(left, right) = symbols[old] else { return false };
            let (left, right) = (numbers[usize::from(left)], numbers[usize::from(right)]);
            let is_ready = left.is_some() && right.is_some();
            if is_ready {
                ready.push((left, right, old));
            }
            !is_ready
        });
        ready.sort_unstable();
        for (left, right, old) in ready {
            keep(old, Symbol::Pair(left.unwrap_or(0), right.unwrap_or(0)), &mut numbers);
        }
    }
    (kept, kept_counts, numbers)
}

/// Exponent of the best group size, given the occurrence counts of symbols in `values` values.
fn group_bits(counts: &[u32], values: usize) -> u8 {
    let codes: f64 = counts.iter().copied().map(f64::from).sum();
    let coded = counts.iter().zip(costs(counts)).filter(|&(&count, _)| count > 0);
    let bits = coded.map(|(&count, cost)| f64::from(count) * f64::from(cost)).sum::<f64>() / f64::from(BIT);
    let groups = (bits / (8.0 * GROUP_BYTES)).max(codes / GROUP_CODES);
    ((values as f64 / groups).log2().round() as u8).clamp(MIN_GROUP_BITS, MAX_GROUP_BITS)
}
