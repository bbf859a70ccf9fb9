//! The cheapest sequence of symbols for given values.

use super::train::{DONT_CARE, MAX_PHRASE, all_runs, sums};
use crate::knowledge::tablebase::section::Symbol;

pub(super) const NO_CODE: u32 = u32::MAX;
pub(super) const BIT: u32 = 64;

/// All symbols with a code, by their runs.
pub(super) struct Phrases {
    pub(super) nodes: Vec<PhraseNode>,
    /// Edges to symbols that end with a run, sorted by node, then by value and length.
    pub(super) ends: Vec<(u32, u16)>,
    /// Edges to nodes after a run, sorted by node, then by value and length.
    pub(super) steps: Vec<(u32, u32)>,
    /// Lengths of symbols, the longest first, each with the cheapest symbol that is at least as long.
    long: Vec<(u32, u16)>,
    pub(super) lengths: Vec<u32>,
    pub(super) costs: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct PhraseNode {
    pub(super) ends: (u32, u32),
    pub(super) steps: (u32, u32),
    /// Cheapest symbol at or below this node.
    pub(super) cheapest: u16,
}

/// Length that exceeds any run.
pub(super) const ENDLESS: u32 = (1 << 20) - 1;

/// Key of an edge for a run of at most [`ENDLESS`] values.
pub(super) fn run_key(value: u8, length: u32) -> u32 {
    u32::from(value) << 20 | length
}

pub(super) fn run_value(key: u32) -> u8 {
    (key >> 20) as u8
}

pub(super) fn run_length(key: u32) -> u32 {
    key & ENDLESS
}

impl Phrases {
    pub(super) fn new(symbols: &[Symbol], costs: Vec<u32>) -> Phrases {
        let lengths = sums(symbols, |run| run);
        let mut rows: Vec<(Vec<u32>, u16)> = Vec::new();
        let all = all_runs(symbols);
        for (number, runs) in all.into_iter().enumerate().filter(|&(number, _)| costs[number] != NO_CODE) {
            rows.push((runs.into_iter().map(|(value, length)| run_key(value, length)).collect(), number as u16));
        }
        rows.sort_unstable();
        // Keep only the cheapest of equal rows.
        rows.dedup_by(|later, first| {
            later.0 == first.0 && {
                if costs[usize::from(later.1)] < costs[usize::from(first.1)] {
                    first.1 = later.1;
                }
                true
            }
        });
        let mut phrases = Phrases { nodes: vec![], ends: vec![], steps: vec![], long: vec![], lengths, costs };
        phrases.add(&rows, 0);
        let mut longest: Vec<u16> = rows.iter().map(|row| row.1).collect();
        longest.sort_by_key(|&symbol| std::cmp::Reverse(phrases.lengths[usize::from(symbol)]));
        let mut cheapest = longest.first().copied().unwrap_or(0);
        for symbol in longest {
            if phrases.costs[usize::from(symbol)] < phrases.costs[usize::from(cheapest)] {
                cheapest = symbol;
            }
            phrases.long.push((phrases.lengths[usize::from(symbol)], cheapest));
        }
        phrases
    }

    /// Adds the node for rows that agree in their first `depth` runs, and all nodes below. Returns the node's number.
    fn add(&mut self, rows: &[(Vec<u32>, u16)], depth: usize) -> u32 {
        let number = self.nodes.len();
        self.nodes.push(PhraseNode { ends: (0, 0), steps: (0, 0), cheapest: 0 });
        let ends = self.ends.len() as u32;
        self.ends.extend(rows.iter().filter(|row| row.0.len() == depth + 1).map(|row| (row.0[depth], row.1)));
        let ends = (ends, self.ends.len() as u32);
        let longer: Vec<&[(Vec<u32>, u16)]> = rows
            .chunk_by(|a, b| a.0[depth] == b.0[depth])
            .map(|rows| if rows[0].0.len() == depth + 1 { &rows[1..] } else { rows })
            .filter(|rows| !rows.is_empty())
            .collect();
        let steps = self.steps.len() as u32;
        self.steps.extend(longer.iter().map(|rows| (rows[0].0[depth], 0)));
        let steps = (steps, self.steps.len() as u32);
        for (place, rows) in longer.into_iter().enumerate() {
            let child = self.add(rows, depth + 1);
            self.steps[steps.0 as usize + place].1 = child;
        }
        let cheapest = rows.iter().map(|row| row.1).min_by_key(|&symbol| self.costs[usize::from(symbol)]);
        self.nodes[number] = PhraseNode { ends, steps, cheapest: cheapest.unwrap_or(0) };
        number as u32
    }

    /// Cheapest symbol of at least `length` values, or the longest symbol if there is none.
    pub(super) fn of_length(&self, length: u32) -> u16 {
        let longer = self.long.partition_point(|entry| entry.0 >= length);
        self.long.get(longer.saturating_sub(1)).map_or(0, |entry| entry.1)
    }
}

/// Largest number of runs tried at a place, the longest first.
const ENDS: usize = 4;
/// Largest number of a node's steps at which the parser tries runs of other values over places that do not matter.
const STEPS: u32 = 32;
/// Largest number of tree nodes visited for a place: enough for the longest phrase.
const NODES: u32 = 2 * MAX_PHRASE;

/// Finds the cheapest sequences of symbols. Reuses its buffers.
pub(super) struct Parser<'a> {
    phrases: &'a Phrases,
    next: Vec<Next>,
    reached: Vec<Reached>,
    stack: Vec<(u32, u32)>,
}

/// The next value that matters after a place.
#[derive(Clone, Copy, Debug)]
struct Next {
    value: u8,
    place: u32,
    /// Last place of the value before another value that matters.
    last: u32,
    other: u32,
}

/// The cheapest way to a place: its cost, its last symbol, and the start of that symbol.
#[derive(Clone, Copy, Debug)]
struct Reached {
    cost: u32,
    symbol: u16,
    from: u32,
}

const NOT_REACHED: Reached = Reached { cost: u32::MAX, symbol: 0, from: 0 };

impl<'a> Parser<'a> {
    pub(super) fn new(phrases: &'a Phrases) -> Parser<'a> {
        Parser { phrases, next: Vec::new(), reached: Vec::new(), stack: Vec::new() }
    }

    /// Adds the symbols for `values` to `row`. The last symbol may extend beyond the end.
    pub(super) fn parse(&mut self, values: &[u8], row: &mut Vec<u16>) {
        self.look_ahead(values);
        self.reached.clear();
        self.reached.resize(values.len() + 1, NOT_REACHED);
        self.reached[0].cost = 0;
        for place in 0..values.len() as u32 {
            if self.reached[place as usize].cost != u32::MAX {
                self.leave(place);
            }
        }
        let start = row.len();
        let mut place = values.len();
        while place > 0 {
            row.push(self.reached[place].symbol);
            place = self.reached[place].from as usize;
        }
        row[start..].reverse();
    }

    fn look_ahead(&mut self, values: &[u8]) {
        let end = values.len() as u32;
        let mut next = Next { value: DONT_CARE, place: end, last: end, other: end };
        self.next.clear();
        self.next.resize(values.len() + 1, next);
        for (place, &value) in values.iter().enumerate().rev() {
            if value != DONT_CARE {
                let place = place as u32;
                next = match value == next.value {
                    true => Next { place, ..next },
                    false => Next { value, place, last: place, other: next.place },
                };
            }
            self.next[place] = next;
        }
    }

    /// Tries the symbols that fit at a place.
    fn leave(&mut self, start: u32) {
        let end = self.next.len() as u32 - 1;
        if self.next[start as usize].place == end {
            self.reach(start, self.phrases.of_length(end - start));
            return;
        }
        self.stack.clear();
        self.stack.push((0, start));
        let mut nodes = 0;
        while let Some((node, place)) = self.stack.pop() {
            nodes += 1;
            if nodes > NODES {
                break;
            }
            self.visit(start, node, place, end);
        }
    }

    fn visit(&mut self, start: u32, node: u32, place: u32, end: u32) {
        let phrases = self.phrases;
        let node = phrases.nodes[node as usize];
        let next = self.next[place as usize];
        if next.place == end {
            self.reach(start, node.cheapest);
            return;
        }
        let ends = &phrases.ends[node.ends.0 as usize..node.ends.1 as usize];
        let steps = &phrases.steps[node.steps.0 as usize..node.steps.1 as usize];
        // Runs of the next value that matters.
        let room = if next.other == end { ENDLESS } else { next.other - place };
        let need = next.last + 1 - place;
        let fit = ends.partition_point(|edge| edge.0 <= run_key(next.value, room));
        let first = ends[..fit].partition_point(|edge| edge.0 < run_key(next.value, 0));
        for edge in &ends[first.max(fit.saturating_sub(ENDS))..fit] {
            self.reach(start, edge.1);
        }
        let fit = steps.partition_point(|edge| edge.0 <= run_key(next.value, room));
        let first = steps[..fit].partition_point(|edge| edge.0 < run_key(next.value, need));
        for edge in &steps[first..fit] {
            self.step(start, place, *edge, end);
        }
        // Runs of other values over places that do not matter.
        let room = next.place - place;
        if room > 0 && node.steps.1 - node.steps.0 <= STEPS {
            let fits = |key: u32| run_value(key) != next.value && run_length(key) <= room;
            for edge in ends.iter().filter(|edge| fits(edge.0)) {
                self.reach(start, edge.1);
            }
            for edge in steps.iter().filter(|edge| fits(edge.0)) {
                self.step(start, place, *edge, end);
            }
        }
    }

    fn step(&mut self, start: u32, place: u32, (run, node): (u32, u32), end: u32) {
        let place = place + run_length(run);
        if place >= end {
            self.reach(start, self.phrases.nodes[node as usize].cheapest);
        } else {
            self.stack.push((node, place));
        }
    }

    /// Places a symbol, unless a cheaper way reaches its end.
    fn reach(&mut self, from: u32, symbol: u16) {
        let place = (from + self.phrases.lengths[usize::from(symbol)]).min(self.reached.len() as u32 - 1);
        let cost = self.reached[from as usize].cost + self.phrases.costs[usize::from(symbol)];
        let best = &mut self.reached[place as usize];
        if cost < best.cost {
            *best = Reached { cost, symbol, from };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knowledge::tablebase::section::Symbol;

    /// Symbols 0 "1", 1 "2", 2 "1 1 1 1", 3 "1 2" and 4 "1 2 1", all at the same cost.
    fn symbols() -> [Symbol; 5] {
        let run = |value, length| Symbol::Run { value, length };
        [run(1, 1), run(2, 1), run(1, 4), Symbol::Pair(0, 1), Symbol::Pair(3, 0)]
    }

    fn parse(values: &[u8]) -> Vec<u16> {
        let phrases = Phrases::new(&symbols(), vec![64; 5]);
        let mut row = Vec::new();
        Parser::new(&phrases).parse(values, &mut row);
        row
    }

    #[test]
    fn the_parse_uses_the_fewest_symbols() {
        assert_eq!(parse(&[1, 2, 1, 2, 1, 2, 1]).len(), 3);
        assert_eq!(parse(&[1, 1, 1, 1, 2]).len(), 2);
    }

    #[test]
    fn do_not_care_values_match_any_symbol() {
        const D: u8 = DONT_CARE;
        assert_eq!(parse(&[1, D, D, 1, 2]), [2, 1]);
        assert_eq!(parse(&[D, 2, D, 2]).len(), 2);
        assert_eq!(parse(&[D, D, D, D]), [2]);
    }

    #[test]
    fn the_last_symbol_may_run_past_the_end() {
        assert_eq!(parse(&[2, 1, 1]), [1, 2]);
        assert_eq!(parse(&[2, 2, 1, 2]).len(), 3);
    }
}
