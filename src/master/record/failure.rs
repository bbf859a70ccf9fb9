//! Failures of the referee that end a game.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A failure of the referee itself. Not an agent's fault: the game must be played again.
///
/// Records contain only its text, as `{"error": "..."}`. Parsing that text is the inverse of [`Display`](fmt::Display).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "FailureText", into = "FailureText")]
pub enum Failure {
    /// The machine was so busy that it spoiled every attempt at a turn or a game.
    Overloaded {
        /// Number of tries.
        tries: u32,
    },
    /// Any other failure, as reported.
    Other(String),
}

/// The form of a failure in records.
#[derive(Serialize, Deserialize)]
struct FailureText {
    error: String,
}

/// Text before the number of tries: the current wording, then that of older records.
const OVERLOADED: [&str; 2] =
    ["no result: the machine is overloaded and has spoiled ", "no result: the machine is overloaded and has spoilt "];
/// Text after the number of tries.
const TRIES: &str = " tries";

impl From<Failure> for FailureText {
    fn from(failure: Failure) -> FailureText {
        FailureText { error: failure.to_string() }
    }
}

impl From<FailureText> for Failure {
    fn from(FailureText { error }: FailureText) -> Failure {
        let tries = |start| error.strip_prefix(start)?.strip_suffix(TRIES)?.parse().ok();
        match OVERLOADED.into_iter().find_map(tries) {
            Some(tries) => Failure::Overloaded { tries },
            None => Failure::Other(error),
        }
    }
}

impl From<anyhow::Error> for Failure {
    /// Returns the failure that a player reported or, for any other error, its text with all causes.
    fn from(error: anyhow::Error) -> Failure {
        error.downcast().unwrap_or_else(|other| Failure::Other(format!("{other:#}")))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Overloaded { tries } => write!(f, "{}{tries}{TRIES}", OVERLOADED[0]),
            Failure::Other(error) => f.write_str(error),
        }
    }
}

impl std::error::Error for Failure {}

#[cfg(test)]
mod tests {
    use anyhow::{Context, anyhow};

    use super::*;
    use crate::record::EndReason;

    #[test]
    fn failures_keep_their_form_in_records() {
        let overloaded = Failure::Overloaded { tries: 3 };
        let text = r#"{"why":"failed","error":"no result: the machine is overloaded and has spoiled 3 tries"}"#;
        let other = r#"{"why":"failed","error":"cannot start a job: no process"}"#;
        for (failure, text) in [(&overloaded, text), (&Failure::Other("cannot start a job: no process".into()), other)]
        {
            let reason = EndReason::Failed(failure.clone());
            assert_eq!(serde_json::to_string(&reason).unwrap(), text);
            assert_eq!(serde_json::from_str::<EndReason>(text).unwrap(), reason);
        }
        let old = text.replace("spoiled", "spoilt");
        assert_eq!(serde_json::from_str::<EndReason>(&old).unwrap(), EndReason::Failed(overloaded));
    }

    #[test]
    fn a_player_reports_an_overload_as_an_error() {
        let overloaded = Failure::Overloaded { tries: 3 };
        assert_eq!(Failure::from(anyhow::Error::from(overloaded.clone())), overloaded);
        let error = Err::<(), _>(anyhow!("no process")).context("cannot start a job").unwrap_err();
        assert_eq!(Failure::from(error), Failure::Other("cannot start a job: no process".into()));
    }
}
