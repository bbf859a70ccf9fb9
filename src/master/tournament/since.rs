//! Beginning a new round with the games of an earlier one, and recognizing the round that a store began with.

use std::collections::HashMap;
use std::path::Path;

use super::error::TournamentError;
use crate::league::Pairing;
use crate::tournament::schedule::GameKey;
use crate::tournament::store::{EarlierRound, NextRound, Store, StoreError, StoredAgent, Summary};
use crate::tournament::verify::verify;
use kingline_players::files::FileId;

/// Creates the store of a new round at `path`, with the agents and games of the store at `since`. Replays every game
/// first, and calls `watch` before each with the number of games. The new store appears completely or not at all.
///
/// # Errors
/// The earlier store cannot be read, its games contradict their moves or were changed after they were recorded, or the
/// new store cannot be written.
pub fn begin_round(path: &Path, since: &Path, watch: &mut dyn FnMut(usize)) -> Result<(), TournamentError> {
    let next = NextRound::begin(&Store::open(since)?, path)?;
    let found = verify(&next.open()?, &mut |games| {
        watch(games);
        true
    })?;
    if !found.is_right() {
        let what = match found.different.len() {
            0 => "the standings do not follow from the moves".to_owned(),
            games => format!("{games} of them contradict their moves or were changed after they were recorded"),
        };
        let help = format!("help: `master verify {}` lists them", since.display());
        let what = format!("its games cannot be taken over: {what}\n{help}");
        return Err(TournamentError::Content(since.to_owned(), what));
    }
    Ok(next.place()?)
}

/// Checks that a new round can begin with the games of `earlier`, which is at `since`.
pub(super) fn check_round_robin(earlier: &Store, since: &Path, requested: Option<Pairing>) -> Result<(), StoreError> {
    if [Some(earlier.rules().pairing), requested].contains(&Some(Pairing::Elimination)) {
        let why = "games are taken over only in a round robin: in an elimination, who meets whom depends on the results \
                   of earlier rounds, so that a changed agent changes the games of the others\nhelp: leave --since out";
        return Err(StoreError::OtherRound(since.to_owned(), why.to_owned()));
    }
    Ok(())
}

/// Checks that a store at `path` began with the round at `since`, which may have moved meanwhile.
pub(super) fn check_since(store: &Store, path: &Path, since: &Path) -> Result<(), StoreError> {
    let refuse = |why: String| Err(StoreError::OtherRound(path.to_owned(), why));
    let shown = since.display();
    if FileId::of(path) == FileId::of(since) {
        return refuse(format!(
            "found the same store for --since, expected that of an earlier round\nhelp: give the new round a store of its \
             own with --store FILE; {shown} is only read"
        ));
    }
    let other = "help: leave --since out to continue it, or start another round with --store FILE";
    let Some(EarlierRound { name, agents, games, .. }) = store.earlier()?.pop() else {
        return refuse(format!("it began without an earlier round, not with {shown} as requested\n{other}"));
    };
    if is_round(&games, &agents, &Store::open(since)?)? {
        return Ok(());
    }
    refuse(format!("it began with the games of {name}, not with those of {shown} as it is now\n{other}"))
}

/// Returns true if the tournament in `store` has these agents, and no games but these.
fn is_round(games: &[Summary], agents: &[StoredAgent], store: &Store) -> Result<bool, StoreError> {
    fn identities(agents: &[StoredAgent]) -> impl Iterator<Item = (&str, &str)> {
        agents.iter().map(|agent| (&*agent.name, &*agent.hash))
    }
    let known: HashMap<GameKey, &Summary> = games.iter().map(|game| (game.key(), game)).collect();
    let is_known = |game: &Summary| known.get(&game.key()) == Some(&game);
    Ok(identities(&store.agents()?).eq(identities(agents)) && store.summaries()?.iter().all(is_known))
}
