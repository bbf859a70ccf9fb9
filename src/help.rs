//! Where does the guide say more, as `--help` ends in every program?

/// A page of the [guide](crate::guide).
#[derive(Clone, Copy, Debug)]
pub enum GuidePage {
    /// The files of a turn, and its time.
    Turns,
    /// Lines of Action by commands.
    Loa,
    /// The scripts of `test-loa`.
    Scripts,
    /// Leagues, games between agents, and the check of one.
    Master,
    /// How agents are confined and measured.
    Sandbox,
    /// The grading of an agent, and of a class.
    Class,
    /// Tournaments, also on many machines.
    Tournaments,
    /// How evaluations are learned.
    Learning,
    /// Endgame tables.
    Endings,
    /// 6x6 Lines of Action, solved.
    Solved,
    /// What was measured.
    Figures,
}

impl GuidePage {
    /// The name of its module, and of its file.
    fn name(self) -> &'static str {
        match self {
            GuidePage::Turns => "turns",
            GuidePage::Loa => "loa",
            GuidePage::Scripts => "scripts",
            GuidePage::Master => "master",
            GuidePage::Sandbox => "sandbox",
            GuidePage::Class => "class",
            GuidePage::Tournaments => "tournaments",
            GuidePage::Learning => "learning",
            GuidePage::Endings => "endings",
            GuidePage::Solved => "solved",
            GuidePage::Figures => "figures",
        }
    }

    /// The line that ends `--help`.
    pub fn line(self) -> String {
        let name = self.name();
        format!("Guide: src/guide/{name}.md in the source, or `cargo doc --open`, module guide::{name}.")
    }
}
