//! Samples as constants, for programs that embed them.

/// Defines a constant for each file.
macro_rules! files {
    ($($name:ident: $file:literal)*) => {$(
        #[doc = concat!("`samples/", $file, "`.")]
        pub(crate) const $name: &str = include_str!(concat!("../samples/", $file));
    )*};
}

files! {
    ALL_BUT_BLOCKED: "all-but-blocked/input.txt"
    BETWEEN_TWO_KINGS: "between-two-kings/input.txt"
    CRLF: "crlf/input.txt"
    CROWNED: "crowned/input.txt"
    CROWNING_ROW: "crowning-row/input.txt"
    DOUBLE_JUMP: "double-jump/input.txt"
    FIRST_MOVE: "first-move/input.txt"
    KING_BACK: "king-back/input.txt"
    KING_CIRCLE: "king-circle/input.txt"
    KING_RING: "king-ring/input.txt"
    LAST_PIECE: "last-piece/input.txt"
    LOST: "lost/input.txt"
    LURED: "lured/input.txt"
    NEVER_BACK: "never-back/input.txt"
    NO_JUMP: "no-jump/input.txt"
    ONE_MOVE: "one-move/input.txt"
    OPENING: "opening/input.txt"
    SHORT_OR_LONG: "short-or-long/input.txt"
    TEN_MILLISECONDS: "ten-milliseconds/input.txt"
    THREE_JUMPS: "three-jumps/input.txt"
    TWELVE_KINGS: "twelve-kings/input.txt"
    WIN_IN_ONE: "win-in-one/input.txt"
    GRADING_BUDGETS: "grading/budgets.txt"
    LOA_2015_CAPTURE_JOINS_THE_ENEMY: "loa/2015-capture-joins-the-enemy.in"
    LOA_2015_JOINED_AT_START: "loa/2015-joined-at-start.in"
    LOA_2020_BLACK_WINS: "loa/2020-black-wins.in"
    LOA_2020_BOTH_JOINED: "loa/2020-both-joined.in"
    LOA_2020_CAPTURE_JOINS_THE_ENEMY: "loa/2020-capture-joins-the-enemy.in"
    LOA_2020_JOINED_BY_SET: "loa/2020-joined-by-set.in"
    LOA_2020_LAST_MOVE_WINS: "loa/2020-last-move-wins.in"
    LOA_2020_NO_MOVE: "loa/2020-no-move.in"
    LOA_2020_TIE: "loa/2020-tie.in"
    LOA6_ALONE: "loa6/alone.request"
    LOA6_BOTH_CONNECTED: "loa6/both-connected.request"
    LOA6_CONNECTED: "loa6/connected.request"
    LOA6_LONGEST_DEFENSE: "loa6/longest-defense.request"
    LOA6_ONE_MOVE: "loa6/one-move.request"
    LOA6_ONLY_DEFENSE: "loa6/only-defense.request"
    LOA6_SIX_WINS: "loa6/six-wins.request"
    LOA6_WIN_IN_ONE: "loa6/win-in-one.request"
}
