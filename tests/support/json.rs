//! Output of the real programs as JSON.

use serde::de::DeserializeOwned;

use super::command::Ran;

impl Ran {
    /// Standard output as JSON.
    #[track_caller]
    pub(crate) fn json<T: DeserializeOwned>(&self) -> T {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }
}
