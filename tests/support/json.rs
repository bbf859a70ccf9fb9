//! Output of the real programs as JSON.

#![allow(dead_code, reason = "each test program uses only a part of this")]

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::command::{Dir, Ran};

/// The number in a field, which must exist.
#[track_caller]
pub(crate) fn number(value: &Value, name: &str) -> f64 {
    value[name].as_f64().unwrap_or_else(|| panic!("no {name}: {value}"))
}

#[track_caller]
pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("no list: {value}"))
}

impl Dir {
    #[track_caller]
    pub(crate) fn json<T: DeserializeOwned>(&self, name: &str) -> T {
        serde_json::from_str(&self.text(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

impl Ran {
    /// Standard output as JSON.
    #[track_caller]
    pub(crate) fn json<T: DeserializeOwned>(&self) -> T {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }
}
