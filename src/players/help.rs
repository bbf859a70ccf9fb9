//! The last line of every program's `--help`, which names a page of the guide.

use clap::ValueEnum;

/// A page of the [guide](crate::guide).
#[derive(Clone, Copy, Debug, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum GuidePage {
    /// [Turn files and time](crate::guide::turns).
    Turns,
    /// [Checkers in board programs](crate::guide::board_programs).
    BoardPrograms,
    /// [Lines of Action by text commands](crate::guide::loa).
    Loa,
    /// [Scripts of `test-loa`](crate::guide::scripts).
    Scripts,
    /// [Leagues, games between agents, and checking an agent](crate::guide::master).
    Master,
    /// [Confining agents, and measuring their time](crate::guide::sandbox).
    Sandbox,
    /// [Grading submissions](crate::guide::class).
    Class,
    /// [Tournaments, on one machine or on many](crate::guide::tournaments).
    Tournaments,
    /// [Learning evaluations](crate::guide::learning).
    Learning,
    /// [Endgame tables](crate::guide::endings).
    Endings,
    /// [6x6 Lines of Action, solved](crate::guide::solved).
    Solved,
    /// [Games reviewed, and winning chances](crate::guide::review).
    Review,
    /// [Measurements](crate::guide::figures).
    Figures,
}

impl GuidePage {
    /// Last line of `--help`.
    pub fn line(self) -> String {
        // The page's file and its documentation module have the same name.
        let name = self.to_possible_value().map_or_else(String::new, |name| name.get_name().to_owned());
        format!("Guide: src/players/guide/{name}.md in the source, or `cargo doc --open`, module guide::{name}.")
    }
}
