//! Shards: parts of one job for several machines.

use std::str::FromStr;

/// Shard of the work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shard {
    /// Number of the shard, 1-based.
    pub(crate) number: u32,
    pub(crate) of: u32,
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
