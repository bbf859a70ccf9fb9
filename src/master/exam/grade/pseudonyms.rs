//! Pseudonyms of students, for pages that others may see.
//!
//! A pseudonym is two words that a keyed hash of the name and the seed selects. The key is a secret of the staff: who
//! knows their own pseudonym learns neither the seed nor the pseudonyms of others, even by trying all seeds and names.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest, Sha256};

use crate::csv;

const ADJECTIVES: &str = include_str!("pseudonyms/adjectives.txt");
const ANIMALS: &str = include_str!("pseudonyms/animals.txt");

/// Length of a secret in bytes.
pub const SECRET: usize = 32;
/// Number of pairs of words that are tried for a name before it gets a number.
const TRIES: u32 = 1000;

/// Pseudonyms by name.
#[derive(Clone, Debug)]
pub struct Pseudonyms(BTreeMap<String, String>);

impl Pseudonyms {
    /// Gives each name a pseudonym of its own. If two names would have the same one, the earlier name keeps it, so names
    /// that are added at the end change none.
    pub fn new<'a>(secret: &[u8; SECRET], seed: u64, names: impl IntoIterator<Item = &'a str>) -> Pseudonyms {
        let (mut given, mut taken) = (BTreeMap::new(), BTreeSet::new());
        for name in names {
            let mut free =
                (0..TRIES).map(|number| words(secret, seed, name, number)).filter(|pair| !taken.contains(pair));
            let pseudonym = free.next().unwrap_or_else(|| format!("student-{}", taken.len() + 1));
            taken.insert(pseudonym.clone());
            given.entry(name.to_owned()).or_insert(pseudonym);
        }
        Pseudonyms(given)
    }

    /// The pseudonym of a student.
    pub fn of(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// A table for the staff, as CSV (RFC 4180): names and pseudonyms.
    pub fn table(&self) -> String {
        let rows = self.0.iter().map(|(name, pseudonym)| [&**name, &**pseudonym]);
        [["submission", "pseudonym"]].into_iter().chain(rows).map(csv::line).collect()
    }
}

/// The pair of words for a name, on this try.
fn words(secret: &[u8; SECRET], seed: u64, name: &str, number: u32) -> String {
    let hash = keyed_hash(secret, format!("{seed} {number} {name}").as_bytes());
    let word = |list: &'static str, at: usize| {
        let bytes = [hash[at], hash[at + 1], hash[at + 2], hash[at + 3]];
        let index = u32::from_be_bytes(bytes) as usize % list.lines().count();
        list.lines().nth(index).unwrap_or_default()
    };
    format!("{}-{}", word(ADJECTIVES, 0), word(ANIMALS, 4))
}

/// HMAC-SHA-256 (RFC 2104) with a key of at most 64 bytes.
fn keyed_hash(key: &[u8], message: &[u8]) -> [u8; 32] {
    let padded = |with: u8| {
        let mut block = [with; 64];
        block.iter_mut().zip(key).for_each(|(byte, key)| *byte ^= key);
        block
    };
    let inner = Sha256::new().chain_update(padded(0x36)).chain_update(message).finalize();
    Sha256::new().chain_update(padded(0x5c)).chain_update(inner).finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::in_hex;

    #[test]
    fn the_hash_is_that_of_the_standard() {
        // RFC 4231, test case 2.
        let hash = keyed_hash(b"Jefe", b"what do ya want for nothing?");
        assert_eq!(in_hex(&hash), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    }

    #[test]
    fn words_are_many_and_all_different() {
        for (list, least) in [(ADJECTIVES, 195), (ANIMALS, 195)] {
            let words: BTreeSet<&str> = list.lines().collect();
            assert!(words.len() >= least && words.len() == list.lines().count(), "{}", words.len());
            assert!(words.iter().all(|word| word.len() > 1 && word.bytes().all(|letter| letter.is_ascii_lowercase())));
        }
    }

    #[test]
    fn pseudonyms_are_unique_stable_and_secret() {
        let secret = [7; SECRET];
        let names: Vec<String> = (0..2000).map(|number| format!("student {number}")).collect();
        let all = Pseudonyms::new(&secret, 5, names.iter().map(String::as_str));
        let different: BTreeSet<&str> = names.iter().filter_map(|name| all.of(name)).collect();
        assert_eq!(different.len(), names.len(), "2000 of 40,000 pairs: some must have collided");
        let some = Pseudonyms::new(&secret, 5, names[..1000].iter().map(String::as_str));
        assert!(names[..1000].iter().all(|name| some.of(name) == all.of(name)), "later names change none");
        for other in [Pseudonyms::new(&secret, 6, ["student 1"]), Pseudonyms::new(&[8; SECRET], 5, ["student 1"])] {
            assert_ne!(other.of("student 1"), all.of("student 1"));
        }
        assert_eq!(all.of("nobody"), None);
        let table = Pseudonyms::new(&secret, 5, ["=cmd()"]).table();
        assert!(table.starts_with("submission,pseudonym\r\n'=cmd(),") && table.ends_with("\r\n"), "{table}");
    }
}
