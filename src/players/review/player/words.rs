//! A player's summary in sentences, and as text.

use std::fmt;

use super::super::mark::Mark;
use super::super::words;
use super::{LossPart, LossesBy, PlayerSummary, TypicalMistake};
use kingline::draw;

impl PlayerSummary {
    /// Sentences about the results, the accuracy, and where most chances are lost.
    pub(super) fn sentences(&self) -> Vec<String> {
        let PlayerSummary { name, game, results, marks, choices, .. } = self;
        let unknown = match results.unknown {
            0 => String::new(),
            unknown => format!(", {unknown} without a result"),
        };
        let mut sentences = vec![format!(
            "{name} played {} of {game}: {} won, {} drawn, {} lost{unknown}.",
            counted(self.games, "game", "games"),
            results.won,
            results.drawn,
            results.lost
        )];
        if let Some(accuracy) = self.accuracy {
            sentences.push(format!(
                "The mean accuracy is {accuracy:.1} %: of {}, {}, {} and {}.",
                counted(*choices, "move with a choice", "moves with a choice"),
                counted(marks.inaccuracies, "inaccuracy", "inaccuracies"),
                counted(marks.mistakes, "mistake", "mistakes"),
                counted(marks.blunders, "blunder", "blunders")
            ));
        }
        sentences.extend(self.worst().map(|part| self.about(part, "Most chances were lost ")));
        sentences.extend(self.hurried().map(|part| self.about(part, "On the clock: chances were lost ")));
        sentences
    }

    fn about(&self, part: &LossPart, begin: &str) -> String {
        let [lost, moves] = self.shares(part);
        format!("{begin}{}: {lost:.0} % of them, in {moves:.0} % of the moves.", part.place)
    }

    /// The range whose part of the losses exceeds its part of the moves the most, if chances were lost.
    fn worst(&self) -> Option<&LossPart> {
        let excess = |part: &LossPart| {
            let [lost, moves] = self.shares(part);
            lost - moves
        };
        let groups = self.losses.iter().filter(|group| group.by != LossesBy::Clock);
        let parts = groups.flat_map(|group| group.compared()).filter(|part| part.lost > 0.0);
        parts.max_by(|one, other| excess(one).total_cmp(&excess(other)))
    }

    /// Losses with little time left, if that happened.
    fn hurried(&self) -> Option<&LossPart> {
        let group = self.losses.iter().find(|group| group.by == LossesBy::Clock)?;
        group.compared().last().copied().filter(|_| self.lost > 0.0)
    }

    /// Parts of all losses and of all moves with a choice, in per cent.
    pub(super) fn shares(&self, part: &LossPart) -> [f64; 2] {
        let moves = 100.0 * f64::from(part.moves) / f64::from(self.choices.max(1));
        [if self.lost > 0.0 { 100.0 * part.lost / self.lost } else { 0.0 }, moves]
    }

    /// The ranges to compare, in groups.
    pub(super) fn compared(&self) -> impl Iterator<Item = Vec<&LossPart>> {
        self.losses.iter().map(|group| group.compared()).filter(|parts| !parts.is_empty())
    }
}

impl TypicalMistake {
    /// The move and the opponent: `25-22?? against Bo`.
    pub(super) fn title(&self) -> String {
        let sign = self.mv.mark.map_or("", Mark::sign);
        let opponent = match self.opponent.as_str() {
            "" => String::new(),
            name => format!(" against {name}"),
        };
        format!("{}{sign}{opponent}", self.mv.mv)
    }
}

/// A number with its noun: `1 game`, `2 games`.
fn counted(number: u32, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

impl fmt::Display for PlayerSummary {
    /// Writes the sentences, a table of where chances were lost, and the typical mistakes with their boards.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sentences().iter().try_for_each(|sentence| writeln!(f, "{sentence}"))?;
        for (index, group) in self.compared().enumerate() {
            if index == 0 {
                writeln!(f, "\n{:42}{:>8}{:>8}{:>8}", "Chances lost", "lost", "moves", "a move")?;
            }
            for part in group {
                let [lost, moves] = self.shares(part);
                let points = 100.0 * part.lost / f64::from(part.moves);
                writeln!(f, "{:42}{lost:6.0} %{moves:6.0} %{points:8.1}", part.place)?;
            }
        }
        for mistake in &self.typical {
            writeln!(f, "\nGame {}, {} {}", mistake.game, mistake.number, mistake.title())?;
            writeln!(f, "{}", words::judgment(&mistake.mv))?;
            for (name, line) in ["Better", "Now"].into_iter().zip(words::lines(&mistake.mv)) {
                if !line.is_empty() {
                    writeln!(f, "{name}: {}", line.join(" "))?;
                }
            }
            let board = draw::plain_compact(&mistake.mv.board, self.game.style());
            writeln!(f, "\n{}", board.trim_end_matches('\n'))?;
        }
        Ok(())
    }
}
