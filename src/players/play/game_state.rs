use std::fs;
use std::path::Path;

use super::reply::{Help, Reply, Shown, Thought};
use crate::files::{FileKind, UsedFile, check_different, check_target, read_text, write_whole};
use crate::protocol::commands::{Command, Control, Dialect, Edits, Phase, Refusal, grammar};
use kingline::draw;
use kingline::game::{Color, Ending, Game, Outcome, ParseError};
use kingline::loa::sgf::Record;
use kingline::loa::{Move, Position, Square};

/// State of a game and its players, which commands change. It does not choose moves, and accesses files only for `load`
/// and `save`.
#[derive(Debug)]
pub struct GameState {
    dialect: &'static Dialect,
    /// True if `analyze` and `stop` are understood.
    pub analyzes: bool,
    phase: Phase,
    /// Number of games and positions taken up, with this one.
    serial: u64,
    /// Moves that can be undone, and the position before them.
    record: Record,
    /// Undone moves, latest first.
    undone: Vec<Move>,
    /// Number of moves made before the record begins, by side.
    earlier: [i64; 2],
    /// Number of moves of both sides after which the game is a tie.
    limit: Option<i64>,
    /// Source of moves, by side.
    players: [Control; 2],
    /// True if the board is printed after each move.
    autoprints: bool,
    /// Files that `save` must not replace.
    pub(super) used: Vec<UsedFile>,
}

impl GameState {
    /// New board, Black manual, White automatic.
    pub(super) fn new(dialect: &'static Dialect) -> GameState {
        GameState {
            dialect,
            analyzes: false,
            phase: dialect.fresh,
            serial: 1,
            record: Record::new(Position::start()),
            undone: Vec::new(),
            earlier: [0; 2],
            limit: moves_of_both(dialect),
            players: [Control::Manual, Control::Automatic],
            autoprints: false,
            used: Vec::new(),
        }
    }

    /// Reads a command; `None` if there is none.
    ///
    /// # Errors
    /// The line is not a command, or its operands are wrong.
    pub fn read(&self, line: &str) -> Result<Option<Command>, Refusal> {
        self.dialect.read_with(self.analyzes, line)
    }

    /// Dialect of the commands.
    pub fn dialect(&self) -> &'static Dialect {
        self.dialect
    }

    /// Number of games and positions taken up since the session began, with this one.
    pub fn serial(&self) -> u64 {
        self.serial
    }

    /// Moves that can be undone, the position before them, and the result.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// Number of moves that can be redone.
    pub fn undone(&self) -> usize {
        self.undone.len()
    }

    /// Board and side to move.
    pub fn position(&self) -> Position<8> {
        self.record.position()
    }

    /// Phase of the game.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Source of a side's moves.
    pub fn control(&self, color: Color) -> Control {
        self.players[color.index()]
    }

    /// Returns true if the machine plays both sides.
    pub(crate) fn plays_alone(&self) -> bool {
        self.players == [Control::Automatic; 2]
    }

    /// Number of moves of each side after which the game is a tie.
    pub fn limit(&self) -> Option<i64> {
        self.limit.map(|limit| limit / 2)
    }

    /// Prompt for the next command (§3).
    pub fn prompt(&self) -> &'static str {
        match (self.phase, self.position().turn()) {
            (Phase::Playing, Color::Black) => "b> ",
            (Phase::Playing, Color::White) => "w> ",
            (Phase::Stopped | Phase::Over, _) => "-> ",
        }
    }

    /// Board to show to a person.
    pub fn shown(&self) -> Shown {
        Shown { position: self.position(), last: self.record.moves().last().copied() }
    }

    /// Position in which an automatic side has to move; `None` if no game is in progress or a manual side is to move.
    pub fn thought(&self) -> Option<Thought> {
        (self.phase == Phase::Playing && self.is_machines_turn()).then(|| self.question())
    }

    /// Position for a hint, in which a manual side has to move.
    ///
    /// # Errors
    /// No game is in progress, or the machine is to move.
    pub fn hint(&self) -> Result<Thought, Refusal> {
        self.check_turn().map(|()| self.question())
    }

    /// Position to analyze, in a game or before it, whoever is to move.
    ///
    /// # Errors
    /// The game is over, or no move is legal.
    pub fn analysis(&self) -> Result<Thought, Refusal> {
        match self.phase {
            Phase::Over => Err(Refusal::NotPlaying(self.dialect.not_playing)),
            _ if self.position().legal_moves().is_empty() => Err(Refusal::NothingToAnalyze),
            Phase::Playing | Phase::Stopped => Ok(self.question()),
        }
    }

    /// Plays the move of an automatic side, and returns the text to print. A side without a move has lost.
    pub(crate) fn play_automatic(&mut self, mv: Option<Move>) -> String {
        let color = self.position().turn();
        match mv {
            Some(mv) => (self.dialect.moved)(color, mv) + &self.play(mv),
            None => self.end(Outcome::Win(!color)),
        }
    }

    /// Executes a command, except for its effect on the automatic players.
    ///
    /// # Errors
    /// The command is refused; nothing has changed.
    pub fn execute(&mut self, command: &Command) -> Result<Reply, Refusal> {
        let mut text = String::new();
        match *command {
            Command::New => self.set_up(),
            Command::Start => text = self.start(),
            Command::Move { from, to } => text = self.move_by_hand(from, to)?,
            Command::Control(color, control) => {
                self.players[color.index()] = control;
                self.edited();
            }
            Command::Set { square, piece, next } => self.set(square, piece, next),
            Command::Position(position) => self.take_up(Record::new(position)),
            Command::Dump => text = grammar::dump(&self.position()),
            Command::Board => return Ok(Reply::Board(self.shown())),
            Command::AutoPrint => self.autoprints = true,
            Command::Print => return Ok(Reply::Print(self.shown())),
            // Nothing is left to end: the analysis ended when the line arrived.
            Command::Stop => {}
            Command::Seed(_) | Command::Time(_) => {}
            Command::Limit(rounds) => self.set_limit(rounds)?,
            Command::Undo => self.undo()?,
            Command::Redo => text = self.redo()?,
            Command::GoTo(moves) => text = self.go_to(moves)?,
            Command::Moves => return self.list_moves().map(Reply::Aside),
            Command::Hint => return self.hint().map(Reply::Hint),
            Command::Analyze => return self.analysis().map(Reply::Analysis),
            Command::Save(ref path) => return self.save(path),
            Command::Load(ref path) => text = self.load(path)?,
            Command::Help => return Ok(Reply::Help(self.help())),
            Command::Quit => return Ok(Reply::Quit),
        }
        Ok(Reply::Output(text))
    }

    /// Continues another game with the same players and limit. Returns the text to print: the game's end, if any.
    pub(super) fn take_up_game(&mut self, record: Record) -> Result<String, Refusal> {
        let made = record.moves().len() as i64;
        if let Some(allowed) = self.limit.filter(|&allowed| made > allowed) {
            return Err(Refusal::GameTooLong { allowed, made });
        }
        self.take_up(record);
        let result = self.result().filter(|_| made > 0 && self.phase == Phase::Playing);
        Ok(result.map_or_else(String::new, |result| self.end(result)))
    }

    fn help(&self) -> Help {
        let commands = self.dialect.help(self.analyzes) + "\n" + &self.dialect.players(self.players) + SCORES;
        Help { rules: self.dialect.rules(), commands }
    }

    /// Lists the legal moves of the side to move, one line per piece.
    fn list_moves(&self) -> Result<String, Refusal> {
        if self.phase != Phase::Playing {
            return Err(Refusal::NotPlaying(self.dialect.not_playing));
        }
        let list = self.position().legal_moves();
        let by_piece = list.chunk_by(|one, other| one.from() == other.from());
        let lines = by_piece.map(|moves| moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ") + "\n");
        Ok(if list.is_empty() { "no legal move\n".to_owned() } else { lines.collect() })
    }

    fn question(&self) -> Thought {
        let plies = self.limit.and_then(|limit| u16::try_from(limit - self.made()).ok());
        Thought { history: self.record.history(), plies }
    }

    fn is_machines_turn(&self) -> bool {
        self.control(self.position().turn()) == Control::Automatic
    }

    fn check_turn(&self) -> Result<(), Refusal> {
        match self.phase {
            Phase::Playing if self.is_machines_turn() => Err(Refusal::MachinesTurn),
            Phase::Playing => Ok(()),
            Phase::Stopped | Phase::Over => Err(Refusal::NotPlaying(self.dialect.not_playing)),
        }
    }

    fn made(&self) -> i64 {
        self.made_by_side().iter().sum()
    }

    /// Number of moves of each side since the start of the game.
    fn made_by_side(&self) -> [i64; 2] {
        let mut made = self.earlier;
        for position in &self.record.positions()[..self.record.moves().len()] {
            made[position.turn().index()] += 1;
        }
        made
    }

    /// Starts a game from the start position, with the default limit.
    fn set_up(&mut self) {
        self.take_up(Record::new(Position::start()));
        self.limit = moves_of_both(self.dialect);
    }

    fn take_up(&mut self, record: Record) {
        self.serial += 1;
        self.record = record;
        self.undone.clear();
        self.earlier = [0; 2];
        self.phase = self.dialect.fresh;
    }

    /// Starts play, unless the position is decided: then returns the text of that result, also after the game (§4).
    fn start(&mut self) -> String {
        if self.phase == Phase::Playing {
            return String::new();
        }
        if let Some(ending) = self.position().ending() {
            return (self.dialect.ended)(ending.outcome());
        }
        self.phase = Phase::Playing;
        String::new()
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

    /// Plays a legal move and discards undone moves. Returns the text to print: the board after `autoprint`, and the
    /// game's end, if it ends.
    fn play(&mut self, mv: Move) -> String {
        self.undone.clear();
        let end = self.play_on(mv);
        let board = if self.autoprints { draw::framed(&self.position(), &draw::LOA) } else { String::new() };
        board + &end
    }

    fn play_on(&mut self, mv: Move) -> String {
        self.record.play(mv);
        self.result().map_or_else(String::new, |result| self.end(result))
    }

    /// Result after the last move. On the last allowed move, a win takes precedence over a tie (§1).
    fn result(&self) -> Option<Outcome> {
        let tie = self.limit.is_some_and(|limit| self.made() >= limit).then_some(Outcome::Draw);
        self.position().ending().map(Ending::outcome).or(tie)
    }

    fn end(&mut self, result: Outcome) -> String {
        self.phase = Phase::Over;
        self.record.set_result(Some(result));
        (self.dialect.ended)(result)
    }

    /// Changes a square. The move count stays, and the game does not end: only a move can end it (§3).
    fn set(&mut self, square: Square, piece: Option<Color>, next: Option<Color>) {
        let position = self.position();
        let others = position.placed().filter(|&(other, _)| other != square);
        let placed = others.chain(piece.map(|color| (square, color)));
        self.earlier = self.made_by_side();
        self.serial += 1;
        self.record = Record::new(Position::new(next.unwrap_or(position.turn()), placed));
        self.undone.clear();
        self.edited();
    }

    fn edited(&mut self) {
        if self.dialect.edits == Edits::Stop {
            self.phase = Phase::Stopped;
        }
    }

    /// Sets the limit, which must exceed the number of moves made by either player (§3).
    fn set_limit(&mut self, rounds: i64) -> Result<(), Refusal> {
        let made = self.made_by_side().into_iter().max().unwrap_or(0);
        if rounds <= made {
            return Err(Refusal::LimitTooSmall { rounds, made });
        }
        // After the end of a game the command has no effect (§3).
        if self.phase != Phase::Over {
            self.limit = Some(rounds.saturating_mul(2));
        }
        Ok(())
    }

    /// Goes back to the last position with a manual side to move. A finished game continues.
    fn undo(&mut self) -> Result<(), Refusal> {
        let is_manual = |position: &Position<8>| self.control(position.turn()) == Control::Manual;
        let earlier = &self.record.positions()[..self.record.moves().len()];
        let moves = earlier.iter().rposition(is_manual).ok_or(Refusal::NothingToUndo)?;
        self.take_back_to(moves);
        Ok(())
    }

    /// Redoes moves up to the next position with a manual side to move.
    fn redo(&mut self) -> Result<String, Refusal> {
        if self.undone.is_empty() {
            return Err(Refusal::NothingToRedo);
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

    /// Goes to the position after the first `moves` moves, which may include undone ones.
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

    /// Writes the game to a file. Tells if that replaces an earlier game; replaces nothing else.
    fn save(&self, path: &Path) -> Result<Reply, Refusal> {
        let files: Vec<UsedFile> = self.used.iter().cloned().chain([UsedFile::named("FILE", path)]).collect();
        check_different(&[], &files).map_err(|error| Refusal::File(error.to_string()))?;
        // `save` must not replace a device with a file.
        if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
            return Err(Refusal::File(format!("cannot write {}: not a regular file", path.display())));
        }
        let is_game = fs::metadata(path).is_ok_and(|there| there.len() > 0);
        check_target(path, SAVED_GAME).map_err(|error| Refusal::File(format!("{error:#}")))?;
        write_whole(path, self.record.to_string().as_bytes()).map_err(|error| Refusal::File(format!("{error:#}")))?;
        Ok(match is_game {
            true => Reply::Aside(format!("replaced the game in {}\n", path.display())),
            false => Reply::Output(String::new()),
        })
    }

    fn load(&mut self, path: &Path) -> Result<String, Refusal> {
        let name = path.display();
        let text = read_text(path).map_err(|error| Refusal::File(format!("cannot read {name}: {error}")))?;
        let record = text.parse().map_err(|error| Refusal::File(format!("{name}, {error}")))?;
        self.take_up_game(record)
    }
}

/// Explanation of scores such as that of a hint.
const SCORES: &str = "A score such as +0.10 is for the side to move: 0 is about even, and +1.00 is
worth about 9 points of 10.
";

const SAVED_GAME: FileKind = FileKind { name: "a saved game", is_start: |start| start.starts_with(b"(;") };

/// Limit at the start of a game, in moves of both sides.
fn moves_of_both(dialect: &Dialect) -> Option<i64> {
    dialect.limit.map(|rounds| 2 * rounds)
}
