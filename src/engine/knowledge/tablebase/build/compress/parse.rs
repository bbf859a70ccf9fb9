//! The cheapest sequence of symbols for given values.

use super::phrases::{ENDLESS, Phrases, run_key, run_length, run_value};
use super::symbols::DONT_CARE;
use super::train::MAX_PHRASE;

/// Largest number of runs tried at a place, the longest first.
const ENDS: usize = 4;
/// Largest number of a node's steps at which the parser tries runs of other values over places that do not matter.
const STEPS: u32 = 32;
/// Largest number of tree nodes visited for a place: enough for the longest phrase.
const NODES: u32 = 2 * MAX_PHRASE;

/// Finds the cheapest sequences of symbols. Reuses its buffers.
pub(super) struct Parser<'a> {
    phrases: &'a Phrases,
    /// Next value that matters, for each place.
    next: Vec<Next>,
    /// Cheapest way to each place.
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
    /// Place of that other value.
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

    /// Follows an edge of the tree.
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
