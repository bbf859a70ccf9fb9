//! `calibrate won-positions`: positions of Lines of Action with a proved win, to measure the solver and the player.

use std::ops::Bound::{Excluded, Included};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fmt, fs};

use anyhow::{Context, Result, ensure};
use kingline::clock::Clock;
use kingline::evaluate::loa::Evaluation;
use kingline::game::{Ending, Game, History, LineError};
use kingline::loa::Position;
use kingline::score::{Meaning, Score};
use kingline::search::{Limits, Prover};
use kingline_players::exit::BadInput;
use kingline_players::figures::{Figure, FiguresOption, Topic};
use kingline_players::files::{FileKind, check_target, write_whole};
use kingline_players::help::GuidePage;
use kingline_players::play::LoaPlayer;
use kingline_players::progress::Progress;
use kingline_players::terminal::{in_thousands, stdout_line};
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use crate::learn::{Learned, game_records};
use crate::options::{ThreadsOption, help_end, number};

/// Positions of Lines of Action with a proved win: finds them in games, and measures the solver and the player with them.
#[derive(clap::Args)]
#[command(after_help = help_end(GuidePage::Loa))]
pub(crate) struct WonArguments {
    #[command(subcommand)]
    command: WonCommand,
}

#[derive(clap::Subcommand)]
enum WonCommand {
    Find(FindArguments),
    #[command(after_help = help_end(GuidePage::Loa))]
    /// Proves each position with an empty memory, and prints how many are decided and the nodes visited.
    Solve {
        #[command(flatten)]
        positions: PositionsArguments,
        /// Nodes for each position.
        #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
        nodes: u64,
    },
    #[command(after_help = help_end(GuidePage::Loa))]
    /// Plays each position out, the player of `loa` against itself, and prints how many the winner wins.
    Play {
        #[command(flatten)]
        positions: PositionsArguments,
        /// CPU seconds for each move.
        #[arg(long, value_name = "SECONDS", default_value_t = 0.1, value_parser = number(Excluded(0.0), Included(3600.0)))]
        seconds: f64,
    },
}

/// Positions to measure with.
#[derive(clap::Args)]
struct PositionsArguments {
    /// File of positions, as written by `calibrate won-positions find`; of 8x8, of 6x6, or of both.
    file: PathBuf,
    #[command(flatten)]
    threads: ThreadsOption,
    #[command(flatten)]
    figures: FiguresOption,
}

/// Finds positions with a proved win in self-play games.
///
/// From each game, a position up to 24 plies before the last is taken in which the winner is to move. It is kept if the
/// solver proves it won, but not within 1,000 nodes, which would be too easy to tell solvers apart. The number of threads makes no difference.
#[derive(clap::Args)]
#[command(after_help = help_end(GuidePage::Loa))]
struct FindArguments {
    /// Size of the board: 8 or 6 columns and rows.
    #[arg(value_parser = clap::value_parser!(u8).range(6..=8))]
    board: u8,
    /// Game files, as written by `calibrate selfplay`.
    #[arg(required = true, value_name = "FILE")]
    games: Vec<PathBuf>,
    /// File to write. Only files of the same kind are overwritten.
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Number of positions.
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    /// Nodes for each proof.
    #[arg(long, value_name = "N", default_value_t = 4_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Seed for the choice of games and positions.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: ThreadsOption,
}

/// Runs the command.
pub(crate) fn run(arguments: &WonArguments) -> Result<()> {
    match &arguments.command {
        WonCommand::Find(arguments) => match arguments.board {
            8 => find::<8>(arguments),
            6 => find::<6>(arguments),
            board => Err(BadInput::new(format!("found a board of {board}, expected 6 or 8")).into()),
        },
        &WonCommand::Solve { ref positions, nodes } => solve(positions, nodes),
        &WonCommand::Play { ref positions, seconds } => play(positions, seconds),
    }
}

/// Won position. In a file, it is followed by a semicolon and the plies: `-bbb-b--/w------w/... black;13`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Won<const N: usize> {
    /// The side to move wins.
    position: Position<N>,
    /// Largest number of plies to the win by the known proof.
    plies: u16,
}

/// Won position on either board.
trait Measured: fmt::Display + Send + Sync {
    fn solve(&self, nodes: u64) -> Solved;

    /// Plays the position out. Returns whether the winner won, if the game ended, and whether it announced a win on its
    /// first turn.
    fn play_out(&self, time: Duration) -> (Option<bool>, bool);
}

impl<const N: usize> fmt::Display for Won<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{};{}", self.position, self.plies)
    }
}

/// Reads all lines of a file.
///
/// # Errors
/// Fails if the file cannot be read or has no lines. A [`LineError`] names the line and what is wrong with it.
fn read(path: &Path) -> Result<Vec<Box<dyn Measured>>> {
    let name = path.display();
    let bytes = fs::read(path).with_context(|| format!("cannot read {name}"))?;
    let text = String::from_utf8_lossy(&bytes);
    let won: Result<Vec<_>, LineError> = (1..).zip(text.lines()).map(|(line, text)| parse(line, text)).collect();
    let won = won.with_context(|| name.to_string())?;
    ensure!(!won.is_empty(), BadInput::new(format!("{name}: found an empty file, expected lines like POSITION;PLIES")));
    Ok(won)
}

fn parse(line: usize, text: &str) -> Result<Box<dyn Measured>, LineError> {
    let wrong = |found: &str, expected: &str| match found {
        "" => LineError::missing(line, "a blank line", expected),
        found => LineError::new(line, found, expected),
    };
    let (position, plies) =
        text.split_once(';').ok_or_else(|| wrong(text, "a position, a semicolon and a number of plies"))?;
    let plies = plies.parse().map_err(|_| wrong(plies, "a number of plies"))?;
    // Rows are separated by slashes.
    let won: Result<Box<dyn Measured>, _> = match position.matches('/').count() {
        5 => position.parse().map(|position| Box::new(Won::<6> { position, plies }) as _),
        _ => position.parse().map(|position| Box::new(Won::<8> { position, plies }) as _),
    };
    won.map_err(|error| LineError { line, error })
}

/// Plies before the last position of a game from which a position is taken.
const MOST_PLIES: usize = 24;
/// Nodes within which a position is too easy.
const EASY: u64 = 1000;
/// Size of the solver's table, in bytes.
const SOLVER_TABLE: usize = 256 << 20;
/// Size of each player's tables, in bytes.
const PLAYER_TABLE: usize = 64 << 20;
/// Number of plies after which a game is drawn.
const LONGEST: u16 = 200;

const POSITIONS: FileKind = FileKind {
    name: "a file of positions",
    is_start: |start| {
        let start = String::from_utf8_lossy(start);
        start.starts_with(['-', 'b', 'w']) && start.contains('/')
    },
};

fn find<const N: usize>(arguments: &FindArguments) -> Result<()> {
    check_target(&arguments.output, POSITIONS)?;
    let mut rng = StdRng::seed_from_u64(arguments.seed);
    let mut taken = Vec::new();
    for path in &arguments.games {
        let records = game_records::<Position<N>>(path)?;
        for game in records.chunk_by(|one, _| !one.last) {
            // The last record's side to move won or lost; the winner is to move in every second one before.
            let won: Vec<_> =
                game.iter().rev().take(MOST_PLIES).filter(|record| record.result.points() == 1.0).collect();
            if !won.is_empty() {
                let record = won[rng.random_range(0..won.len())];
                taken.extend(Position::<N>::unpack(record.turn, record.pieces));
            }
        }
    }
    taken.shuffle(&mut rng);
    let count = arguments.count as usize;
    let mut progress = Progress::new("proofs", count);
    let (mut found, mut tried): (Vec<Won<N>>, _) = (Vec::new(), 0);
    for batch in taken.chunks(64) {
        tried += batch.len();
        let won = arguments.threads.threads().map(batch, |&position| Ok(prove(position, arguments.nodes)))?;
        for won in won.into_iter().flatten().take(count - found.len()) {
            if !found.iter().any(|other| other.position == won.position) {
                found.push(won);
                progress.step(&format!("{tried} tried"));
            }
        }
        if found.len() >= count {
            break;
        }
    }
    drop(progress);
    ensure!(
        found.len() == count,
        BadInput::new(format!("found {} won positions in {tried} games; help: name more games", found.len()))
    );
    let text: String = found.iter().map(|won| format!("{won}\n")).collect();
    write_whole(&arguments.output, text.as_bytes())?;
    stdout_line(format_args!("{}: {count} positions of {tried} tried", arguments.output.display()))
}

/// Returns the position with the length of its win, if it is proved and not too easy.
fn prove<const N: usize>(position: Position<N>, nodes: u64) -> Option<Won<N>> {
    let mut prover = Prover::new(Evaluation::<N>::default()).with_table_limit(SOLVER_TABLE);
    let proof = prover.prove(position, Limits::nodes(nodes), &mut ());
    match proof.score.map(Score::meaning) {
        Some(Meaning::WinIn(plies)) if proof.nodes > EASY => Some(Won { position, plies }),
        _ => None,
    }
}

/// Measures each position of a file, on several threads.
fn each<R: Send>(arguments: &PositionsArguments, measure: impl Fn(&dyn Measured) -> R + Sync) -> Result<Vec<R>> {
    arguments.threads.threads().map(&read(&arguments.file)?, |won| Ok(measure(&**won)))
}

/// Result of a proof, its nodes and its CPU seconds.
type Solved = (Option<Score>, u64, f64);

fn solve(arguments: &PositionsArguments, nodes: u64) -> Result<()> {
    let solved: Vec<Solved> = each(arguments, |won| won.solve(nodes))?;
    let count = |is: fn(Score) -> bool| solved.iter().filter(|(score, ..)| score.is_some_and(is)).count();
    let (won, lost) = (count(Score::is_win), count(Score::is_loss));
    let visited = in_thousands(solved.iter().map(|&(_, nodes, _)| nodes).sum());
    let seconds: f64 = solved.iter().map(|&(.., seconds)| seconds).sum();
    let all = solved.len();
    let measured = format!("{won} of {all} won, {visited} nodes in all, {seconds:.1} CPU s");
    stdout_line(&measured)?;
    ensure!(lost == 0, "{lost} positions were proved lost: the file or the solver is wrong");
    let name = format!("{all} positions with a proved win, within {} nodes each", in_thousands(nodes));
    arguments.figures.record(Topic::SmallLoa, [Figure::new(name, measured)])
}

fn play(arguments: &PositionsArguments, seconds: f64) -> Result<()> {
    ensure!(seconds > 0.0 && seconds <= 1e6, BadInput::new(format!("found {seconds} seconds, expected above 0")));
    let time = Duration::from_secs_f64(seconds);
    let played = each(arguments, |won| won.play_out(time))?;
    let count = |wanted| played.iter().filter(|&&(won, _)| won == wanted).count();
    let [won, lost, left] = [Some(true), Some(false), None].map(count);
    let (all, at_once) = (played.len(), played.iter().filter(|(_, is_announced)| *is_announced).count());
    let measured = format!("{won} of {all} won, {lost} lost, {left} not ended; the win announced at once in {at_once}");
    stdout_line(&measured)?;
    let name = format!("{all} positions with a proved win played out, {seconds} s a move for both sides");
    let figure = Figure::new(name, measured).against("none lost", lost == 0);
    arguments.figures.record(Topic::Strength, [figure])
}

impl<const N: usize> Measured for Won<N> {
    fn solve(&self, nodes: u64) -> Solved {
        let began = Clock::Thread.now();
        let mut prover = Prover::new(Evaluation::<N>::default()).with_table_limit(SOLVER_TABLE);
        let proof = prover.prove(self.position, Limits::nodes(nodes), &mut ());
        (proof.score, proof.nodes, (Clock::Thread.now() - began).as_secs_f64())
    }

    fn play_out(&self, time: Duration) -> (Option<bool>, bool) {
        let mut players = [1, 2].map(|variety| LoaPlayer::<N>::new(variety, PLAYER_TABLE));
        let mut history = History::new(self.position);
        let mut is_announced = false;
        for ply in 0..LONGEST {
            if history.ending().is_some() {
                break;
            }
            let limits = Limits::until(Clock::Thread, Clock::Thread.now() + time);
            let limits = Limits { game_plies: Some(LONGEST - ply), ..limits };
            let Some(choice) = players[usize::from(ply % 2)].choose(&history, limits) else { break };
            is_announced |= ply == 0 && choice.why.score().is_some_and(Score::is_win);
            history.play(choice.best);
        }
        (history.ending().map(|ending| ending == Ending::Win(self.position.turn())), is_announced)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_round_trip_and_errors_name_the_line() {
        let text = "-bb---/-----w/------/w-----/--b---/-----w black;7";
        assert_eq!(parse(1, text).ok().unwrap().to_string(), text);
        let error = |text| parse(3, text).err().unwrap().to_string();
        assert!(error("").contains("a blank line"), "{}", error(""));
        assert!(error("-bb---/ black;x").contains('x'));
        assert!(error("nothing").contains("expected a position, a semicolon"));
        assert!(error("-bb black;3").starts_with("line 3"), "{}", error("-bb black;3"));
    }
}
