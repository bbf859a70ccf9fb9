//! Plays the games of a match on several threads, and continues an interrupted one from the record of its games.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::{Result, ensure};
use kingline::game::{Color, Game};
use kingline_players::exit::BadInput;
use kingline_players::progress::Progress;
use kingline_players::threads::Threads;
use serde::{Deserialize, Serialize};

use super::player::Player;
use super::sprt::{Sprt, Verdict};
use super::tally::{MatchReport, PlayedGame, Tally};
use kingline_players::journal::{Journal, Run};

/// Match in which each opening is played twice, with colors exchanged.
pub(crate) struct Match<'a, G> {
    pub(crate) openings: &'a [G],
    pub(crate) threads: Threads,
    pub(crate) title: &'a str,
    pub(crate) sprt: Option<Sprt>,
    /// Games that were played before, and the file for the others.
    pub(crate) record: Option<MatchRecord>,
}

impl<G: Game + Sync> Match<'_, G> {
    /// Plays the match between these players. If there is a test, the match ends with the opening that decides it.
    ///
    /// # Errors
    /// Returns the first error of a game or of the record.
    pub(crate) fn between<P: Player<Position = G>>(self, players: [&P; 2]) -> Result<MatchReport> {
        let sprt = self.sprt;
        let tally = self.play(|color, opening, game| P::play(players, color, opening, game))?;
        Ok(MatchReport::new(&tally, sprt))
    }

    /// Plays the match; `play` plays one game, given the first player's color, the opening and the number of the game.
    ///
    /// Openings count in order, so that the tally does not depend on which games end first. Later games that have begun
    /// by then are played to their end but not counted.
    pub(crate) fn play(self, play: impl Fn(Color, G, u64) -> Result<PlayedGame> + Sync) -> Result<Tally> {
        let Match { openings, threads, title, sprt, mut record } = self;
        let mut ended = vec![None; 2 * openings.len()];
        for (game, played) in record.as_mut().map_or(Vec::new(), |record| std::mem::take(&mut record.games)) {
            if let Some(place) = ended.get_mut(game) {
                *place = Some(played);
            }
        }
        let missing: Vec<usize> = (0..ended.len()).filter(|&game| ended[game].is_none()).collect();
        let mut progress = Progress::new(title, ended.len());
        progress.skip(ended.len() - missing.len());
        let mut scorer = Scorer { tally: Tally::default(), ended, sprt, sure: false, record, progress };
        scorer.count();
        let missing = if scorer.sure { &[][..] } else { &missing };
        let scorer = Mutex::new(scorer);
        let flow = threads.each(missing.len(), |place| {
            let game = missing[place];
            let color = if game.is_multiple_of(2) { Color::Black } else { Color::White };
            let taken = play(color, openings[game / 2], game as u64)
                .and_then(|played| scorer.lock().unwrap_or_else(PoisonError::into_inner).take(game, played));
            match taken {
                Ok(flow) => flow.map_break(Ok),
                Err(error) => ControlFlow::Break(Err(error)),
            }
        });
        if let ControlFlow::Break(Err(error)) = flow {
            return Err(error);
        }
        Ok(scorer.into_inner().unwrap_or_else(PoisonError::into_inner).tally)
    }
}

/// Counts games in the order of their openings, whatever order they end in.
struct Scorer {
    tally: Tally,
    /// All games by number; opening k has games 2 k and 2 k + 1. `None` for unfinished games.
    ended: Vec<Option<PlayedGame>>,
    sprt: Option<Sprt>,
    /// True once the test has a verdict and no further game counts.
    sure: bool,
    record: Option<MatchRecord>,
    progress: Progress,
}

impl Scorer {
    /// Takes a finished game. Breaks once no more games are needed.
    fn take(&mut self, game: usize, played: PlayedGame) -> Result<ControlFlow<()>> {
        if let Some(record) = &mut self.record {
            record.add(game, &played)?;
        }
        self.ended[game] = Some(played);
        self.count();
        let Tally { wins, draws, losses, pairs, .. } = &self.tally;
        let mut note = format!("+{wins} ={draws} -{losses}");
        if let Some(sprt) = &self.sprt {
            let [lower, upper] = sprt.bounds();
            note += &format!(", LLR {:.2} ({lower:.2} to {upper:.2})", sprt.llr(pairs));
        }
        self.progress.step(&note);
        Ok(if self.sure { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    /// Counts the pairs that are complete now, up to the one that decides the test.
    fn count(&mut self) {
        while !self.sure
            && let Some(pair) = self.next_pair()
        {
            self.tally.add_pair(pair);
            self.sure = self.sprt.is_some_and(|sprt| sprt.verdict(&self.tally.pairs) != Verdict::Undecided);
        }
    }

    /// Returns the first uncounted pair, if both games have ended.
    fn next_pair(&self) -> Option<[PlayedGame; 2]> {
        let black = 2 * self.tally.pairs.total();
        let &[black, white] = self.ended.get(black..black + 2)? else { return None };
        Some([black?, white?])
    }
}

/// Games of a match, in memory and in its file.
pub(crate) struct MatchRecord {
    journal: Journal,
    openings: Vec<String>,
    /// Games of earlier runs by number, from 0.
    games: Vec<(usize, PlayedGame)>,
}

/// A game in the record of a match.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(rename = "RecordedGame"))]
pub(crate) struct Row {
    /// Number of the game, from 1. Both games of an opening follow each other.
    game: usize,
    /// The position that it starts from.
    opening: String,
    #[serde(flatten)]
    played: PlayedGame,
}

impl MatchRecord {
    /// Opens a new record of a match with this header and these openings, or continues one. A later run may have more
    /// openings or fewer.
    pub(crate) fn open<G: Game>(path: &Path, run: Run, header: &impl Serialize, openings: &[G]) -> Result<MatchRecord> {
        let openings: Vec<String> = openings.iter().map(ToString::to_string).collect();
        let (journal, rows) = Journal::open::<Row>(path, run, header)?;
        let mut games = Vec::with_capacity(rows.len());
        for Row { game, opening, played } in rows {
            let place = game.wrapping_sub(1);
            let wanted = openings.get(place / 2);
            ensure!(
                wanted.is_none_or(|wanted| *wanted == opening),
                BadInput::new(format!(
                    "{}: game {game} has another opening than this match; help: name another file",
                    path.display()
                ))
            );
            games.push((place, played));
        }
        Ok(MatchRecord { journal, openings, games })
    }

    fn add(&mut self, game: usize, &played: &PlayedGame) -> Result<()> {
        let opening = self.openings.get(game / 2).cloned().unwrap_or_default();
        self.journal.add(&Row { game: game + 1, opening, played }).map(drop)
    }
}

/// Returns the two players by color, Black's first.
pub(super) fn by_color<T>(first: T, second: T, color: Color) -> [T; 2] {
    match color {
        Color::Black => [first, second],
        Color::White => [second, first],
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use kingline::checkers::Position;

    use super::super::sprt::EloPair;
    use super::*;

    /// Returns a game whose result depends on its number: the first player wins half of the games and draws the others.
    fn made_up(color: Color, game: u64) -> PlayedGame {
        let winner = game.is_multiple_of(4).then_some(color);
        PlayedGame { winner, moves: [game as usize, 0], ..PlayedGame::default() }
    }

    fn test_match(openings: &[Position], threads: usize) -> Match<'_, Position> {
        Match { openings, threads: Threads { count: threads }, title: "test", sprt: None, record: None }
    }

    #[test]
    fn a_match_ends_with_the_same_opening_in_any_order_of_games() {
        let openings = [Position::start(); 200];
        let sprt = Sprt { elo: EloPair { elo0: 0.0, elo1: 50.0 }, alpha: 0.05, beta: 0.05 };
        let play = |count: usize, slow: fn(u64) -> u64| {
            let the_match = Match { sprt: Some(sprt), ..test_match(&openings, count) };
            let played = the_match.play(|color, _, game| {
                std::thread::sleep(Duration::from_micros(slow(game)));
                Ok(made_up(color, game))
            });
            played.expect("games without errors")
        };
        let alone = play(1, |_| 0);
        let pairs = alone.pairs.total();
        assert!((10..100).contains(&pairs), "{alone:?}");
        assert_eq!(sprt.verdict(&alone.pairs), Verdict::H1);
        // In the first run, the first games end last; in the second, odd-numbered games do.
        for slow in [|game| if game < 3 { 20_000 } else { 0 }, |game| game % 2 * 500] {
            assert_eq!(format!("{:?}", play(4, slow)), format!("{alone:?}"));
        }
    }

    #[test]
    fn without_a_test_all_games_count() {
        let openings = [Position::start(); 20];
        let play = |openings| test_match(openings, 3).play(|color, _, game| Ok(made_up(color, game)));
        let tally = play(&openings[..]).expect("games without errors");
        assert_eq!((tally.games(), tally.moves.iter().sum(), tally.pairs.total()), (40, 780, 20));
        let none = play(&openings[..0]).expect("no games");
        assert_eq!((none.games(), none.pairs.error()), (0, 0.0));
    }

    #[test]
    fn a_game_that_fails_ends_the_match() {
        let openings = [Position::start(); 20];
        let played = test_match(&openings, 2).play(|color, _, game| {
            anyhow::ensure!(game < 5, "it crashed");
            Ok(made_up(color, game))
        });
        assert_eq!(played.expect_err("an error").to_string(), "it crashed");
    }
}
