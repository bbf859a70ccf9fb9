use super::{Example, RecordFile, Shown, Step};
use crate::draw::{Board, Labels};
use crate::game::{Color, Game};
use crate::loa::{Move, Position, Square, sgf};

impl<const N: usize> Shown for Position<N> {
    const TITLE: &'static str = if N == 6 { "Lines of Action 6x6" } else { "Lines of Action" };
    const SCRIPT: &'static str = "loa";
    /// The 6x6 board counts its rows from the top (§1 of its contract).
    const LABELS: Labels = if N == 6 { Labels::FromTop } else { Labels::FromBottom };
    const BELOW: Color = Color::Black;
    const RULES: &'static [&'static str] = &[
        "Each side tries to connect all its pieces. Black moves first. Drag a piece, or click it and then one of the \
         marked squares. The page shows each line of movement with the number of pieces on it.",
    ];
    const EXAMPLES: &'static [Example] = if N == 6 { &SMALL_EXAMPLES } else { &EXAMPLES };
    const RECORD: RecordFile = RecordFile { name: "game.sgf", kind: "application/x-go-sgf; charset=utf-8" };

    fn steps(&self, mv: Move) -> Vec<Step> {
        let line = line::<N>(mv);
        let count = line.iter().filter(|&&square| self.at(square).is_some()).count();
        let names = |squares: &[Square]| squares.iter().map(|&square| name::<N>(square)).collect();
        vec![Step { path: names(&[mv.from(), mv.to()]), line: names(&line), count, captures: self.captures(mv) }]
    }

    fn way(&self, path: &[&str]) -> Option<Step> {
        let square = |name: &&str| Square::all::<N>().find(|&square| self::name::<N>(square) == **name);
        let &[from, to] = path else { return None };
        self.steps(Move { from: square(&from)?, to: square(&to)? }).pop()
    }

    fn written(&self, mv: Move) -> String {
        format!("{}-{}", name::<N>(mv.from()), name::<N>(mv.to()))
    }

    fn words(&self, mv: Move) -> String {
        let end = if self.captures(mv) { ", captures" } else { "" };
        format!("{} {} to {}{end}", self.turn(), name::<N>(mv.from()), name::<N>(mv.to()))
    }

    fn groups(&self, side: Color) -> Option<Vec<Vec<String>>> {
        let mut left: Vec<Square> =
            self.placed().filter(|&(_, color)| color == side).map(|(square, _)| square).collect();
        let mut groups = Vec::new();
        while let Some(first) = left.pop() {
            let mut group = vec![first];
            let mut next = 0;
            while let Some(&square) = group.get(next) {
                next += 1;
                let is_near = |other: &Square| {
                    square.column().abs_diff(other.column()) <= 1 && square.row().abs_diff(other.row()) <= 1
                };
                let (near, far): (Vec<Square>, Vec<Square>) = left.into_iter().partition(is_near);
                group.extend(near);
                left = far;
            }
            groups.push(group.into_iter().map(name::<N>).collect());
        }
        Some(groups)
    }

    fn must_capture(&self) -> bool {
        false
    }

    fn record(start: Self, moves: &[Move], names: &[String; 2]) -> String {
        let mut record = sgf::Record::new(start);
        record.set_about(sgf::About { players: names.clone(), ..sgf::About::default() });
        moves.iter().for_each(|&mv| record.play(mv));
        record.to_string()
    }
}

const LINE: &str = "A piece moves along a row, a column or a diagonal, exactly as many squares as there are pieces on the \
                    whole line, of both colors, including itself. There are three pieces on this row, so the piece moves \
                    three squares to the right.";
const BLOCKED: &str = "A piece may jump over its own side's pieces, but not over the other side's. There are two pieces on \
                       this row, so the white piece would move two squares, but a black piece blocks its way to the left.";
const CAPTURE: &str = "A piece captures a piece of the other side by landing on it. There are two pieces on this diagonal, and \
                       the white one is two squares away.";
const CONNECTED: &str = "A side wins by connecting all its pieces, along edges or at corners. Here Black has won. If a move \
                         connects both sides, the side that moved wins. It also wins if the other side has no move.";

const EXAMPLES: [Example; 4] = [
    Example {
        text: LINE,
        position: "--------/--------/--------/--------/b-b--w--/--------/--------/-------- black",
        path: &["c4", "f4"],
    },
    Example {
        text: BLOCKED,
        position: "--------/--------/--------/--------/--bw----/--------/--------/-------- white",
        path: &["d4", "b4"],
    },
    Example {
        text: CAPTURE,
        position: "--------/--------/--------/----w---/--------/--b-----/--------/-------- black",
        path: &["c3", "e5"],
    },
    Example {
        text: CONNECTED,
        position: "--------/--------/---b----/--bb----/----b---/w-----w-/--------/---w---- white",
        path: &[],
    },
];

const SMALL_EXAMPLES: [Example; 4] = [
    Example { text: LINE, position: "------/------/------/b-b--w/------/------ black", path: &["C4", "F4"] },
    Example { text: BLOCKED, position: "------/------/------/-bw---/------/------ white", path: &["C4", "A4"] },
    Example { text: CAPTURE, position: "------/------/---w--/------/-b----/------ black", path: &["B5", "D3"] },
    Example { text: CONNECTED, position: "--b---/-bb---/---b--/w---w-/------/--w--- white", path: &[] },
];

fn name<const N: usize>(square: Square) -> String {
    Position::<N>::square(square.column(), square.row())
}

/// Returns the squares of a move's line, from one end of the board to the other.
fn line<const N: usize>(mv: Move) -> Vec<Square> {
    let place = |square: Square| (square.column() as isize, square.row() as isize);
    let ((column, row), (to_column, to_row)) = (place(mv.from()), place(mv.to()));
    let (right, up) = ((to_column - column).signum(), (to_row - row).signum());
    let at = |steps: isize| {
        let column = usize::try_from(column + steps * right).ok().filter(|&column| column < N)?;
        let row = usize::try_from(row + steps * up).ok().filter(|&row| row < N)?;
        Square::at(column, row)
    };
    let longest = Position::<N>::SIZE as isize;
    (-longest..=longest).filter_map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step<const N: usize>(position: &Position<N>, mv: Move) -> Step {
        position.steps(mv).swap_remove(0)
    }

    fn moves_as_far_as_there_are_pieces<const N: usize>() {
        let position = Position::<N>::start();
        for mv in position.legal_moves() {
            let step = step(&position, mv);
            let place = |name: &String| step.line.iter().position(|square| square == name).expect("on its line");
            assert_eq!(place(&step.path[0]).abs_diff(place(&step.path[1])), step.count, "{step:?}");
        }
    }

    #[test]
    fn a_piece_moves_as_far_as_there_are_pieces_on_its_line() {
        moves_as_far_as_there_are_pieces::<6>();
        moves_as_far_as_there_are_pieces::<8>();
        let position = Position::<8>::start();
        let mv = position.parse_move("b1-h1").expect("a move");
        let step = step(&position, mv);
        assert_eq!(step.line, ["a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1"]);
        assert_eq!((step.count, position.words(mv).as_str()), (6, "Black b1 to h1"));
    }

    #[test]
    fn the_small_board_counts_rows_from_the_top() {
        let position = Position::<6>::start();
        let mv = position.parse_move("d6-b4").expect("a move");
        assert_eq!((position.written(mv), position.words(mv)), ("D1-B3".into(), "Black D1 to B3".into()));
        assert_eq!(step(&position, mv).path, ["D1", "B3"]);
    }

    #[test]
    fn groups_are_connected_pieces() {
        let position: Position<8> = "bb------/--b-----/-----b--/--------/w-------/--------/--------/-------w black"
            .parse()
            .expect("a position");
        let sizes = |side| {
            let mut sizes: Vec<usize> = position.groups(side).expect("groups").iter().map(Vec::len).collect();
            sizes.sort_unstable();
            sizes
        };
        assert_eq!((sizes(Color::Black), sizes(Color::White)), (vec![1, 3], vec![1, 1]));
    }
}
