//! Positions that the winner needs.

use std::collections::HashMap;

use anyhow::{Context, Result, bail};
use kingline::game::{Canonical, Color, Outcome};

use super::store::Store;

/// Returns the complete strategies of the winners of `starts`: the form and plies of each lost position that the winner
/// may move to, if it always makes the move that leaves the fewest plies, and of the starts in which the side to move
/// loses.
///
/// # Errors
/// Fails if the store does not prove a win for one of the sides, or a position has more plies than a strategy can
/// store.
pub(super) fn whole<G: Canonical>(store: &Store, starts: &[G]) -> Result<Vec<(u128, u8)>> {
    let mut needed: HashMap<u128, u8> = HashMap::new();
    let mut left = Vec::new();
    for start in starts {
        match store.lost(start.form()) {
            Some(_) => left.push(start.form()),
            None => left.extend(move_from(store, start)?),
        }
    }
    while let Some(form) = left.pop() {
        if needed.contains_key(&form) {
            continue;
        }
        let plies = store.lost(form).context("found a position that is not known to be lost")?;
        needed.insert(
            form,
            u8::try_from(plies)
                .with_context(|| format!("found a position lost in {plies} plies, expected at most {}", u8::MAX))?,
        );
        let position = G::of_form(form, Color::White).context("found a form without a position")?;
        for mv in position.legal_moves() {
            let after = position.play(mv);
            if after.outcome().is_none() {
                left.extend(move_from(store, &after)?);
            }
        }
    }
    Ok(needed.into_iter().collect())
}

/// Returns the form of the position that the winner moves to; `None` if a move wins at once.
fn move_from<G: Canonical>(store: &Store, position: &G) -> Result<Option<u128>> {
    let Some(plies) = store.won(position) else {
        bail!("the store does not know that the side to move wins: {position}");
    };
    let after: Vec<G> = position.legal_moves().into_iter().map(|mv| position.play(mv)).collect();
    if after.iter().any(|after| after.outcome() == Some(Outcome::Win(position.turn()))) {
        return Ok(None);
    }
    let open = after.iter().filter(|after| after.outcome().is_none());
    let best = open.map(Canonical::form).find(|&form| store.lost(form) == Some(plies - 1));
    Ok(Some(best.context("no move leads to a position known to be lost")?))
}
