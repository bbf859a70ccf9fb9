//! Which shard is this process to play?

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::game::ParseError;

/// A part of a plan: a number, and how many parts there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Shard {
    number: u32,
    of: u32,
}

/// A shard as the command line names it: `3/10`, `3` or `/10`; the environment of a job array's task has the rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShardSpec {
    number: Option<u32>,
    of: Option<u32>,
}

/// Variables of schedulers: a task's number; the number of the array's first task; and the number of tasks, if the
/// first is 1. Slurm has the last one twice, with different values if some tasks were left out.
const SCHEDULERS: [(&str, &str, &[&str]); 7] = [
    ("SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", &["SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_COUNT"]),
    ("SGE_TASK_ID", "SGE_TASK_FIRST", &["SGE_TASK_LAST"]),
    ("PBS_ARRAY_INDEX", "", &[]),
    ("PBS_ARRAYID", "", &[]),
    ("LSB_JOBINDEX", "", &[]),
    ("HQ_TASK_ID", "", &[]),
    ("PARALLEL_SEQ", "", &[]),
];

impl Shard {
    /// `None`: there is no such shard.
    pub(super) fn new(number: u32, of: u32) -> Option<Shard> {
        (1..=of).contains(&number).then_some(Shard { number, of })
    }

    /// From 1.
    pub fn number(self) -> u32 {
        self.number
    }

    /// How many there are.
    pub fn of(self) -> u32 {
        self.of
    }
}

impl ShardSpec {
    /// The shard to play; `environment` gives the value of a variable. Tasks count from 1, as shards do: if an array is
    /// started again for some of its tasks, each plays the same shard as before.
    ///
    /// # Errors
    /// Its number, or the number of shards, is missing; or there is no such shard.
    pub fn settle(self, environment: impl Fn(&str) -> Option<String>) -> Result<Shard, ParseError> {
        // Outside of an array the number is "undefined", or 0.
        let positive = |name: &str| environment(name)?.parse::<u32>().ok().filter(|&value| value > 0);
        let task = SCHEDULERS.iter().find(|(number, ..)| positive(number).is_some());
        let number = self.number.or_else(|| positive(task?.0));
        let of = self.of.or_else(|| {
            let &(_, first, counts) = task?;
            let (count, others) = counts.split_first()?;
            let of = positive(count).filter(|_| positive(first) == Some(1))?;
            others.iter().all(|count| positive(count) == Some(of)).then_some(of)
        });
        match (number, of) {
            (Some(number), Some(of)) => format!("{number}/{of}").parse(),
            (None, _) => {
                let expected = "its number as --shard K/N, or an array of jobs whose tasks count from 1";
                Err(ParseError::new("no number of a shard", expected))
            }
            (Some(number), None) => {
                let expected = format!("how many shards there are, as --shard {number}/N or --shard /N");
                Err(ParseError::new(&format!("shard {number}"), expected))
            }
        }
    }
}

impl FromStr for ShardSpec {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<ShardSpec, ParseError> {
        let number = |part: &str| if part.is_empty() { Ok(None) } else { part.parse().map(Some) };
        let (k, n) = text.split_once('/').unwrap_or((text, ""));
        let read = number(k).and_then(|k| Ok(ShardSpec { number: k, of: number(n)? }));
        read.map_err(|_| ParseError::new(text, "a shard: its number from 1, / and how many there are, as 3/10"))
    }
}

impl FromStr for Shard {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Shard, ParseError> {
        let ShardSpec { number, of } = text.parse()?;
        let shard = number.zip(of).and_then(|(number, of)| Shard::new(number, of));
        shard.ok_or_else(|| ParseError::new(text, "one of the shards 1/N to N/N"))
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}

impl TryFrom<String> for Shard {
    type Error = ParseError;

    fn try_from(text: String) -> Result<Shard, ParseError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shard that `spec` means where these variables are set, or the error.
    fn settled(spec: &str, variables: &[(&str, &str)]) -> String {
        let spec: ShardSpec = if spec.is_empty() { ShardSpec::default() } else { spec.parse().unwrap() };
        let value =
            |name: &str| variables.iter().find(|&&(other, _)| other == name).map(|&(_, value)| value.to_owned());
        spec.settle(value).map_or_else(|error| error.to_string(), |shard| shard.to_string())
    }

    #[test]
    fn a_task_of_a_job_array_finds_its_shard() {
        let slurm = |id, min, max, count| {
            [
                ("SLURM_ARRAY_TASK_ID", id),
                ("SLURM_ARRAY_TASK_MIN", min),
                ("SLURM_ARRAY_TASK_MAX", max),
                ("SLURM_ARRAY_TASK_COUNT", count),
            ]
        };
        assert_eq!(settled("", &slurm("3", "1", "10", "10")), "3/10");
        assert_eq!(settled("/20", &slurm("3", "1", "10", "10")), "3/20");
        assert_eq!(settled("7/9", &slurm("3", "1", "10", "10")), "7/9");
        for sparse in [slurm("3", "1", "7", "3"), slurm("3", "3", "7", "5")] {
            assert!(settled("", &sparse).contains("expected how many shards there are"), "{sparse:?}");
            assert_eq!(settled("/10", &sparse), "3/10", "a task that is started again is the same shard");
        }
        let sge = |id| [("SGE_TASK_ID", id), ("SGE_TASK_FIRST", "1"), ("SGE_TASK_LAST", "4")];
        assert_eq!(settled("", &sge("4")), "4/4");
        assert!(settled("", &sge("undefined")).contains("no number of a shard"));
        for name in ["PBS_ARRAY_INDEX", "PBS_ARRAYID", "LSB_JOBINDEX", "HQ_TASK_ID", "PARALLEL_SEQ"] {
            assert_eq!(settled("/5", &[(name, "5")]), "5/5");
        }
        assert!(settled("/5", &[("LSB_JOBINDEX", "0")]).contains("tasks count from 1"));
        assert!(settled("/5", &[("PBS_ARRAYID", "6")]).contains("1/N to N/N"));
    }

    #[test]
    fn text_that_is_not_a_shard_is_refused() {
        for text in ["", "0/3", "4/3", "1", "/3", "a/b", "1/2/3", "-1/2", "1/0"] {
            let error = text.parse::<Shard>().unwrap_err();
            assert!(error.expected.contains("shard"), "{text}: {error}");
        }
    }
}
