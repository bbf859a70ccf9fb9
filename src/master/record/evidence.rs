//! Evidence of a turn, for appeals: the files that an agent found and left, and its standard error.

use serde::{Deserialize, Serialize};

use crate::hash::in_hex;

/// Files before and after a turn of an agent, and how its program ended. Long files lack their middle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// playdata.txt before the turn.
    pub playdata: FoundFile,
    /// output.txt after the turn.
    pub output: FoundFile,
    /// Standard error.
    pub stderr: AgentBytes,
    /// How the program ended: `exit code 0`.
    pub ended: String,
}

/// A file of an agent, or what was there in its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FoundFile {
    /// Its content.
    Content(AgentBytes),
    /// Reason why there is none: `there is no such file`, `a symbolic link`.
    Missing(String),
}

/// Bytes that an agent wrote. JSON has them as text or, if they are no plain text, in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "StoredBytes", into = "StoredBytes")]
pub struct AgentBytes(pub Vec<u8>);

/// The form of bytes in JSON: at most twice as long as they are.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum StoredBytes {
    Text(String),
    Hex { hex: String },
}

impl From<AgentBytes> for StoredBytes {
    fn from(AgentBytes(bytes): AgentBytes) -> StoredBytes {
        let is_plain = |text: &String| !text.contains(|letter: char| letter.is_control() && !"\n\r\t".contains(letter));
        match String::from_utf8(bytes) {
            Ok(text) if is_plain(&text) => StoredBytes::Text(text),
            Ok(text) => StoredBytes::Hex { hex: in_hex(text.as_bytes()) },
            Err(error) => StoredBytes::Hex { hex: in_hex(error.as_bytes()) },
        }
    }
}

impl From<StoredBytes> for AgentBytes {
    /// Pairs that are no hexadecimal digits are left out.
    fn from(stored: StoredBytes) -> AgentBytes {
        AgentBytes(match stored {
            StoredBytes::Text(text) => text.into_bytes(),
            StoredBytes::Hex { hex } => {
                let pairs = hex.as_bytes().chunks(2).filter_map(|pair| std::str::from_utf8(pair).ok());
                pairs.filter_map(|pair| u8::from_str_radix(pair, 16).ok()).collect()
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_any_kind_survive_json() {
        for (bytes, json) in [
            (&b"E c3 b4\n"[..], "\"E c3 b4\\n\""),
            (b"\x1b[2J", "{\"hex\":\"1b5b324a\"}"),
            (b"\xff\0", "{\"hex\":\"ff00\"}"),
            (b"", "\"\""),
        ] {
            let stored = serde_json::to_string(&AgentBytes(bytes.to_vec())).unwrap();
            assert_eq!(stored, json);
            assert_eq!(serde_json::from_str::<AgentBytes>(&stored).unwrap().0, bytes);
        }
        let worst = AgentBytes(vec![0; 1000]);
        assert!(serde_json::to_string(&worst).unwrap().len() < 2020);
        // No store that others have edited ends the program.
        assert_eq!(serde_json::from_str::<AgentBytes>("{\"hex\":\"zz4\u{e9}\"}").unwrap().0, b"");
    }
}
