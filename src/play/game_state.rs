//! What is the game of a session, and what do commands do to it?

use std::fs;
use std::path::Path;

use super::session::Reply;
use super::thinker::Thought;
use crate::draw;
use crate::files::{UsedFile, check_different, read_text, write_whole};
use crate::game::{Color, Ending, Game, Outcome, ParseError};
use crate::loa::sgf::Record;
use crate::loa::{Move, Position, Square};
use crate::protocol::commands::{Command, Control, Dialect, Edits, Phase, Refusal, board};

/// A game with its players, as commands see it; who thinks for them is not here. It reads and prints nothing, except for
/// the files of `save` and `load`.
#[derive(Debug)]
pub struct GameState {
    dialect: &'static Dialect,
    phase: Phase,
    /// The moves that can be taken back, and the position before them.
    record: Record,
    /// Moves that were taken back, the last one first.
    undone: Vec<Move>,
    /// Moves made before those of the record, by side.
    earlier: [i64; 2],
    /// Moves of both sides after which the game is a tie.
    limit: Option<i64>,
    /// By side.
    players: [Control; 2],
    /// `save` must not replace these.
    used: Vec<UsedFile>,
}

impl GameState {
    /// A new board, Black manual, White automatic.
    pub(super) fn new(dialect: &'static Dialect) -> GameState {
        GameState {
            dialect,
            phase: dialect.fresh,
            record: Record::new(Position::start()),
            undone: Vec::new(),
            earlier: [0; 2],
            limit: moves_of_both(dialect),
            players: [Control::Manual, Control::Automatic],
            used: Vec::new(),
        }
    }

    /// With files that are in use, and that `save` must not replace.
    pub(super) fn with_used_files(self, used: Vec<UsedFile>) -> GameState {
        GameState { used, ..self }
    }

    /// The dialect of its commands.
    pub fn dialect(&self) -> &'static Dialect {
        self.dialect
    }

    /// The moves that can be taken back, the position before them, and the result.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// How many moves can be made again.
    pub fn undone(&self) -> usize {
        self.undone.len()
    }

    /// The board, and who moves next.
    pub fn position(&self) -> Position<8> {
        self.record.position()
    }

    /// Whether a game is in progress.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Who makes a side's moves.
    pub fn control(&self, color: Color) -> Control {
        self.players[color.index()]
    }

    /// Moves of each side after which the game is a tie.
    pub fn limit(&self) -> Option<i64> {
        self.limit.map(|limit| limit / 2)
    }

    /// The prompt for the next command (§3).
    pub fn prompt(&self) -> &'static str {
        match (self.phase, self.position().turn()) {
            (Phase::Playing, Color::Black) => "b> ",
            (Phase::Playing, Color::White) => "w> ",
            (Phase::Stopped | Phase::Over, _) => "-> ",
        }
    }

    /// The board for a person.
    fn drawn(&self) -> String {
        draw::framed(&self.position(), &draw::LOA)
    }

    /// What an automatic side has to think about: none unless a game is in progress and it is its turn.
    pub fn thought(&self) -> Option<Thought> {
        (self.phase == Phase::Playing && self.is_machines_turn()).then(|| self.question())
    }

    /// What is asked for by a hint: the move of a manual side.
    ///
    /// # Errors
    /// No game is in progress, or the machine is to move.
    pub fn hint(&self) -> Result<Thought, Refusal> {
        self.check_turn().map(|()| self.question())
    }

    /// Plays the move of an automatic side; without one, for want of a legal move, it has lost. The text to print.
    pub fn play_automatic(&mut self, mv: Option<Move>) -> String {
        let color = self.position().turn();
        match mv {
            Some(mv) => (self.dialect.moved)(color, mv) + &self.play(mv),
            None => self.end(Outcome::Win(!color)),
        }
    }

    /// Executes a command; what it does to the automatic players is left to others.
    ///
    /// # Errors
    /// The command is refused; nothing has changed.
    pub fn execute(&mut self, command: &Command) -> Result<Reply, Refusal> {
        let mut text = String::new();
        match *command {
            Command::New => self.set_up(),
            Command::Start => text = self.start()?,
            Command::Move { from, to } => text = self.move_by_hand(from, to)?,
            Command::Control(color, control) => {
                self.players[color.index()] = control;
                self.edited();
            }
            Command::Set { square, piece, next } => self.set(square, piece, next),
            Command::Position(position) => self.take_up(Record::new(position)),
            Command::Dump => text = board::dump(&self.position()),
            Command::Board => text = self.drawn(),
            Command::Print => return Ok(Reply::Aside(self.drawn())),
            Command::Seed(_) | Command::Time(_) => {}
            Command::Limit(rounds) => self.set_limit(rounds)?,
            Command::Undo => self.undo()?,
            Command::Redo => text = self.redo()?,
            Command::GoTo(moves) => text = self.go_to(moves)?,
            Command::Hint => return self.hint().map(Reply::Hint),
            Command::Save(ref path) => self.save(path)?,
            Command::Load(ref path) => text = self.load(path)?,
            Command::Help => return Ok(Reply::Aside(self.dialect.help.to_owned())),
            Command::Quit => return Ok(Reply::Quit),
        }
        Ok(Reply::Output(text))
    }

    /// Takes up another game; the players stay, and so does the limit. The text to print: its end, if it has ended.
    ///
    /// # Errors
    /// It has more moves than are allowed; nothing has changed.
    pub(super) fn take_up_game(&mut self, record: Record) -> Result<String, Refusal> {
        let made = record.moves().len() as i64;
        if let Some(allowed) = self.limit.filter(|&allowed| made > allowed) {
            return Err(Refusal::GameTooLong { allowed, made });
        }
        self.take_up(record);
        let result = self.result().filter(|_| made > 0 && self.phase == Phase::Playing);
        Ok(result.map_or_else(String::new, |result| self.end(result)))
    }

    fn question(&self) -> Thought {
        let plies = self.limit.and_then(|limit| u16::try_from(limit - self.made()).ok());
        Thought { history: self.record.history(), plies }
    }

    fn is_machines_turn(&self) -> bool {
        self.control(self.position().turn()) == Control::Automatic
    }

    /// Whether a person may move.
    fn check_turn(&self) -> Result<(), Refusal> {
        match self.phase {
            Phase::Playing if self.is_machines_turn() => Err(Refusal::MachinesTurn),
            Phase::Playing => Ok(()),
            Phase::Stopped | Phase::Over => Err(Refusal::NotPlaying(self.dialect.not_playing)),
        }
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

    /// Begins a game from the start, with the usual limit.
    fn set_up(&mut self) {
        self.take_up(Record::new(Position::start()));
        self.limit = moves_of_both(self.dialect);
    }

    fn take_up(&mut self, record: Record) {
        self.record = record;
        self.undone.clear();
        self.earlier = [0; 2];
        self.phase = self.dialect.fresh;
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
        self.check_turn()?;
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

    /// Plays a legal move; the text of the game's end, if it ends. What was taken back is gone.
    fn play(&mut self, mv: Move) -> String {
        self.undone.clear();
        self.play_on(mv)
    }

    fn play_on(&mut self, mv: Move) -> String {
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
        self.undone.clear();
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
        let is_manual = |position: &Position<8>| self.control(position.turn()) == Control::Manual;
        let earlier = &self.record.positions()[..self.record.moves().len()];
        let moves = earlier.iter().rposition(is_manual).ok_or(Refusal::NothingToTakeBack)?;
        self.take_back_to(moves);
        Ok(())
    }

    /// Makes moves that were taken back again, up to the next position with a manual side to move.
    fn redo(&mut self) -> Result<String, Refusal> {
        if self.undone.is_empty() {
            return Err(Refusal::NothingToMakeAgain);
        }
        let mut text = String::new();
        while let Some(mv) = self.undone.pop() {
            text += &self.play_on(mv);
            if self.phase == Phase::Over || !self.is_machines_turn() {
                break;
            }
        }
        Ok(text)
    }

    /// Goes to the position after this many moves of the game, those included that were taken back.
    fn go_to(&mut self, moves: usize) -> Result<String, Refusal> {
        let most = self.record.moves().len() + self.undone.len();
        if moves > most {
            return Err(Refusal::NoSuchPosition { moves, most });
        }
        if moves < self.record.moves().len() {
            self.take_back_to(moves);
        }
        let mut text = String::new();
        while self.record.moves().len() < moves && self.phase != Phase::Over {
            text += &self.undone.pop().map_or_else(String::new, |mv| self.play_on(mv));
        }
        Ok(text)
    }

    fn take_back_to(&mut self, moves: usize) {
        self.undone.extend(self.record.moves()[moves..].iter().rev());
        self.record.take_back_to(moves);
        if self.phase == Phase::Over {
            self.phase = Phase::Playing;
        }
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

    fn load(&mut self, path: &Path) -> Result<String, Refusal> {
        let name = path.display();
        let text = read_text(path).map_err(|error| Refusal::File(format!("cannot read {name}: {error}")))?;
        let record = text.parse().map_err(|error| Refusal::File(format!("{name}, {error}")))?;
        self.take_up_game(record)
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
