//! How many games run at once, given the memory of this machine.

use std::num::NonZeroUsize;

use crate::league::League;
use crate::league::agent_limits::Bytes;
use crate::sandbox::{MemoryShare, Sandbox};
use kingline_players::terminal::stderr_line;

/// Returns how many games run at once if there should be `wanted`. Reports on standard error if memory suffices only for
/// fewer, or for less than the league allows each agent.
pub(super) fn games_at_once(sandbox: &Sandbox, league: &League, wanted: NonZeroUsize) -> NonZeroUsize {
    let share = sandbox.share_memory(league.memory_of(wanted.get()));
    if let Some(report) = report(league, wanted, share, sandbox.agents_memory()) {
        stderr_line(format_args!("master: {report}"));
    }
    NonZeroUsize::new(share.at_once).unwrap_or(NonZeroUsize::MIN)
}

/// Describes how a share differs from what was wanted; `total` is the memory of all agents.
fn report(league: &League, wanted: NonZeroUsize, share: MemoryShare, total: u64) -> Option<String> {
    let (MemoryShare { at_once, each }, limit) = (share, league.limits.memory);
    let total = Bytes(total);
    if each < limit {
        return Some(format!(
            "an agent has {} of memory instead of {}, and results are unofficial: agents have {total} together here\n\
             help: set limits.memory in the league or course to at most {each}, or give this machine or the master's \
             control group more memory",
            Bytes(each),
            Bytes(limit),
        ));
    }
    (at_once < wanted.get()).then(|| {
        format!(
            "{at_once} games at once instead of {wanted}: an agent may use {} of memory, and agents have {total} \
             together here\n\
             help: set a lower limits.memory in the league or course, or give this machine or the master's control \
             group more memory",
            Bytes(limit),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_reported_with_numbers() {
        let league = League::named("checkers").unwrap();
        let report = |wanted, at_once, each| {
            let share = MemoryShare { at_once, each };
            report(&league, NonZeroUsize::new(wanted).unwrap(), share, 21 << 30).unwrap_or_default()
        };
        assert_eq!(report(2, 2, 4 << 30), "");
        let fewer = report(64, 5, 4 << 30);
        let start = "5 games at once instead of 64: an agent may use 4 GiB of memory, and agents have 21 GiB together";
        assert!(fewer.starts_with(start) && fewer.contains("\nhelp: set a lower limits.memory"), "{fewer}");
        let less = report(64, 1, 600 << 20);
        let start = "an agent has 600 MiB of memory instead of 4 GiB, and results are unofficial";
        assert!(less.starts_with(start) && less.contains("limits.memory in the league or course to at most"), "{less}");
    }
}
