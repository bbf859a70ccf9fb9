use super::{Example, RecordFile, Shown, Step};
use crate::checkers::{Move, Position, Route, Square, pdn};
use crate::draw::Labels;
use crate::game::{Color, Game};

impl Shown for Position {
    const TITLE: &'static str = "Checkers";
    const SCRIPT: &'static str = "checkers";
    const LABELS: Labels = Labels::FromBottom;
    const BELOW: Color = Color::White;
    const RULES: &'static [&'static str] = &[
        "Each side tries to capture or block all pieces of the other. Black moves first. Drag a piece, or click it and \
         then one of the marked squares. In a capture of several pieces, choose square by square, or the last square if \
         only one way leads there.",
        "The game is drawn after 50 turns of both sides together without a capture or a crowning, or when a position \
         occurs for the third time.",
    ];
    const EXAMPLES: &'static [Example] = &EXAMPLES;
    const RECORD: RecordFile = RecordFile { name: "game.pdn", kind: "text/plain; charset=utf-8" };

    fn steps(&self, mv: Move) -> Vec<Step> {
        let step = |route: Route| Step {
            path: route.squares().iter().map(|square: &Square| square.to_string()).collect(),
            captures: route.is_jump(),
            ..Step::default()
        };
        Route::all(self, mv).into_iter().map(step).collect()
    }

    fn way(&self, path: &[&str]) -> Option<Step> {
        super::steps(self).into_iter().map(|(step, _)| step).find(|step| step.path == path)
    }

    fn written(&self, mv: Move) -> String {
        Route::of(self, mv).to_string()
    }

    fn words(&self, mv: Move) -> String {
        let route = Route::of(self, mv);
        let squares: Vec<String> = route.squares().iter().map(ToString::to_string).collect();
        let end = if self.play(mv).kings(self.turn()) > self.kings(self.turn()) { ", crowned" } else { "" };
        let taken = match mv.captures() {
            0 => String::new(),
            1 => ", captures".to_owned(),
            several => format!(", captures {several}"),
        };
        format!("{} {}{taken}{end}", self.turn(), squares.join(" to "))
    }

    fn groups(&self, _: Color) -> Option<Vec<Vec<String>>> {
        None
    }

    fn must_capture(&self) -> bool {
        self.must_jump()
    }

    fn record(start: Self, moves: &[Move], names: &[String; 2]) -> String {
        let mut record = pdn::Record::new(start);
        for (tag, name) in ["Black", "White"].into_iter().zip(names) {
            // A name that cannot be written in a tag is left out.
            let _ = record.set_tag(tag, name);
        }
        // The moves are legal.
        let _ = moves.iter().try_for_each(|&mv| record.push(mv));
        record.to_string()
    }
}

const EXAMPLES: [Example; 4] = [
    Example {
        text: "A man moves diagonally forward by one square: Black's men down the board, White's up.",
        position: "B:W31:B10",
        path: &["d6", "e5"],
    },
    Example {
        text: "A piece captures by jumping over an adjacent piece of the other side onto the empty square behind it. If it \
         can go on capturing from there, it must. If any capture is possible, one must be made, by any of the pieces that \
         can.",
        position: "B:W14,23:B9",
        path: &["b6", "d4", "f2"],
    },
    Example {
        text: "A man that reaches the last row becomes a king, and its turn ends. A king also moves and captures backward.",
        position: "W:WK18:B23",
        path: &["d4", "f2"],
    },
    Example {
        text: "A side wins if the other side has no piece, or no move in its turn. Here White's man is blocked, and Black has \
         won.",
        position: "W:W21:B14,17",
        path: &[],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_of_captures_is_a_way_of_the_move() {
        // A king takes four men in a circle, in either direction.
        let position: Position = "B:W18,19,26,27:BK15".parse().expect("a position");
        let mv = position.legal_moves()[0];
        let paths: Vec<Vec<String>> = position.steps(mv).into_iter().map(|step| step.path).collect();
        assert_eq!(mv.captures(), 4);
        assert_eq!(paths.len(), 2, "{paths:?}");
        assert!(paths.iter().all(|path| path.len() == 5 && path[0] == path[4]), "{paths:?}");
    }

    #[test]
    fn moves_are_told_in_words() {
        for (position, mv, words) in [
            ("B:W21:B9", "9-13", "Black b6 to a5"),
            ("B:W18,27,30:B14", "14x32", "Black c5 to e3 to g1, captures 2, crowned"),
            ("W:W9:B1,K31", "9-6", "White b6 to c7"),
        ] {
            let position: Position = position.parse().expect("a position");
            let Ok(mv) = position.parse_move(mv) else { panic!("{mv}: {:?}", position.legal_moves()) };
            assert_eq!(position.words(mv), words);
        }
    }

    #[test]
    fn a_record_has_the_names_of_the_players() {
        let start = Position::start();
        let mv = start.parse_move("9-13").expect("a move");
        let text = Position::record(start, &[mv], &["an agent".into(), "human".into()]);
        assert!(text.contains("[Black \"an agent\"]") && text.contains("1. 9-13"), "{text}");
    }
}
