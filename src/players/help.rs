//! The last line of every program's `--help`, which names a page of the guide.

/// A page of the [guide](crate::guide).
#[derive(Clone, Copy, Debug)]
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
    /// Name of the page's file and of its documentation module.
    fn name(self) -> &'static str {
        match self {
            GuidePage::Turns => "turns",
            GuidePage::BoardPrograms => "board_programs",
            GuidePage::Loa => "loa",
            GuidePage::Scripts => "scripts",
            GuidePage::Master => "master",
            GuidePage::Sandbox => "sandbox",
            GuidePage::Class => "class",
            GuidePage::Tournaments => "tournaments",
            GuidePage::Learning => "learning",
            GuidePage::Endings => "endings",
            GuidePage::Solved => "solved",
            GuidePage::Review => "review",
            GuidePage::Figures => "figures",
        }
    }

    /// Last line of `--help`.
    pub fn line(self) -> String {
        let name = self.name();
        format!("Guide: src/players/guide/{name}.md in the source, or `cargo doc --open`, module guide::{name}.")
    }
}
