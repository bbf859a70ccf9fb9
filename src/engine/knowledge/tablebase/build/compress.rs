//! Compression of an array of small numbers into a [section](crate::knowledge::tablebase::section).
//!
//! The compressor trains a dictionary on a sample, applies it to the sample, and removes symbols that do not pay off.
//! Then it finds the cheapest sequence of symbols for each group. A value that does not matter becomes whatever is
//! cheapest.

mod parse;
mod train;

use crate::knowledge::tablebase::section::{
    BLOCK, HEAD_BYTES, MAX_CODE_BITS, MAX_GROUP_BITS, ONE_VALUE_BYTES, Symbol, VALUE_BITS, canonical, number_bits,
};
use parse::{BIT, NO_CODE, Parser, Phrases};
pub(crate) use train::DONT_CARE;
use train::TrainingLimits;

/// Largest number of symbols. More symbols save little, and make a section slow to open.
const MAX_SYMBOLS: usize = 3 << 10;
const PIECE: usize = 1 << 14;
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
const MIN_GROUP_BITS: u8 = 8;

/// Compresses fewer than 2^32 `values`, each below 32 or [`DONT_CARE`], to a section.
pub(crate) fn compress(values: &[u8]) -> Vec<u8> {
    let mut that_matter = values.iter().copied().filter(|&value| value != DONT_CARE);
    let first = that_matter.next().unwrap_or(0);
    if that_matter.all(|value| value == first) {
        return one_value(first, values.len() as u32);
    }
    let (symbols, counts, mut group_bits) = dictionary(values, &used_values(values));
    let phrases = Phrases::new(&symbols, costs(&counts));
    loop {
        let (mut row, ends) = parse(values.chunks(1 << group_bits), &phrases);
        let (symbols, counts, numbers) = without_unused(&symbols, &count(&row, symbols.len()));
        for symbol in &mut row {
            *symbol = numbers[usize::from(*symbol)].unwrap_or(0);
        }
        let code_lengths = code_lengths(&counts, MAX_CODE_BITS);
        let parts = SectionParts {
            group_bits,
            len: values.len() as u32,
            symbols: &symbols,
            code_lengths: &code_lengths,
            row: &row,
            ends: &ends,
        };
        match write_section(&parts) {
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

/// Returns the code lengths of an optimal prefix code for symbols with these counts: at most `limit` bits, and 0 for
/// symbols that do not occur.
///
/// It uses the package-merge algorithm (L. Larmore, D. Hirschberg, "A fast algorithm for optimal length-limited Huffman
/// codes", 1990). `limit` must be at least the binary logarithm of the number of symbols that occur.
fn code_lengths(counts: &[u32], limit: u32) -> Vec<u8> {
    let mut lengths = vec![0; counts.len()];
    let mut symbols: Vec<usize> = (0..counts.len()).filter(|&symbol| counts[symbol] > 0).collect();
    symbols.sort_by_key(|&symbol| counts[symbol]);
    if let &[symbol] = &symbols[..] {
        lengths[symbol] = 1;
        return lengths;
    }
    // Each level contains the symbols, and packages of two items of the previous level, sorted by weight. The longest
    // codes come first.
    let mut levels: Vec<Vec<(u64, bool)>> = Vec::new();
    for _ in 0..limit {
        let packages = levels.last().map_or(&[][..], |level| level.as_slice()).chunks_exact(2);
        let packages = packages.map(|pair| (pair[0].0 + pair[1].0, true));
        let leaves = symbols.iter().map(|&symbol| (u64::from(counts[symbol]), false));
        let mut level: Vec<_> = packages.chain(leaves).collect();
        level.sort_by_key(|&(weight, _)| weight);
        levels.push(level);
    }
    // A symbol's code has a bit for each level at which the symbol is among the items taken.
    let mut taken = 2 * symbols.len().saturating_sub(1);
    for level in levels.iter().rev() {
        let packages = level[..taken].iter().filter(|&&(_, is_package)| is_package).count();
        for &symbol in &symbols[..taken - packages] {
            lengths[symbol] += 1;
        }
        taken = 2 * packages;
    }
    lengths
}

/// A sequence of bits, with the high bit of each byte first.
#[derive(Default)]
struct BitRow {
    bytes: Vec<u8>,
    buffer: u64,
    held: u32,
}

impl BitRow {
    /// Adds the low `count` bits of a number. `count` is at most 32.
    fn push(&mut self, bits: u32, count: u32) {
        self.buffer = self.buffer << count | u64::from(bits);
        self.held += count;
        while self.held >= 8 {
            self.held -= 8;
            self.bytes.push((self.buffer >> self.held) as u8);
        }
    }

    fn push_gamma(&mut self, number: u32) {
        let zeros = number.ilog2();
        self.push(0, zeros);
        self.push(number, zeros + 1);
    }

    /// Adds a number, at most 31, as a unary code.
    fn push_unary(&mut self, number: u32) {
        self.push((1 << (number + 1)) - 2, number + 1);
    }

    fn pad(&mut self) {
        if self.held > 0 {
            self.push(0, 8 - self.held);
        }
    }
}

fn one_value(value: u8, len: u32) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(ONE_VALUE_BYTES);
    bytes.extend([0, value]);
    bytes.extend(len.to_le_bytes());
    bytes
}

struct SectionParts<'a> {
    group_bits: u8,
    len: u32,
    /// Symbols, with the runs first. Pairs take the fewest bits in stretches of ascending left parts.
    symbols: &'a [Symbol],
    /// Lengths of the symbols' codes; 0 for no code.
    code_lengths: &'a [u8],
    row: &'a [u16],
    ends: &'a [usize],
}

/// Writes a section; `None` if its groups are too large for the index.
fn write_section(parts: &SectionParts) -> Option<Vec<u8>> {
    let longest_code = parts.code_lengths.iter().copied().max().unwrap_or(0);
    let dictionary = write_dictionary(parts, longest_code);
    let runs = parts.symbols.iter().filter(|symbol| matches!(symbol, Symbol::Run { .. })).count();
    let mut codes_of = vec![(0, 0); parts.symbols.len()];
    for (symbol, length, code) in canonical(parts.code_lengths) {
        codes_of[usize::from(symbol)] = (code as u32, length);
    }
    let mut codes = BitRow::default();
    let mut starts = vec![0];
    let mut start = 0;
    for &end in parts.ends {
        for &symbol in &parts.row[start..end] {
            let (code, length) = codes_of[usize::from(symbol)];
            codes.push(code, length);
        }
        codes.pad();
        start = end;
        starts.push(codes.bytes.len() as u32);
    }
    let mut bytes = Vec::with_capacity(HEAD_BYTES + dictionary.len() + starts.len() * 3 + codes.bytes.len());
    bytes.extend([1, parts.group_bits]);
    bytes.extend(parts.len.to_le_bytes());
    bytes.extend((runs as u16).to_le_bytes());
    bytes.extend((parts.symbols.len() as u16).to_le_bytes());
    bytes.push(longest_code);
    bytes.extend((dictionary.len() as u16).to_le_bytes());
    bytes.extend((codes.bytes.len() as u32).to_le_bytes());
    bytes.extend(dictionary);
    for block in starts.chunks(BLOCK) {
        bytes.extend(block[0].to_le_bytes());
        for &start in block {
            bytes.extend(u16::try_from(start - block[0]).ok()?.to_le_bytes());
        }
    }
    bytes.extend(codes.bytes);
    Some(bytes)
}

fn write_dictionary(parts: &SectionParts, longest_code: u8) -> Vec<u8> {
    let mut bits = BitRow::default();
    let mut left_before = 0;
    for (number, (symbol, &code_length)) in parts.symbols.iter().zip(parts.code_lengths).enumerate() {
        match *symbol {
            Symbol::Run { value, length } => {
                bits.push(value.into(), VALUE_BITS);
                bits.push_gamma(length);
            }
            Symbol::Pair(left, right) => {
                if left < left_before {
                    bits.push_gamma(1);
                    left_before = 0;
                }
                bits.push_gamma(u32::from(left - left_before) + 2);
                bits.push(right.into(), number_bits(number));
                left_before = left;
            }
        }
        bits.push_unary(match code_length {
            0 => 1,
            _ if code_length == longest_code => 0,
            _ => (longest_code - code_length + 1).into(),
        });
    }
    bits.pad();
    bits.bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequent_symbols_have_short_codes() {
        assert_eq!(code_lengths(&[5, 0, 1, 1, 2], 14), [1, 0, 3, 3, 2]);
        assert_eq!(code_lengths(&[0, 7], 14), [0, 1]);
        assert_eq!(code_lengths(&[0, 0], 14), [0, 0]);
    }

    #[test]
    fn codes_are_length_limited_and_complete() {
        let fibonacci = [1, 1, 2, 3, 5, 8, 13, 21, 34, 55];
        for limit in 4..=9 {
            let lengths = code_lengths(&fibonacci, limit);
            assert!(lengths.iter().all(|&length| u32::from(length) <= limit));
            assert_eq!(lengths.iter().map(|length| 512 >> length).sum::<u32>(), 512);
        }
        assert_eq!(code_lengths(&fibonacci, 9), [9, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    }
}
