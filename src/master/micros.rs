//! Durations as whole microseconds in JSON.

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The form of durations in JSON, for `#[serde(with = "Micros::<u64>")]`. A type instead of a module, since it also
/// stands for the field in JSON Schemas.
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(transparent))]
#[allow(dead_code, reason = "only the type is used")]
pub(super) struct Micros<T>(T);

fn count(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

impl Micros<u64> {
    pub(super) fn serialize<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
        count(*time).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        u64::deserialize(from).map(Duration::from_micros)
    }
}

/// Optional durations.
impl Micros<Option<u64>> {
    pub(super) fn serialize<S: Serializer>(time: &Option<Duration>, to: S) -> Result<S::Ok, S::Error> {
        time.map(count).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Duration>, D::Error> {
        Ok(Option::<u64>::deserialize(from)?.map(Duration::from_micros))
    }
}

/// Pairs of optional durations: Black's, then White's.
impl Micros<[Option<u64>; 2]> {
    pub(super) fn serialize<S: Serializer>(times: &[Option<Duration>; 2], to: S) -> Result<S::Ok, S::Error> {
        times.map(|time| time.map(count)).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<[Option<Duration>; 2], D::Error> {
        Ok(<[Option<u64>; 2]>::deserialize(from)?.map(|time| time.map(Duration::from_micros)))
    }
}
