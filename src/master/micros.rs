//! Durations as whole microseconds in JSON.

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

fn count(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

pub(super) fn serialize<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
    count(*time).serialize(to)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
    u64::deserialize(from).map(Duration::from_micros)
}

/// Optional durations.
pub(super) mod option {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(time: &Option<Duration>, to: S) -> Result<S::Ok, S::Error> {
        time.map(count).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Duration>, D::Error> {
        Ok(Option::<u64>::deserialize(from)?.map(Duration::from_micros))
    }
}

/// Pairs of optional durations: Black's, then White's.
pub(super) mod pair {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(times: &[Option<Duration>; 2], to: S) -> Result<S::Ok, S::Error> {
        times.map(|time| time.map(count)).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<[Option<Duration>; 2], D::Error> {
        Ok(<[Option<u64>; 2]>::deserialize(from)?.map(|time| time.map(Duration::from_micros)))
    }
}
