//! Plays the first legal turn: a complete jump if there is one.

use std::fs;

struct Board {
    squares: Vec<Vec<u8>>,
    black: bool,
}

/// Row and column, from the upper left.
type Square = (i32, i32);

impl Board {
    fn at(&self, (row, column): Square) -> u8 {
        let row = usize::try_from(row).ok().and_then(|row| self.squares.get(row));
        let square = row.and_then(|row| row.get(usize::try_from(column).ok()?));
        square.copied().unwrap_or(b'#')
    }

    fn set(&mut self, (row, column): Square, piece: u8) {
        self.squares[row as usize][column as usize] = piece;
    }

    fn is_own(&self, piece: u8) -> bool {
        piece.to_ascii_lowercase() == if self.black { b'b' } else { b'w' }
    }

    fn ways(&self, piece: u8) -> Vec<Square> {
        let ahead = if self.black { 1 } else { -1 };
        let all = [(ahead, -1), (ahead, 1), (-ahead, -1), (-ahead, 1)];
        all[..if piece.is_ascii_uppercase() { 4 } else { 2 }].to_vec()
    }

    fn jump(&mut self, from: Square) -> String {
        let piece = self.at(from);
        for (down, right) in self.ways(piece) {
            let (over, to) = ((from.0 + down, from.1 + right), (from.0 + 2 * down, from.1 + 2 * right));
            let taken = self.at(over);
            if taken == b'.' || taken == b'#' || self.is_own(taken) || self.at(to) != b'.' {
                continue;
            }
            self.set(from, b'.');
            self.set(over, b'.');
            self.set(to, piece);
            let crowned = piece.is_ascii_lowercase() && to.0 == if self.black { 7 } else { 0 };
            let rest = if crowned { String::new() } else { self.jump(to) };
            return format!("J {} {}\n{rest}", name(from), name(to));
        }
        String::new()
    }

    fn step(&self, from: Square) -> String {
        let ways = self.ways(self.at(from)).into_iter();
        let mut free = ways.map(|(down, right)| (from.0 + down, from.1 + right)).filter(|&to| self.at(to) == b'.');
        free.next().map_or(String::new(), |to| format!("E {} {}\n", name(from), name(to)))
    }
}

fn name((row, column): Square) -> String {
    format!("{}{}", char::from(b'a' + column as u8), 8 - row)
}

fn main() {
    let input = fs::read_to_string("input.txt").expect("input.txt");
    let lines: Vec<&str> = input.lines().collect();
    let squares = lines[3..11].iter().map(|line| line.as_bytes().to_vec()).collect();
    let mut board = Board { squares, black: lines[1] == "BLACK" };
    let all = (0..8).flat_map(|row| (0..8).map(move |column| (row, column)));
    let own: Vec<Square> = all.filter(|&square| board.is_own(board.at(square))).collect();
    let jump = own.iter().map(|&from| board.jump(from)).find(|turn| !turn.is_empty());
    let turn = jump.or_else(|| own.iter().map(|&from| board.step(from)).find(|turn| !turn.is_empty()));
    fs::write("output.txt", turn.expect("a legal turn")).expect("output.txt");
}
