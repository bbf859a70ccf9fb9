//! The values that the symbols of a section stand for.

use crate::knowledge::tablebase::section::Symbol;

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

/// Returns the runs of each symbol.
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
