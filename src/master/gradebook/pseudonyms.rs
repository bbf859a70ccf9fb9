//! Pseudonyms of students, for pages that others may see.
//!
//! A pseudonym is two words that a keyed hash of the name and the seed selects. The key is a secret of the staff: who
//! knows their own pseudonym learns neither the seed nor the pseudonyms of others, even by trying all seeds and names.

use std::collections::{BTreeMap, BTreeSet};

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::csv;

const ADJECTIVES: &str = include_str!("pseudonyms/adjectives.txt");
const ANIMALS: &str = include_str!("pseudonyms/animals.txt");

pub(crate) const SECRET: usize = 32;
/// Number of pairs of words that are tried for a name before it gets a number.
const TRIES: u32 = 1000;

#[derive(Clone, Debug)]
pub(crate) struct Pseudonyms(BTreeMap<String, String>);

impl Pseudonyms {
    /// Gives each name a pseudonym of its own. If two names would have the same one, the earlier name keeps it, so names
    /// that are added at the end change none.
    pub(crate) fn new<'a>(secret: &[u8; SECRET], seed: u64, names: impl IntoIterator<Item = &'a str>) -> Pseudonyms {
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

    pub(crate) fn of(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// A table for the staff, as CSV (RFC 4180): names and pseudonyms.
    pub(crate) fn table(&self) -> String {
        let rows = self.0.iter().map(|(name, pseudonym)| [&**name, &**pseudonym]);
        [["submission", "pseudonym"]].into_iter().chain(rows).map(csv::line).collect()
    }
}

/// The pair of words for a name, on this try.
fn words(secret: &[u8; SECRET], seed: u64, name: &str, number: u32) -> String {
    let mut key = [0; 64];
    key[..SECRET].copy_from_slice(secret);
    let keyed = Hmac::<Sha256>::new(&key.into()).chain_update(format!("{seed} {number} {name}"));
    let hash = keyed.finalize().into_bytes();
    let word = |list: &'static str, at: usize| {
        let bytes = [hash[at], hash[at + 1], hash[at + 2], hash[at + 3]];
        let index = u32::from_be_bytes(bytes) as usize % list.lines().count();
        list.lines().nth(index).unwrap_or_default()
    };
    format!("{}-{}", word(ADJECTIVES, 0), word(ANIMALS, 4))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        // The words of earlier versions.
        assert_eq!(all.of("student 1"), Some("plucky-bittern"));
        let table = Pseudonyms::new(&secret, 5, ["=cmd()"]).table();
        assert!(table.starts_with("submission,pseudonym\r\n'=cmd(),") && table.ends_with("\r\n"), "{table}");
    }
}
