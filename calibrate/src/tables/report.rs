//! Result and cost of a build.

use std::fmt;

use kingline::knowledge::tablebase::build::{Census, SolvedValues};
use kingline_players::figures::Figure;
use serde::Serialize;

use super::plan::{TablePlan, TargetCost, group};
use kingline_players::terminal::in_thousands;

/// Result and cost of a build.
#[derive(Serialize)]
pub(super) struct BuildReport {
    pub(super) groups: Vec<GroupCensus>,
    pub(super) file: WrittenFile,
    pub(super) cpu_seconds: CpuSeconds,
}

/// Positions of a [`group`] of materials, counted by value.
#[derive(Serialize)]
pub(super) struct GroupCensus {
    pieces: String,
    positions: u64,
    won: u64,
    drawn: u64,
    lost: u64,
    /// Longest distance to a zeroing turn, in plies.
    longest: u16,
}

#[derive(Serialize)]
pub(super) struct WrittenFile {
    pub(super) path: String,
    pub(super) bytes: usize,
    /// Checksum of the whole file as the library computes it: sixteen hexadecimal digits.
    pub(super) checksum: String,
}

/// CPU time of all threads, user and system.
#[derive(Serialize)]
pub(super) struct CpuSeconds {
    pub(super) solving: f64,
    pub(super) compressing: f64,
    pub(super) in_all: f64,
}

/// Counts all solved positions by group.
pub(super) fn groups(plan: &TablePlan, values: &SolvedValues) -> Vec<GroupCensus> {
    let mut sums: Vec<(String, Census)> = Vec::new();
    for &material in &plan.solved {
        let (name, census) = (group(material), values.census(material));
        match sums.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => *sum = sum.and(census),
            None => sums.push((name, census)),
        }
    }
    let group = |(pieces, sum): (String, Census)| {
        let Census { won, drawn, lost, longest } = sum;
        GroupCensus { pieces, positions: sum.positions(), won, drawn, lost, longest }
    };
    sums.into_iter().map(group).collect()
}

impl BuildReport {
    /// Returns the cost of the build, and the size of its file.
    pub(super) fn figure(&self, plan: &TablePlan) -> Figure {
        let (seconds, megabytes) = (self.cpu_seconds.in_all, self.file.bytes as f64 / 1e6);
        let measured = format!("{seconds:.1} CPU seconds; {megabytes:.1} MB");
        let figure = Figure::new(format!("endgame tables of {}, built", plan.name()), measured);
        match plan.cost() {
            None => figure,
            Some(TargetCost { seconds: most, megabytes: None }) => {
                figure.against(format!("at most {most} CPU seconds"), seconds <= most)
            }
            Some(TargetCost { seconds: most, megabytes: Some(size) }) => {
                figure.against(format!("at most {most} CPU seconds; {size} MB"), seconds <= most && megabytes <= size)
            }
        }
    }
}

impl fmt::Display for BuildReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "pieces {:>13} {:>13} {:>13} {:>13} {:>8}", "positions", "won", "drawn", "lost", "longest")?;
        for GroupCensus { pieces, positions, won, drawn, lost, longest } in &self.groups {
            let [positions, won, drawn, lost] = [*positions, *won, *drawn, *lost].map(in_thousands);
            writeln!(f, "{pieces:<6} {positions:>13} {won:>13} {drawn:>13} {lost:>13} {longest:>8}")?;
        }
        let BuildReport { file, cpu_seconds: cpu, .. } = self;
        writeln!(f, "{}: {} bytes, checksum {}", file.path, in_thousands(file.bytes as u64), file.checksum)?;
        let CpuSeconds { solving, compressing, in_all } = cpu;
        write!(f, "{in_all:.1} CPU seconds: {solving:.1} solving, {compressing:.1} compressing")
    }
}
