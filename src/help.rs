//! Where does the guide say more? So ends `--help` in every program.

/// A page of the [guide](crate::guide).
#[derive(Clone, Copy, Debug)]
pub enum GuidePage {
    /// [The files of a turn, and its time](crate::guide::turns).
    Turns,
    /// [Lines of Action by commands](crate::guide::loa).
    Loa,
    /// [The scripts of `test-loa`](crate::guide::scripts).
    Scripts,
    /// [Leagues, games between agents, and the check of one](crate::guide::master).
    Master,
    /// [How agents are confined and measured](crate::guide::sandbox).
    Sandbox,
    /// [How submissions are graded](crate::guide::class).
    Class,
    /// [Tournaments, on one machine or on many](crate::guide::tournaments).
    Tournaments,
    /// [How evaluations are learned](crate::guide::learning).
    Learning,
    /// [Endgame tables](crate::guide::endings).
    Endings,
    /// [6x6 Lines of Action, solved](crate::guide::solved).
    Solved,
    /// [What was measured](crate::guide::figures).
    Figures,
}

impl GuidePage {
    /// The last line of `--help`.
    pub fn line(self) -> String {
        let name = format!("{self:?}").to_ascii_lowercase();
        format!("Guide: src/guide/{name}.md in the source, or `cargo doc --open`, module guide::{name}.")
    }
}
