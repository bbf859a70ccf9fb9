use std::fmt::{self, Write as _};

use super::player::{LossPart, LossesBy, MarkCounts, PlayerSummary, TypicalMistake};
use super::puzzles::Puzzle;
use super::reviewed::{Mark, Review, ReviewedMove, ReviewedPosition};
use kingline::draw;
use kingline::game::Color;

/// Judgment of a marked move: `Blunder. Black: 62 % before, lost in 9 now.`; empty for others.
pub fn judgment(mv: &ReviewedMove) -> String {
    match mv.mark {
        Some(mark) if mark.is_fault() => {
            let ReviewedMove { side, before, after, .. } = mv;
            format!("{}. {side}: {before} before, {after} now.", capitalized(&mark.to_string()))
        }
        Some(Mark::OnlyMove) => "The only good move.".to_owned(),
        _ => String::new(),
    }
}

/// The better play instead of a fault, and the play that follows it; empty for other moves.
pub fn lines(mv: &ReviewedMove) -> [&[String]; 2] {
    if mv.mark.is_some_and(Mark::is_fault) { [&mv.best, &mv.reply] } else { [&[], &[]] }
}

/// A sentence on the move that decided the game, if one did.
pub(super) fn turning_point(review: &Review) -> Option<String> {
    let number = review.number(review.turning_point?);
    Some(format!("{number} {}", decisive_move(review)?))
}

/// The sentence on the move that decided the game, without its number.
pub fn decisive_move(review: &Review) -> Option<String> {
    let mv = &review.moves[review.turning_point?];
    let verb =
        if review.result.starts_with("1/2") || review.result == "*" { "cost the most" } else { "decided the game" };
    let better = mv.best.first().map_or_else(String::new, |best| format!("; {best} was better"));
    Some(format!("{} {verb}. {}: {} before, {} after{better}.", mv.mv, mv.side, mv.before, mv.after))
}

/// The worth and the best line of a record without moves: `White to move: 63 %. Best: 18-15 11x18.`
pub(super) fn position(review: &Review) -> Option<String> {
    let ReviewedPosition { side, worth, best } = review.position.as_ref()?;
    let best = if best.is_empty() { String::new() } else { format!(" Best: {}.", best.join(" ")) };
    Some(format!("No moves. {side} to move: {worth}.{best}"))
}

/// Names of the players, the game and the result: `Anna - Bo, checkers, 1-0`.
pub(super) fn title(review: &Review) -> String {
    let name = |index: usize, instead: &str| match review.players[index].as_str() {
        "" => instead.to_owned(),
        name => name.to_owned(),
    };
    format!("{} - {}, {}, {}", name(0, "Black"), name(1, "White"), review.game, review.result)
}

/// Result of a search for puzzles that found none.
pub(super) const NO_PUZZLES: &str =
    "No puzzles: no position has exactly one move that wins by force in five to ten plies.";

/// Accuracy of a side: `91.3 %`, or a dash if it never had a choice.
pub fn accuracy(accuracy: Option<f64>) -> String {
    accuracy.map_or_else(|| "-".to_owned(), |accuracy| format!("{accuracy:.1} %"))
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Width of the column of moves.
const MOVE_COLUMNS: usize = 14;

impl fmt::Display for Review {
    /// Writes the moves with marks and Black's winning chances, a comment on each fault, the turning point with its
    /// board, and a table of both sides.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n", title(self))?;
        if let Some(sentence) = position(self) {
            let board = draw::plain_compact(&self.last_board, self.game.style());
            return writeln!(f, "{sentence}\n\n{}", board.trim_end_matches('\n'));
        }
        writeln!(f, "      {:MOVE_COLUMNS$}Black", "")?;
        let chances = self.chances_of_black();
        for (index, mv) in self.moves.iter().enumerate() {
            let is_numbered = index == 0 || mv.side == Color::Black;
            let number = if is_numbered { self.number(index) } else { String::new() };
            let played = format!("{}{}", mv.mv, mv.mark.map_or("", Mark::sign));
            writeln!(f, "{number:<6}{played:MOVE_COLUMNS$}{}", of_black(self, index, chances[index + 1]))?;
            if mv.mark.is_some_and(Mark::is_fault) {
                writeln!(f, "      {}", judgment(mv))?;
            }
            for (name, line) in ["better", "now"].into_iter().zip(lines(mv)) {
                if !line.is_empty() {
                    writeln!(f, "      {name:7}{}", line.join(" "))?;
                }
            }
        }
        if let Some(broken) = &self.broken {
            writeln!(f, "\nThe record ends here: {broken}")?;
        }
        if let (Some(sentence), Some(index)) = (turning_point(self), self.turning_point) {
            let board = draw::plain_compact(&self.moves[index].board, self.game.style());
            writeln!(f, "\nTurning point: {sentence}\n\n{}", board.trim_end_matches('\n'))?;
        }
        f.write_char('\n')?;
        writeln!(f, "{:12}{:>10}{:>10}", "", "Black", "White")?;
        let [black, white] = self.accuracy.map(accuracy);
        writeln!(f, "{:12}{black:>10}{white:>10}", "accuracy")?;
        let [black, white] = Color::ALL.map(|side| MarkCounts::of(self, side).numbers());
        for ((name, black), white) in ["inaccuracies", "mistakes", "blunders"].into_iter().zip(black).zip(white) {
            writeln!(f, "{name:12}{black:>10}{white:>10}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Puzzle {
    /// Writes the task, the board and the answer.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = draw::plain_compact(&self.board, self.game.style());
        writeln!(f, "{}\n\n{board}\n{}", self.task(), self.answer())
    }
}

/// Black's prospects after a move: chances, or certain knowledge.
fn of_black(review: &Review, index: usize, chances: f64) -> String {
    let mv = &review.moves[index];
    match mv.after.exact {
        Some(_) if mv.side == Color::Black => mv.after.to_string(),
        Some(_) => mv.after.for_opponent().to_string(),
        None => format!("{:.0} %", chances * 100.0),
    }
}

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
pub(super) fn counted(number: u32, one: &str, many: &str) -> String {
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
            writeln!(f, "{}", judgment(&mistake.mv))?;
            for (name, line) in ["Better", "Now"].into_iter().zip(lines(&mistake.mv)) {
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
