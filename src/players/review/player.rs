use serde::{Deserialize, Serialize};

use super::reviewed::{Mark, Review, ReviewedMove};
use crate::game_name::GameName;
use kingline::game::{Color, Outcome};

/// Summary of a player's reviewed games of one kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct PlayerSummary {
    /// The player's name.
    pub name: String,
    /// The game.
    pub game: GameName,
    /// Number of games. A game of the player against itself counts for each side.
    pub games: u32,
    /// Results of the games.
    pub results: Results,
    /// Mean accuracy of the games in which the player had a choice, 0 to 100; null without such a game.
    pub accuracy: Option<f64>,
    /// Number of games in which the player had a choice.
    pub games_with_choice: u32,
    /// Number of moves at which the player had a choice.
    pub choices: u32,
    /// Number of each mark among these moves.
    pub marks: MarkCounts,
    /// Sum of the winning chances lost by these moves, in games.
    pub lost: f64,
    /// The same sum by properties of the positions.
    pub losses: Vec<LossGroup>,
    /// The largest losses, at most three, the largest first; of different games where possible.
    pub typical: Vec<TypicalMistake>,
}

/// Results of a player's games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Results {
    /// Won games.
    pub won: u32,
    /// Drawn games.
    pub drawn: u32,
    /// Lost games.
    pub lost: u32,
    /// Games without a known result.
    pub unknown: u32,
}

/// Numbers of moves with each mark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct MarkCounts {
    /// Moves that lose at least 5 points of 100.
    pub inaccuracies: u32,
    /// Moves that lose at least 10 points.
    pub mistakes: u32,
    /// Moves that lose at least 20 points.
    pub blunders: u32,
}

impl PlayerSummary {
    /// A summary without games.
    pub fn new(name: &str, game: GameName) -> PlayerSummary {
        PlayerSummary {
            name: name.to_owned(),
            game,
            games: 0,
            results: Results::default(),
            accuracy: None,
            games_with_choice: 0,
            choices: 0,
            marks: MarkCounts::default(),
            lost: 0.0,
            losses: LossesBy::ALL.into_iter().filter_map(|by| LossGroup::new(by, game)).collect(),
            typical: Vec::new(),
        }
    }

    /// Summaries of a player's games in these reviews, one for each kind of game, with games numbered from 1.
    pub fn of(name: &str, reviews: &[&Review]) -> Vec<PlayerSummary> {
        let mut summaries: Vec<PlayerSummary> = Vec::new();
        for (number, review) in (1..).zip(reviews) {
            for side in Color::ALL.into_iter().filter(|side| review.players[side.index()] == name) {
                let place = summaries.iter().position(|summary| summary.game == review.game).unwrap_or_else(|| {
                    summaries.push(PlayerSummary::new(name, review.game));
                    summaries.len() - 1
                });
                summaries[place].add(number, review, side);
            }
        }
        summaries
    }

    /// Adds a game in which the player had this side; `number` tells the game from others.
    pub fn add(&mut self, number: i64, review: &Review, side: Color) {
        self.games += 1;
        *match review.outcome() {
            Some(Outcome::Win(winner)) if winner == side => &mut self.results.won,
            Some(Outcome::Win(_)) => &mut self.results.lost,
            Some(Outcome::Draw) => &mut self.results.drawn,
            None => &mut self.results.unknown,
        } += 1;
        if let Some(accuracy) = review.accuracy[side.index()] {
            self.games_with_choice += 1;
            let before = self.accuracy.unwrap_or_default();
            self.accuracy = Some(before + (accuracy - before) / f64::from(self.games_with_choice));
        }
        let chosen = review.moves.iter().filter(|mv| mv.side == side && !mv.best.is_empty());
        for mv in chosen {
            self.choices += 1;
            self.lost += mv.loss;
            self.marks.count(mv.mark);
        }
        self.losses.iter_mut().for_each(|group| group.add(review, side));
        add_typical(&mut self.typical, number, review, side);
    }
}

impl MarkCounts {
    /// Numbers of one side's marks in a game.
    pub fn of(review: &Review, side: Color) -> MarkCounts {
        let mut counts = MarkCounts::default();
        review.moves.iter().filter(|mv| mv.side == side).for_each(|mv| counts.count(mv.mark));
        counts
    }

    /// The numbers of inaccuracies, mistakes and blunders.
    pub fn numbers(self) -> [u32; 3] {
        [self.inaccuracies, self.mistakes, self.blunders]
    }

    fn count(&mut self, mark: Option<Mark>) {
        match mark {
            Some(Mark::Inaccuracy) => self.inaccuracies += 1,
            Some(Mark::Mistake) => self.mistakes += 1,
            Some(Mark::Blunder) => self.blunders += 1,
            Some(Mark::Forced | Mark::OnlyMove) | None => {}
        }
    }
}

/// A property of moves by which losses are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum LossesBy {
    /// Number of pieces on the board, of both sides.
    Pieces,
    /// Kings on the board, of either side; in checkers only.
    Kings,
    /// Opening, middle game or ending.
    Stage,
    /// The player's side.
    Side,
    /// Time left to the player, if the game's clocks are known.
    Clock,
}

/// Losses by one property.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct LossGroup {
    /// The property.
    pub by: LossesBy,
    /// Its ranges, in the order of a game.
    pub parts: Vec<LossPart>,
}

/// Losses in one range of a property.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct LossPart {
    /// The range, as it stands after "lost": `with kings on the board`.
    pub place: String,
    /// Number of moves with a choice.
    pub moves: u32,
    /// Sum of the winning chances that they lose, in games.
    pub lost: f64,
}

/// Plies of the opening: ten moves of each side.
const OPENING: usize = 20;
/// Ranges of the number of pieces.
const RANGES: u32 = 4;
/// The clock is low below this part of the first known clock.
const LOW_CLOCK: f64 = 0.1;

struct Facts<'a> {
    game: GameName,
    board: &'a str,
    ply: usize,
    side: Color,
    /// Time left as a part of the first known clock, if both are known.
    clock: Option<f64>,
}

impl LossesBy {
    /// All properties, in the order of tables.
    pub(super) const ALL: [LossesBy; 5] =
        [LossesBy::Pieces, LossesBy::Kings, LossesBy::Stage, LossesBy::Side, LossesBy::Clock];

    /// The ranges; none if the game does not have the property.
    fn ranges(self, game: GameName) -> Option<Vec<String>> {
        let words: &[&str] = match self {
            LossesBy::Pieces => return Some((0..RANGES).map(|range| pieces_in_words(game, range)).collect()),
            LossesBy::Kings if game == GameName::Checkers => &["without kings on the board", "with kings on the board"],
            LossesBy::Kings => return None,
            LossesBy::Stage => &["in the opening", "in the middle game", "in the ending"],
            LossesBy::Side => &["as Black", "as White"],
            LossesBy::Clock => &["with enough time left", "with less than a tenth of the time left"],
        };
        Some(words.iter().map(|&words| words.to_owned()).collect())
    }

    /// Index of the range of a move, if it is known.
    fn range_of(self, facts: &Facts<'_>) -> Option<usize> {
        let (pieces, all) = (pieces(facts.board), pieces_at_start(facts.game));
        Some(match self {
            LossesBy::Pieces => (RANGES - (pieces * RANGES).div_ceil(all).clamp(1, RANGES)) as usize,
            LossesBy::Kings => usize::from(facts.board.contains(['B', 'W'])),
            LossesBy::Stage if pieces * 3 <= all => 2,
            LossesBy::Stage => usize::from(facts.ply >= OPENING),
            LossesBy::Side => facts.side.index(),
            LossesBy::Clock => usize::from(facts.clock? < LOW_CLOCK),
        })
    }
}

impl LossGroup {
    /// A group without moves; none if the game does not have the property.
    pub(super) fn new(by: LossesBy, game: GameName) -> Option<LossGroup> {
        let part = |place| LossPart { place, moves: 0, lost: 0.0 };
        Some(LossGroup { by, parts: by.ranges(game)?.into_iter().map(part).collect() })
    }

    pub(super) fn add(&mut self, review: &Review, side: Color) {
        let (mut first, mut left) = (None, None);
        for (ply, mv) in review.moves.iter().enumerate().filter(|(_, mv)| mv.side == side) {
            let clock = first.zip(left).map(|(first, left): (f64, f64)| left / first);
            let facts = Facts { game: review.game, board: &mv.board, ply, side, clock };
            if let (false, Some(range)) = (mv.best.is_empty(), self.by.range_of(&facts)) {
                self.parts[range].moves += 1;
                self.parts[range].lost += mv.loss;
            }
            left = mv.clock.or(left);
            first = first.or(mv.clock.filter(|&clock| clock > 0.0));
        }
    }

    /// Ranges with moves, if there are at least two.
    pub(super) fn compared(&self) -> Vec<&LossPart> {
        let parts: Vec<&LossPart> = self.parts.iter().filter(|part| part.moves > 0).collect();
        if parts.len() < 2 { Vec::new() } else { parts }
    }
}

/// Number of pieces on a board in the form of [`draw::compact`](kingline::draw::compact).
fn pieces(board: &str) -> u32 {
    board.bytes().filter(u8::is_ascii_alphabetic).count() as u32
}

fn pieces_at_start(game: GameName) -> u32 {
    match game {
        GameName::Checkers | GameName::Loa => 24,
        GameName::Loa6 => 16,
    }
}

/// A range of the number of pieces: `with 19 to 24 pieces on the board`.
fn pieces_in_words(game: GameName, range: u32) -> String {
    let size = pieces_at_start(game) / RANGES;
    let most = pieces_at_start(game) - range * size;
    if range + 1 == RANGES {
        return format!("with at most {most} pieces on the board");
    }
    format!("with {} to {most} pieces on the board", most - size + 1)
}

/// Mistakes that a summary shows.
const SHOWN: usize = 3;

/// A mistake with all that is needed to show it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct TypicalMistake {
    /// Number of the game, from 1.
    pub game: i64,
    /// The opponent's name; empty if unknown.
    pub opponent: String,
    /// Index among the moves of the game, from 0.
    pub index: usize,
    /// Number of the move as records count it: `12...`.
    pub number: String,
    /// The move, with the board before it and the better line.
    pub mv: ReviewedMove,
}

/// Adds the mistakes of one side of a game, and keeps those with the largest losses: first one of each game, then
/// others. Of equal losses, earlier games come first.
fn add_typical(kept: &mut Vec<TypicalMistake>, game: i64, review: &Review, side: Color) {
    let faults =
        review.moves.iter().enumerate().filter(|(_, mv)| mv.side == side && mv.mark.is_some_and(Mark::is_fault));
    kept.extend(faults.map(|(index, mv)| TypicalMistake {
        game,
        opponent: review.players[(!side).index()].clone(),
        index,
        number: review.number(index),
        mv: mv.clone(),
    }));
    kept.sort_by(|one, other| other.mv.loss.total_cmp(&one.mv.loss));
    let mut seen = Vec::new();
    let (mut firsts, others): (Vec<_>, Vec<_>) = kept.drain(..).partition(|mistake| {
        let is_first = !seen.contains(&mistake.game);
        seen.push(mistake.game);
        is_first
    });
    firsts.extend(others);
    firsts.truncate(SHOWN);
    *kept = firsts;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::{Worth, player};

    /// Board before each move: the start, then with fewer pieces, then with a king.
    const BOARDS: [&str; 3] =
        ["1b1b1b1b/b1b1b1b1/1b1b1b1b/8/8/w1w1w1w1/1w1w1w1w/w1w1w1w1", "1b1b4/8/8/8/w1w5/8/8/8", "W7/1b6/8/8/8/8/8/8"];

    fn mv(index: usize, loss: f64, clock: f64) -> ReviewedMove {
        let worth = |chances| Worth { chances, score: None, exact: None };
        ReviewedMove {
            side: if index.is_multiple_of(2) { Color::Black } else { Color::White },
            mv: format!("m{index}"),
            path: "c3-b4".to_owned(),
            board: BOARDS[index.min(2)].to_owned(),
            before: worth(0.9),
            after: worth(0.9 - loss),
            loss,
            mark: Mark::of_loss(loss),
            best: vec!["best".to_owned()],
            reply: vec!["reply".to_owned()],
            clock: Some(clock),
        }
    }

    /// A game in which Anna has Black and loses these parts of her chances with her three moves, the last in a hurry.
    fn game(losses: [f64; 3], result: &str) -> Review {
        let [one, two, three] = losses;
        Review {
            game: GameName::Checkers,
            players: ["Anna".to_owned(), "<Bo>".to_owned()],
            event: String::new(),
            result: result.to_owned(),
            nodes: 1,
            moves: vec![mv(0, one, 100.0), mv(1, 0.0, 100.0), mv(2, two, 5.0), mv(3, 0.0, 90.0), mv(4, three, 4.0)],
            last_board: BOARDS[2].to_owned(),
            accuracy: [Some(80.0), None],
            turning_point: None,
            position: None,
            notes: Vec::new(),
            broken: None,
        }
    }

    fn lost(summary: &PlayerSummary, by: LossesBy) -> Vec<(u32, f64)> {
        let group = summary.losses.iter().find(|group| group.by == by).expect("a group");
        group.parts.iter().map(|part| (part.moves, (part.lost * 100.0).round())).collect()
    }

    #[test]
    fn games_of_a_player_are_summarized() {
        let (won, drawn) = (game([0.0, 0.3, 0.1], "1-0"), game([0.06, 0.5, 0.4], "1/2-1/2"));
        let [summary] = &PlayerSummary::of("Anna", &[&won, &drawn])[..] else { panic!("one kind of game") };
        assert_eq!((summary.games, summary.results), (2, Results { won: 1, drawn: 1, ..Results::default() }));
        assert_eq!((summary.accuracy, summary.choices), (Some(80.0), 6));
        assert_eq!(summary.marks, MarkCounts { inaccuracies: 1, mistakes: 1, blunders: 3 });
        assert_eq!(lost(summary, LossesBy::Pieces), [(2, 6.0), (0, 0.0), (0, 0.0), (4, 130.0)]);
        assert_eq!(lost(summary, LossesBy::Kings), [(2, 6.0), (4, 130.0)]);
        assert_eq!(lost(summary, LossesBy::Stage), [(2, 6.0), (0, 0.0), (4, 130.0)]);
        assert_eq!(lost(summary, LossesBy::Side), [(6, 136.0), (0, 0.0)]);
        assert_eq!(lost(summary, LossesBy::Clock), [(2, 80.0), (2, 50.0)], "the clock before the move counts");
        let sentences = summary.sentences().join(" ");
        for sentence in [
            "Anna played 2 games of checkers: 1 won, 1 drawn, 0 lost.",
            "The mean accuracy is 80.0 %: of 6 moves with a choice, 1 inaccuracy, 1 mistake and 3 blunders.",
            "Most chances were lost in the ending: 96 % of them, in 67 % of the moves.",
        ] {
            assert!(sentences.contains(sentence), "{sentences}");
        }
        let other = PlayerSummary::of("<Bo>", &[&won, &drawn]);
        assert_eq!((other[0].results.lost, other[0].lost), (1, 0.0));
        assert!(PlayerSummary::of("Cy", &[&won]).is_empty());
    }

    #[test]
    fn typical_mistakes_come_from_different_games() {
        let games = [game([0.3, 0.9, 0.8], "0-1"), game([0.0, 0.2, 0.0], "0-1"), game([0.0, 0.0, 0.0], "*")];
        let typical = |games: &[&Review]| -> Vec<(i64, usize)> {
            PlayerSummary::of("Anna", games)[0].typical.iter().map(|mistake| (mistake.game, mistake.index)).collect()
        };
        assert_eq!(typical(&[&games[0]]), [(1, 2), (1, 4), (1, 0)]);
        assert_eq!(typical(&[&games[0], &games[1], &games[2]]), [(1, 2), (2, 2), (1, 4)]);
        assert_eq!(typical(&[&games[1], &games[1], &games[0], &games[0]]), [(3, 2), (4, 2), (1, 2)]);
    }

    #[test]
    fn a_summary_is_shown_as_text_and_on_a_page() {
        let summary = PlayerSummary::of("Anna", &[&game([0.0, 0.3, 0.0], "0-1")]).swap_remove(0);
        let text = summary.to_string();
        assert!(
            text.contains("\nGame 1, 2. m2?? against <Bo>\nBlunder. Black: 90 % before, 60 % now.\nBetter: best\n"),
            "{text}"
        );
        let link = |mistake: &TypicalMistake| (format!("#{}", mistake.index), "Game <1>".to_owned());
        let page = player(&summary, GameName::Checkers.grid(), "anna", &link).into_string();
        assert!(page.contains("<a href=\"#2\">Game &lt;1&gt;</a>: m2?? against &lt;Bo&gt;"), "{page}");
        assert!(page.contains("id=\"anna-1\"") && !page.contains("<Bo>"), "{page}");
    }
}
