//! What do commands do to a game of Lines of Action?

use std::fs;
use std::path::Path;

use super::thinker::{Audience, Thinker};
use crate::draw;
use crate::files::{UsedFile, check_different, read_text, write_whole};
use crate::game::{Color, Ending, Game, Outcome, ParseError};
use crate::loa::sgf::Record;
use crate::loa::{Move, Position, Square};
use crate::protocol::commands::{Command, Control, Dialect, Edits, Pace, Phase, Refusal, board};

/// A game with its players, as commands see it. It reads and prints nothing, except for the files of `save` and
/// `load`.
#[derive(Debug)]
pub struct Session {
    dialect: &'static Dialect,
    phase: Phase,
    /// The moves that can be taken back, and the position before them.
    record: Record,
    /// Moves made before those of the record, by side.
    earlier: [i64; 2],
    /// Moves of both sides after which the game is a tie.
    limit: Option<i64>,
    /// By side.
    players: [Control; 2],
    thinker: Thinker,
    /// `save` must not replace these.
    used: Vec<UsedFile>,
}

/// What a command leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Text to print; often empty.
    Output(String),
    /// Text for a person, to print where errors go.
    Aside(String),
    /// The program is to end.
    Quit,
}

/// A turn of an automatic side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AutomaticTurn {
    /// Its move; none if there was no legal one, and the game was lost.
    pub mv: Option<Move>,
    /// Text to print for it, with the end of the game.
    pub text: String,
}

impl Session {
    /// A new board, Black manual, White automatic. `pace` is that of the automatic players; `None`: the dialect's.
    pub fn new(dialect: &'static Dialect, pace: Option<Pace>) -> Session {
        Session {
            dialect,
            phase: dialect.fresh,
            record: Record::new(Position::start()),
            earlier: [0; 2],
            limit: moves_of_both(dialect),
            players: [Control::Manual, Control::Automatic],
            thinker: Thinker::new(pace.unwrap_or(dialect.pace)),
            used: Vec::new(),
        }
    }

    /// With files that are in use, and that `save` must not replace.
    #[must_use]
    pub fn with_used_files(self, used: Vec<UsedFile>) -> Session {
        Session { used, ..self }
    }

    /// The dialect of this session.
    pub fn dialect(&self) -> &'static Dialect {
        self.dialect
    }

    /// The board, and who moves next.
    pub fn position(&self) -> Position<8> {
        self.record.position()
    }

    /// The prompt for the next command (§3).
    pub fn prompt(&self) -> &'static str {
        match (self.phase, self.position().turn()) {
            (Phase::Playing, Color::Black) => "b> ",
            (Phase::Playing, Color::White) => "w> ",
            (Phase::Stopped | Phase::Over, _) => "-> ",
        }
    }

    /// Executes a command. Before the next one, [`automatic_turn`](Self::automatic_turn) must be called until it returns
    /// none.
    ///
    /// # Errors
    /// The command is refused; nothing has changed.
    pub fn execute(&mut self, command: Command) -> Result<Reply, Refusal> {
        let mut text = String::new();
        match command {
            Command::New => self.set_up(),
            Command::Start => text = self.start()?,
            Command::Move { from, to } => text = self.move_by_hand(from, to)?,
            Command::Control(color, control) => {
                self.players[color.index()] = control;
                self.edited();
            }
            Command::Set { square, piece, next } => self.set(square, piece, next),
            Command::Dump => text = board::dump(&self.position()),
            Command::Board => text = self.drawn(),
            Command::Print => return Ok(Reply::Aside(self.drawn())),
            Command::Seed(seed) => self.thinker.seed(seed),
            Command::Limit(rounds) => self.set_limit(rounds)?,
            Command::Undo => self.undo()?,
            Command::Save(path) => self.save(&path)?,
            Command::Load(path) => text = self.load(&path)?,
            Command::Help => return Ok(Reply::Aside(self.dialect.help.to_owned())),
            Command::Quit => return Ok(Reply::Quit),
        }
        Ok(Reply::Output(text))
    }

    /// Takes an automatic turn, if a game is in progress and the side to move is automatic. With both sides automatic and
    /// nobody watching, the whole game is played fast (§2).
    pub fn automatic_turn(&mut self, audience: Audience) -> Option<AutomaticTurn> {
        let color = self.position().turn();
        if self.phase != Phase::Playing || self.players[color.index()] == Control::Manual {
            return None;
        }
        if audience == Audience::Absent && self.players == [Control::Automatic; 2] {
            self.thinker.hurry();
        }
        let plies = self.limit.and_then(|limit| u16::try_from(limit - self.made()).ok());
        Some(match self.thinker.choose(&self.record.history(), plies) {
            Some(mv) => {
                let text = (self.dialect.moved)(color, mv);
                AutomaticTurn { mv: Some(mv), text: text + &self.play(mv) }
            }
            None => AutomaticTurn { mv: None, text: self.end(Outcome::Win(!color)) },
        })
    }

    /// The board for a person.
    pub fn drawn(&self) -> String {
        draw::framed(&self.position(), &draw::LOA)
    }

    /// Moves of both sides since the game began.
    fn made(&self) -> i64 {
        self.made_by_side().iter().sum()
    }

    /// Moves of each side since the game began.
    fn made_by_side(&self) -> [i64; 2] {
        let mut made = self.earlier;
        for position in &self.record.positions()[..self.record.moves().len()] {
            made[position.turn().index()] += 1;
        }
        made
    }

    fn set_up(&mut self) {
        self.record = Record::new(Position::start());
        self.earlier = [0; 2];
        self.limit = moves_of_both(self.dialect);
        self.phase = self.dialect.fresh;
        self.thinker.new_game();
    }

    fn start(&mut self) -> Result<String, Refusal> {
        match self.phase {
            Phase::Playing => Ok(String::new()),
            Phase::Over => Err(Refusal::ClearFirst),
            Phase::Stopped => Ok(match self.position().ending() {
                Some(ending) => (self.dialect.ended)(ending.outcome()),
                None => {
                    self.phase = Phase::Playing;
                    String::new()
                }
            }),
        }
    }

    fn move_by_hand(&mut self, from: Square, to: Square) -> Result<String, Refusal> {
        if self.phase != Phase::Playing {
            return Err(Refusal::NotPlaying(self.dialect.not_playing));
        }
        let list = self.position().legal_moves();
        if let Some(&mv) = list.iter().find(|mv| (mv.from(), mv.to()) == (from, to)) {
            return Ok(self.play(mv));
        }
        let others: Vec<String> = list.iter().filter(|mv| mv.from() == from).map(ToString::to_string).collect();
        let expected = match others.as_slice() {
            [] => format!("a move of one of {}'s pieces that can move", self.position().turn()),
            others => others.join(" or "),
        };
        Err(Refusal::IllegalMove(ParseError::new(&format!("{from}-{to}"), expected)))
    }

    /// Plays a legal move; the text of the game's end, if it ends.
    fn play(&mut self, mv: Move) -> String {
        self.record.play(mv);
        self.result().map_or_else(String::new, |result| self.end(result))
    }

    /// The result after the last move: a win on the last allowed move is a win (§1).
    fn result(&self) -> Option<Outcome> {
        let tie = self.limit.is_some_and(|limit| self.made() >= limit).then_some(Outcome::Draw);
        decided(self.position()).or(tie)
    }

    fn end(&mut self, result: Outcome) -> String {
        self.phase = Phase::Over;
        self.record.set_result(Some(result));
        (self.dialect.ended)(result)
    }

    /// The count of moves stays, and nobody wins by it: winners are looked for after moves only (§3).
    fn set(&mut self, square: Square, piece: Option<Color>, next: Option<Color>) {
        let position = self.position();
        let others = position.placed().filter(|&(other, _)| other != square);
        let placed = others.chain(piece.map(|color| (square, color)));
        self.earlier = self.made_by_side();
        self.record = Record::new(Position::new(next.unwrap_or(position.turn()), placed));
        self.edited();
    }

    fn edited(&mut self) {
        if self.phase == Phase::Playing && self.dialect.edits == Edits::Stop {
            self.phase = Phase::Stopped;
        }
    }

    /// Larger than what either player has made (§3).
    fn set_limit(&mut self, rounds: i64) -> Result<(), Refusal> {
        let made = self.made_by_side().into_iter().max().unwrap_or(0);
        if rounds < 1 {
            return Err(Refusal::LimitTooSmall { rounds, made: 0 });
        }
        match self.phase {
            // Accepted silently, without effect (§3).
            Phase::Over => {}
            Phase::Playing | Phase::Stopped if rounds > made => self.limit = Some(rounds.saturating_mul(2)),
            Phase::Playing | Phase::Stopped => return Err(Refusal::LimitTooSmall { rounds, made }),
        }
        Ok(())
    }

    /// Goes back to the last position with a manual side to move. A game that was over is in progress again.
    fn undo(&mut self) -> Result<(), Refusal> {
        let is_manual = |position: &Position<8>| self.players[position.turn().index()] == Control::Manual;
        let earlier = &self.record.positions()[..self.record.moves().len()];
        let moves = earlier.iter().rposition(is_manual).ok_or(Refusal::NothingToTakeBack)?;
        self.record.take_back_to(moves);
        if self.phase == Phase::Over {
            self.phase = Phase::Playing;
        }
        Ok(())
    }

    fn save(&self, path: &Path) -> Result<(), Refusal> {
        let files: Vec<UsedFile> = self.used.iter().cloned().chain([UsedFile::named("FILE", path)]).collect();
        check_different(&[], &files).map_err(|error| Refusal::File(error.to_string()))?;
        // A device must not be replaced by a file.
        if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
            return Err(Refusal::File(format!("cannot write {}: not a regular file", path.display())));
        }
        write_whole(path, self.record.to_string().as_bytes()).map_err(|error| Refusal::File(format!("{error:#}")))
    }

    /// The limit of moves and the players stay.
    fn load(&mut self, path: &Path) -> Result<String, Refusal> {
        let name = path.display();
        let text = read_text(path).map_err(|error| Refusal::File(format!("cannot read {name}: {error}")))?;
        let record: Record = text.parse().map_err(|error| Refusal::File(format!("{name}, {error}")))?;
        let made = record.moves().len() as i64;
        if let Some(allowed) = self.limit.filter(|&allowed| made > allowed) {
            return Err(Refusal::GameTooLong { allowed, made });
        }
        self.record = record;
        self.earlier = [0; 2];
        self.phase = self.dialect.fresh;
        self.thinker.new_game();
        let result = self.result().filter(|_| made > 0 && self.phase == Phase::Playing);
        Ok(result.map_or_else(String::new, |result| self.end(result)))
    }
}

/// The limit with which a game begins, in moves of both sides.
fn moves_of_both(dialect: &Dialect) -> Option<i64> {
    dialect.limit.map(|rounds| 2 * rounds)
}

/// The result by the board alone, or by the side to move having no move (§1).
fn decided(position: Position<8>) -> Option<Outcome> {
    match position.ending()? {
        Ending::Win(color) => Some(Outcome::Win(color)),
        Ending::Draw(_) => Some(Outcome::Draw),
    }
}
