//! A tree of runs that finds symbols by their values.

use super::symbols::{all_runs, sums};
use crate::knowledge::tablebase::section::Symbol;

/// Cost of a symbol without a code.
pub(super) const NO_CODE: u32 = u32::MAX;
/// Cost of a bit.
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

/// Value of an edge's run.
pub(super) fn run_value(key: u32) -> u8 {
    (key >> 20) as u8
}

/// Length of an edge's run.
pub(super) fn run_length(key: u32) -> u32 {
    key & ENDLESS
}

impl Phrases {
    /// Builds the tree of the symbols that have a cost.
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
