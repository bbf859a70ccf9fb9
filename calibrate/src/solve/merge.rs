//! Puts several stores together.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::Result;
use kingline::game::Canonical;
use kingline_players::figures::Figure;
use kingline_players::terminal::{in_thousands, stdout_line};

use super::fact::Facts;
use super::store_file::{self, StoreFile};

/// Adds the facts in `parts` to the store `whole`, which is created if there is none. Each fact is kept once, and of two
/// distances to a loss the shorter one. Returns the figure.
///
/// # Errors
/// Fails if a file cannot be read or written, is damaged, or is not a store of this game. The store is then unchanged.
pub(super) fn run<G: Canonical>(parts: &[PathBuf], whole: &Path) -> Result<Figure> {
    // Open during the merge, so that no other run writes to it.
    let (locked, mut known) = StoreFile::open(whole, G::NAME)?;
    let before = known.len();
    for part in parts {
        known.extend(store_file::read(part, G::NAME)?);
    }
    let found = known.len();
    let mut facts: HashMap<u128, Facts> = HashMap::new();
    for (form, fact) in known {
        facts.entry(form).or_default().add(fact);
    }
    let lost = facts.values().filter(|facts| facts.lost.is_some()).count();
    // In the order of the forms, so that the same facts give the same file.
    let mut sorted: Vec<(u128, Facts)> = facts.into_iter().collect();
    sorted.sort_unstable_by_key(|&(form, _)| form);
    let kept: Vec<_> = sorted.iter().flat_map(|&(form, facts)| facts.each().map(move |fact| (form, fact))).collect();
    locked.replace(G::NAME, &kept)?;
    let [before, found, kept, lost] = [before, found, kept.len(), lost].map(|count| in_thousands(count as u64));
    let measured = format!("{kept} facts kept of {found}, {before} of them known before; {lost} lost positions");
    stdout_line(format_args!("{}: {measured}", whole.display()))?;
    Ok(Figure::new("stores merged", measured))
}
