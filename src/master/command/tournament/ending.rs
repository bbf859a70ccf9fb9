//! Final errors of a run, and the exit codes of errors.

use anyhow::{Result, bail};

use crate::league::Pairing;
use crate::tournament::{TournamentEnd, TournamentError, UnplayedGames};
use kingline_players::exit::BadInput;
use kingline_players::terminal::stderr_line;

/// Returns an error unless all games were played, most of them by both agents.
pub(super) fn ended_well(ended: TournamentEnd, pairing: Pairing, unplayed: &UnplayedGames) -> Result<()> {
    if unplayed.are_most() {
        stderr_line(format_args!("master: {unplayed}"));
    }
    match (ended, pairing) {
        (TournamentEnd::Complete, _) if unplayed.are_most() => bail!("most games were not played; see above"),
        (TournamentEnd::Complete, _) => Ok(()),
        (TournamentEnd::Failed(games), Pairing::RoundRobin) => {
            bail!("{games} games failed through no agent's fault; run the same command again to repeat them")
        }
        (TournamentEnd::Failed(games), Pairing::Elimination) => bail!(
            "{games} games failed through no agent's fault, and the next round waits for them; run the same \
             command again to repeat them"
        ),
        (TournamentEnd::Stopped, _) => bail!("stopped; run the same command again to continue"),
    }
}

/// Marks bad-input errors, which have their own exit code.
pub(super) fn marked(error: impl Into<TournamentError>) -> anyhow::Error {
    let error = error.into();
    if error.is_bad_input() { BadInput::new(error.to_string()).into() } else { error.into() }
}
