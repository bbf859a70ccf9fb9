//! Closing lines of each command's help.

use kingline_players::help::GuidePage;

/// Returns the exit codes and the guide page about the command.
pub(crate) fn help_end(page: GuidePage) -> String {
    format!("Exit codes: 0 done, 1 something failed or is wrong, 2 bad usage or input.\n\n{}", page.line())
}
