//! Compresses an array of small numbers into a [section](crate::tables::section).
//!
//! A dictionary is trained on a sample, tried on it, cleared of what does not pay, and then used for the cheapest row
//! of symbols for each group. A value that does not matter becomes what the symbols make of it.

mod huffman;
mod parse;
mod phrases;
mod train;
mod write;

use crate::tables::section::{MAX_CODE_BITS, MAX_GROUP_BITS, MAX_SYMBOLS, Symbol};
use parse::Parser;
use phrases::{BIT, NO_CODE, Phrases};
use train::Plan;

/// In place of a value: any will do.
pub(crate) const DONT_CARE: u8 = 255;

/// The sample is made of pieces of so many values.
const PIECE: usize = 1 << 14;
/// The sample is of at most so many values.
const SAMPLE: usize = 1 << 22;
/// A group takes about so many bytes.
const GROUP_BYTES: f64 = 64.0;
/// The smallest group is two to this power.
const MIN_GROUP_BITS: u8 = 8;

/// A section of `values`: numbers below 32 and [`DONT_CARE`], fewer than 2^32 of them.
pub(crate) fn compress(values: &[u8]) -> Vec<u8> {
    let mut that_matter = values.iter().copied().filter(|&value| value != DONT_CARE);
    let first = that_matter.next().unwrap_or(0);
    if that_matter.all(|value| value == first) {
        return write::one_value(first, values.len() as u32);
    }
    let (symbols, counts, bits_per_value) = dictionary(values, &used_values(values));
    let phrases = Phrases::new(&symbols, costs(&counts));
    let mut group_bits = group_bits(bits_per_value);
    loop {
        let (mut row, ends) = parse(values.chunks(1 << group_bits), &phrases);
        let (symbols, counts, numbers) = without_unused(&symbols, &count(&row, symbols.len()));
        for symbol in &mut row {
            *symbol = numbers[usize::from(*symbol)];
        }
        let code_lengths = huffman::code_lengths(&counts, MAX_CODE_BITS);
        let parts = write::Parts {
            group_bits,
            len: values.len() as u32,
            symbols: &symbols,
            code_lengths: &code_lengths,
            row: &row,
            ends: &ends,
        };
        match write::section(&parts) {
            Some(bytes) => return bytes,
            None => group_bits -= 1,
        }
    }
}

/// Symbols for the values, how often they come in a sample, and the bits that a value takes there.
fn dictionary(values: &[u8], used: &[u8]) -> (Vec<Symbol>, Vec<u32>, f64) {
    let step = values.len().div_ceil(SAMPLE);
    let pieces: Vec<&[u8]> = values.chunks(PIECE).step_by(step).collect();
    let size: usize = pieces.iter().map(|piece| piece.len()).sum();
    let scale = values.len() as f64 / size as f64;
    let mut filled: Vec<Vec<u8>> = pieces.iter().map(|piece| fill(piece)).collect();
    let mut symbols = Vec::new();
    let mut counts = Vec::new();
    for round in 0..2 {
        let plan = Plan { symbols: MAX_SYMBOLS, min_count: ((6.0 / scale) as u32).max(3) };
        (symbols, counts) = train::train(filled.iter().map(Vec::as_slice), used, plan);
        for _ in 0..2 {
            let phrases = Phrases::new(&symbols, costs(&counts));
            let (row, ends) = parse(pieces.iter().copied(), &phrases);
            counts = count(&row, symbols.len());
            if round == 0 {
                filled = expand(&symbols, &row, &ends, &pieces);
            }
            drop_codes(&symbols, &mut counts, scale);
            (symbols, counts, _) = without_unused(&symbols, &counts);
        }
    }
    let total: f64 = counts
        .iter()
        .zip(costs(&counts))
        .filter(|&(&count, _)| count > 0)
        .map(|(&count, cost)| f64::from(count) * f64::from(cost))
        .sum();
    (symbols, counts, total / f64::from(BIT) / size as f64)
}

/// The values that come at least once; the sample may not have all of them.
fn used_values(values: &[u8]) -> Vec<u8> {
    let mut is_used = [false; 256];
    for &value in values {
        is_used[usize::from(value)] = true;
    }
    (0..DONT_CARE).filter(|&value| is_used[usize::from(value)]).collect()
}

/// Each value that does not matter becomes the one before it.
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

/// The symbols of pieces of values, one after the other, and where each piece's symbols end.
fn parse<'v>(pieces: impl Iterator<Item = &'v [u8]>, phrases: &Phrases) -> (Vec<u16>, Vec<usize>) {
    let (mut row, mut ends) = (Vec::new(), Vec::new());
    let mut parser = Parser::new(phrases);
    for piece in pieces {
        parser.parse(piece, &mut row);
        ends.push(row.len());
    }
    (row, ends)
}

/// The values that rows of symbols stand for, each cut to the length of its piece.
fn expand(symbols: &[Symbol], row: &[u16], ends: &[usize], pieces: &[&[u8]]) -> Vec<Vec<u8>> {
    let runs = phrases::all_runs(symbols);
    let mut begin = 0;
    let piece = |(piece, &end): (&&[u8], &usize)| {
        let mut values = Vec::with_capacity(piece.len());
        for &(value, length) in row[begin..end].iter().flat_map(|&symbol| &runs[usize::from(symbol)]) {
            values.resize((values.len() + length as usize).min(piece.len()), value);
        }
        begin = end;
        values
    };
    pieces.iter().zip(ends).map(piece).collect()
}

fn count(row: &[u16], symbols: usize) -> Vec<u32> {
    let mut counts = vec![0; symbols];
    for &symbol in row {
        counts[usize::from(symbol)] += 1;
    }
    counts
}

/// What each symbol costs by how often it comes; never comes: no code.
fn costs(counts: &[u32]) -> Vec<u32> {
    let total: f64 = counts.iter().copied().map(f64::from).sum();
    let cost = |&count: &u32| match count {
        0 => NO_CODE,
        _ => ((total / f64::from(count)).log2() * f64::from(BIT)).ceil().max(1.0) as u32,
    };
    counts.iter().map(cost).collect()
}

/// Number of values of each symbol.
fn lengths(symbols: &[Symbol]) -> Vec<u32> {
    let mut lengths: Vec<u32> = Vec::with_capacity(symbols.len());
    for symbol in symbols {
        lengths.push(match *symbol {
            Symbol::Run { length, .. } => length,
            Symbol::Pair(left, right) => lengths[usize::from(left)] + lengths[usize::from(right)],
        });
    }
    lengths
}

/// Takes their codes from symbols that save fewer bits than they take in the dictionary, but not from those of one
/// value, with which anything can be written.
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
                (f64::from(length.div_ceil(shorter)) * shorter_cost, 26.0)
            }
            (Symbol::Pair(left, right), _) | (_, Symbol::Pair(left, right)) => (cost(left) + cost(right), 29.0),
        };
        if counts[number] == 0 || (without - own) * f64::from(counts[number]) * scale < price {
            counts[number] = 0;
        } else if let Symbol::Run { .. } = symbol {
            (shorter, shorter_cost) = (*symbol, own);
        }
    }
}

/// Removes symbols that never come and are no part of others that do; also tells the new numbers of the old ones.
fn without_unused(symbols: &[Symbol], counts: &[u32]) -> (Vec<Symbol>, Vec<u32>, Vec<u16>) {
    let mut is_used: Vec<bool> = counts.iter().map(|&count| count > 0).collect();
    for (number, symbol) in symbols.iter().enumerate().rev() {
        if let (true, &Symbol::Pair(left, right)) = (is_used[number], symbol) {
            is_used[usize::from(left)] = true;
            is_used[usize::from(right)] = true;
        }
    }
    let mut numbers = vec![0; symbols.len()];
    let (mut kept, mut kept_counts) = (Vec::new(), Vec::new());
    for number in (0..symbols.len()).filter(|&number| is_used[number]) {
        numbers[number] = kept.len() as u16;
        kept_counts.push(counts[number]);
        kept.push(match symbols[number] {
            Symbol::Pair(left, right) => Symbol::Pair(numbers[usize::from(left)], numbers[usize::from(right)]),
            run => run,
        });
    }
    (kept, kept_counts, numbers)
}

/// Groups of two to this power have about the bytes they should have.
fn group_bits(bits_per_value: f64) -> u8 {
    let values = GROUP_BYTES * 8.0 / bits_per_value;
    (values.log2().round() as u8).clamp(MIN_GROUP_BITS, MAX_GROUP_BITS)
}
