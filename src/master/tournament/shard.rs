//! Shards, and the shard that a task of a job array plays.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use kingline::game::ParseError;

/// A part of a plan: its number and the number of parts, `3/10`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(into = "String")]
pub struct Shard {
    number: u32,
    of: u32,
}

/// A shard as given on the command line: `3/10`, `3` or `/10`. The environment of a job-array task supplies a missing
/// part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShardSpec {
    number: Option<u32>,
    of: Option<u32>,
}

/// Environment variables set by schedulers: a task's number, the number of the array's first task, and the number of
/// tasks if the first is 1. Slurm has two variables for the number of tasks, which differ if the array skips some
/// numbers.
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
    /// Returns `None` if there is no such shard.
    pub(super) fn new(number: u32, of: u32) -> Option<Shard> {
        (1..=of).contains(&number).then_some(Shard { number, of })
    }

    /// Its 1-based number.
    pub fn number(self) -> u32 {
        self.number
    }

    /// Number of shards.
    pub fn of(self) -> u32 {
        self.of
    }
}

impl ShardSpec {
    /// Returns the shard to play; `environment` returns the value of a variable. Tasks are numbered from 1, like
    /// shards, so a restarted task plays the same shard again.
    ///
    /// # Errors
    /// The shard's number or the number of shards is missing, or there is no such shard.
    pub fn settle(self, environment: impl Fn(&str) -> Option<String>) -> Result<Shard, ParseError> {
        // Outside an array, the variable is "undefined" or 0.
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
                let expected = "--shard K/N, or a job array whose tasks are numbered from 1";
                Err(ParseError::new("no shard number", expected))
            }
            (Some(number), None) => {
                let expected = format!("the number of shards, as --shard {number}/N or --shard /N");
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
        read.map_err(|_| ParseError::new(text, "a shard like 3/10: its number from 1, and the number of shards"))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the shard that `spec` selects with these variables set, or the error.
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
            assert!(settled("", &sparse).contains("expected the number of shards"), "{sparse:?}");
            assert_eq!(settled("/10", &sparse), "3/10", "a task that is started again plays the same shard");
        }
        let sge = |id| [("SGE_TASK_ID", id), ("SGE_TASK_FIRST", "1"), ("SGE_TASK_LAST", "4")];
        assert_eq!(settled("", &sge("4")), "4/4");
        assert!(settled("", &sge("undefined")).contains("no shard number"));
        for name in ["PBS_ARRAY_INDEX", "PBS_ARRAYID", "LSB_JOBINDEX", "HQ_TASK_ID", "PARALLEL_SEQ"] {
            assert_eq!(settled("/5", &[(name, "5")]), "5/5");
        }
        assert!(settled("/5", &[("LSB_JOBINDEX", "0")]).contains("tasks are numbered from 1"));
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
