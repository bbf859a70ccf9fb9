//! Cost of endgame tables: a probe, the choice of a move, a turn through files.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use kingline::checkers::{Move, Piece, Position, Square};
use kingline::clock::Clock;
use kingline::evaluate::checkers::Evaluation;
use kingline::game::{Color, Game, History, Knowledge, Progress as GameProgress, Rules, Wdl};
use kingline::knowledge::tablebase::build::numbers;
use kingline::knowledge::tablebase::{Material, Tablebase, embedded};
use kingline_players::figures::Figure;
use kingline_players::play::SideFile;
use kingline_players::progress::Progress;
use kingline_players::protocol::turn_files::{CALIBRATION, Calibration, PLAYDATA, Playdata};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};

use crate::program::{self, AgentDir, Spread};

/// Number of probed positions of each kind.
const PROBED: usize = 20_000;
/// Number of positions in which a move is chosen.
const CHOSEN: usize = 3_000;
/// Number of turns through files.
const TURNS: usize = 200;
/// Largest CPU time of a turn through files.
const TURN: Duration = Duration::from_micros(2_500);
/// Largest number of random quiet turns before such a turn.
const QUIET_TURNS: u16 = 30;

/// Measures the embedded tables, and an endgame table file if `side` or calibration.txt in this folder names one.
pub(super) fn cost(side: Option<&Path>) -> Result<Vec<Figure>> {
    let five = embedded().context("cannot use the embedded tables")?;
    let named = Calibration::load(Path::new(CALIBRATION), &mut Vec::new()).tables;
    let path = side.or(named.as_deref());
    let cannot = || format!("cannot use {}", path.unwrap_or(Path::new("")).display());
    let map = path.map(SideFile::map).transpose().with_context(cannot)?;
    let file = map.as_ref().map(SideFile::tables).transpose().with_context(cannot)?;
    let mut figures = of_tables("up to five pieces", five.materials(), &Tablebase::with_embedded(None))?;
    figures.push(by_files(&Endings::of(five.materials()))?);
    if let Some(file) = &file {
        let most = file.materials().map(Material::pieces).max().unwrap_or(0);
        let name = format!("{most} pieces, from a file");
        figures.extend(of_tables(&name, file.materials(), &Tablebase::with_embedded(Some(file)))?);
    }
    Ok(figures)
}

fn of_tables(name: &str, materials: impl Iterator<Item = Material>, tablebase: &Tablebase<'_>) -> Result<Vec<Figure>> {
    let endings = Endings::of(materials);
    let mut figures = Vec::new();
    for (kind, jumps) in [("no jump", false), ("a jump is due", true)] {
        let mut rng = StdRng::seed_from_u64(5);
        let mut positions = Vec::with_capacity(PROBED);
        while positions.len() < PROBED {
            let position = draw(&endings, &mut rng)?;
            if position.must_jump() == jumps {
                positions.push(position);
            }
        }
        figures.push(probe(&format!("probe, {name}, {kind}"), &positions, tablebase));
    }
    figures.extend(choice(name, &endings, tablebase)?);
    Ok(figures)
}

fn draw(endings: &Endings, rng: &mut StdRng) -> Result<Position> {
    endings.draw(rng).context("the tables have no positions")
}

/// Measures probes of positions that have been probed once before.
///
/// A probe takes about as long as reading the clock. For the percentiles, probes are timed one by one, less the cost of
/// a clock reading. For the mean, they are timed all together without reading the clock in between.
fn probe(name: &str, positions: &[Position], tablebase: &Tablebase<'_>) -> Figure {
    let together = || {
        let begin = Clock::Thread.now();
        for position in positions {
            black_box(tablebase.probe(black_box(position), 0, Rules::Course));
        }
        (Clock::Thread.now() - begin).as_secs_f64() * 1e9 / positions.len() as f64
    };
    let looks: Vec<Duration> = positions.iter().map(|_| Instant::now().elapsed()).collect();
    let look = Spread::of(looks).percent(50);
    together();
    let mean = (0..5).map(|_| together()).fold(f64::INFINITY, f64::min);
    let timed = |position: &Position| {
        let begin = Instant::now();
        black_box(tablebase.probe(black_box(position), 0, Rules::Course));
        begin.elapsed().saturating_sub(look)
    };
    let spread = Spread::of(positions.iter().map(timed).collect());
    let [median, high] = [50, 99].map(|percent| spread.percent(percent).as_nanos());
    let measured = format!("median {median} ns, 99 % {high} ns; mean {mean:.0} ns without a clock");
    Figure::new(name, measured).against("median at most 1,000 ns", median <= 1_000)
}

/// Measures the choice of a move in positions without quiet turns, by their value.
fn choice(name: &str, endings: &Endings, tablebase: &Tablebase<'_>) -> Result<Vec<Figure>> {
    let mut rng = StdRng::seed_from_u64(7);
    let evaluation = Evaluation::default();
    let mut times = [Wdl::Win, Wdl::Draw, Wdl::Loss].map(|outcome| (outcome, Vec::new()));
    for _ in 0..CHOSEN {
        let history = History::new(draw(endings, &mut rng)?).under(Rules::Course);
        let begin = Clock::Thread.now();
        let choice = tablebase.choose(&history, &evaluation, u64::MAX);
        let took = Clock::Thread.now() - begin;
        // The sample includes positions without a legal move.
        let Ok(choice) = choice else { continue };
        if let Some((_, times)) = times.iter_mut().find(|(outcome, _)| *outcome == choice.value.outcome()) {
            times.push(took);
        }
    }
    let figure = |(outcome, times): (Wdl, Vec<Duration>)| {
        let (word, count) = match outcome {
            Wdl::Win => ("won", times.len()),
            Wdl::Draw => ("drawn", times.len()),
            Wdl::Loss => ("lost", times.len()),
        };
        let spread = Spread::of(times);
        let [median, high, higher, most] = [50, 90, 99, 100].map(|percent| spread.percent(percent).as_micros());
        let measured = format!("median {median} us, 90 % {high}, 99 % {higher}, most {most} ({count} positions)");
        Figure::new(format!("choice of a move, {name}, {word}"), measured)
            .against("median at most 1,000 us", median <= 1_000)
    };
    Ok(times.into_iter().map(figure).collect())
}

/// Measures `homework` in a game that has reached a position in the tables.
fn by_files(endings: &Endings) -> Result<Figure> {
    let folder = AgentDir::new("tables")?;
    let homework = program::sibling("homework")?;
    let mut rng = StdRng::seed_from_u64(8);
    let mut progress = Progress::new("turns by files", TURNS);
    let mut times = Vec::new();
    while times.len() < TURNS {
        let (start, quiet_turns) = (draw(endings, &mut rng)?, rng.random_range(1..=QUIET_TURNS));
        let Some((known, position)) = game_from(start, quiet_turns, &mut rng) else { continue };
        folder.ask("GAME", &position, 100.0)?;
        known.save(&folder.path().join(PLAYDATA))?;
        let run = program::run(&homework, &[], folder.path())?;
        ensure!(run.status.success(), "homework failed in {position}");
        folder.answer(&position)?;
        times.push(run.cpu);
        progress.step("");
    }
    let over = times.iter().filter(|&&time| time > TURN).count();
    let spread = Spread::of(times);
    let [median, high, most] = [50, 99, 100].map(|percent| spread.percent(percent).as_secs_f64() * 1000.0);
    let measured =
        format!("median {median:.2} ms CPU, 99 % {high:.2}, most {most:.2} ({over} of {TURNS} positions over 2.5)");
    Ok(Figure::new("exec to exit in a game, tabled position", measured).against("at most 2.5 ms", over == 0))
}

/// Plays random quiet turns from a position. Returns the position after them, and what the agent that moves there next knows
/// of the game: all but the last turn. Returns `None` if the game ends, or there is no quiet turn.
fn game_from(start: Position, quiet_turns: u16, rng: &mut StdRng) -> Option<(Playdata, Position)> {
    let (mut known, mut game) = (Playdata::fresh(start), History::new(start).under(Rules::Course));
    for _ in 0..quiet_turns {
        if game.ending().is_some() {
            return None;
        }
        let position = game.position();
        let mut quiet = position.legal_moves().to_vec();
        quiet.retain(|&mv: &Move| position.progress(mv) != GameProgress::Zeroing);
        known.history.clone_from(&game);
        game.play(*quiet.choose(rng)?);
    }
    game.ending().is_none().then(|| (known, game.position()))
}

/// Positions of some materials, to draw from.
struct Endings {
    /// Materials, each with the total count of position numbers up to and including its own.
    materials: Vec<(Material, u64)>,
}

impl Endings {
    fn of(materials: impl IntoIterator<Item = Material>) -> Endings {
        let mut end = 0;
        let count = |material| {
            end += u64::from(numbers(material));
            (material, end)
        };
        Endings { materials: materials.into_iter().map(count).collect() }
    }

    /// Draws one of the positions, all equally likely; `None` if there are none.
    fn draw(&self, rng: &mut StdRng) -> Option<Position> {
        let &(_, end) = self.materials.last()?;
        loop {
            let number = rng.random_range(0..end);
            let place = self.materials.partition_point(|&(_, end)| end <= number);
            if let Some(position) = place_pieces(self.materials[place].0, rng) {
                return Some(if rng.random() { position } else { position.flipped() });
            }
        }
    }
}

/// Places the pieces of this material at random, with White to move. Returns `None` if men of both sides fall on one
/// square; drawing again then keeps all positions equally likely.
fn place_pieces(material: Material, rng: &mut impl Rng) -> Option<Position> {
    let mut placed: Vec<(Square, Color, Piece)> = Vec::new();
    let mut put = |count: u8, color: Color, piece: Piece| {
        for _ in 0..count {
            let square = loop {
                let square = Square::from_number(rng.random_range(1..=32))?;
                // White's men move up and are kings on the last row (§1).
                let last_row = if color == Color::White { 7 } else { 0 };
                let fits = piece == Piece::King || square.row() != last_row;
                let other = |&(there, owner, _): &(Square, Color, Piece)| there == square && owner != color;
                if piece == Piece::Man && placed.iter().any(other) {
                    return None;
                }
                if fits && placed.iter().all(|&(there, _, _)| there != square) {
                    break square;
                }
            };
            placed.push((square, color, piece));
        }
        Some(())
    };
    put(material.men, Color::White, Piece::Man)?;
    put(material.their_men, Color::Black, Piece::Man)?;
    put(material.kings, Color::White, Piece::King)?;
    put(material.their_kings, Color::Black, Piece::King)?;
    Some(Position::new(Color::White, placed))
}
