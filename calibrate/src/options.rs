//! Options that several commands share, and the end of their help.

use std::fmt::Display;
use std::ops::{Bound, RangeBounds};
use std::str::FromStr;

use anyhow::Result;
use kingline_players::help::GuidePage;
use kingline_players::terminal::{stdout_json, stdout_line};
use kingline_players::threads::Threads;
use serde::Serialize;

/// The option `--threads`.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct ThreadsOption {
    /// Number of threads; the result does not depend on it. Default: one for each core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl ThreadsOption {
    pub(crate) fn threads(self) -> Threads {
        Threads::new(self.threads)
    }
}

/// The option `--json`.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct JsonOption {
    /// Print the result as one JSON object.
    #[arg(long)]
    json: bool,
}

impl JsonOption {
    /// Prints a result as text or as JSON.
    ///
    /// # Errors
    /// Fails if standard output cannot be written.
    pub(crate) fn print(self, result: &(impl Display + Serialize)) -> Result<()> {
        if self.json { stdout_json(serde_json::to_string(result)?) } else { stdout_line(result) }
    }
}

/// Returns the exit codes and the guide page about the command.
pub(crate) fn help_end(page: GuidePage) -> String {
    format!("Exit codes: 0 done, 1 something failed or is wrong, 2 bad usage or input.\n\n{}", page.line())
}

/// Returns the parser of an option's number, which lies between these bounds: never infinity, never NaN.
pub(crate) fn number(low: Bound<f64>, high: Bound<f64>) -> impl Fn(&str) -> Result<f64, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number: &f64| number.is_finite() && (low, high).contains(number));
        number.ok_or_else(|| {
            let low = words(low, "above", "at least");
            let high = words(high, "below", "at most");
            format!("expected a number {}", [low, high].into_iter().flatten().collect::<Vec<_>>().join(" and "))
        })
    }
}

fn words(bound: Bound<f64>, excluded: &str, included: &str) -> Option<String> {
    match bound {
        Bound::Excluded(limit) => Some(format!("{excluded} {limit}")),
        Bound::Included(limit) => Some(format!("{included} {limit}")),
        Bound::Unbounded => None,
    }
}

/// Part of a job for one of several machines.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shard {
    /// Number of the shard, 1-based.
    pub(crate) number: u32,
    pub(crate) of: u32,
}

impl Shard {
    /// Returns the shard's share of these items: every `of`-th one.
    pub(crate) fn share<I>(self, items: Vec<I>) -> Vec<I> {
        items.into_iter().skip(self.number as usize - 1).step_by(self.of as usize).collect()
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((number, of)) if 1 <= number && number <= of => Ok(Shard { number, of }),
            _ => Err(format!("found \"{text}\", expected K/N with K from 1 to N, like 3/8")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_lie_between_their_bounds() {
        let rate = number(Bound::Excluded(0.0), Bound::Included(1.0));
        assert_eq!((rate("1"), rate("1e-9")), (Ok(1.0), Ok(1e-9)));
        for text in ["0", "-1", "1.1", "nan", "inf", "-inf", "1e999", "", "0,1"] {
            assert_eq!(rate(text).unwrap_err(), "expected a number above 0 and at most 1", "{text}");
        }
        let any = number(Bound::Unbounded, Bound::Unbounded);
        assert!(any("-5.5").is_ok() && any("inf").is_err() && any("NaN").is_err());
    }

    #[test]
    fn shards_share_all_items() {
        let share = |text: &str| text.parse::<Shard>().unwrap().share((1..=8).collect());
        assert_eq!([share("1/3"), share("2/3"), share("3/3")], [vec![1, 4, 7], vec![2, 5, 8], vec![3, 6]]);
        assert_eq!([share("1/1").len(), share("9/9").len()], [8, 0]);
        assert!(["0/3", "4/3", "3", "a/b"].iter().all(|text| text.parse::<Shard>().is_err()));
    }
}
