//! Text of `calibrate match --help` after the options.

use std::fmt::Write;

use kingline::search::Params;
use kingline_players::help::GuidePage;
use kingline_players::play::LoaSettings;

use super::player::shortest;
use crate::options::help_end;

const PLAYERS: &str = r#"Players are JSON objects. Each field may be left out.

Checkers players:
  nodes      Nodes per move, a whole number, in place of the clock. Default: none; the clock applies.
  per_move   CPU seconds per move, 0 to 1000000, in place of a clock for the game. Default: none.
  threads    Threads of the search with per_move, 1 to 256; see below. Not with nodes. Default: 1.
  seconds    CPU seconds for the game, 0 to 1000000; using them up loses the game. Default: 0.
  frugality  Price of time. At 0, the clock is spent on strength alone; any other value gives a level and stable
             position 20 ms divided by that value, and other positions more. Default: 1.
  reference  true for the plain minimax that agents are graded against, which uses only `seconds`. Default: false.
  tables     Endgame tables: "embedded" for those in the program, or "none". Default: "embedded".
  evaluation Weights file, as written by `calibrate fit`. Default: the weights in the program.
  params     Search parameters to change; see below. Default: {}.
  program    Path of another program that plays by turn files, such as an earlier build of `homework`; see below. It
             takes only arguments, frugality (in its calibration.txt), and per_move or seconds. Default: none.
  arguments  Arguments of the program, a list of strings. Default: [].
  Example: '{"seconds": 60, "frugality": 0.5, "tables": "none", "params": {"prob_cut": null}}'

Lines of Action players:
  nodes      Nodes per move, a whole number, in place of the clock. Default: none; the clock applies.
  seconds    CPU seconds per move, 0 to 1000000. Default: 0.
  threads    Threads of the search, 1 to 256; see below. Not with nodes. Default: 1.
  evaluation Weights file for this size of board, as written by `calibrate fit`. Default: the weights in the program.
  settings   Settings to change: "search", the search parameters (see below); "solver", the share of a move's nodes or
             seconds spent looking for forced wins, 0 to 1. Default: {}.
  program    Path of another program that plays by the commands of 2020, such as an earlier build of `loa`; see below. It
             takes only arguments and seconds. Default: none.
  arguments  Arguments of the program, a list of strings. Default: [].
  Example: '{"nodes": 20000, "settings": {"solver": 0.1, "search": {"null_move": null}}}'

Parameters of the search, and their defaults; null turns a technique off. The documentation of
kingline::search::Params explains them:
"#;

const GAMES: &str = "
Programs: a checkers program runs once for each turn, in a temporary folder for each game. With per_move, input.txt asks
for a SINGLE turn, and the program knows nothing of the game; with seconds, it asks for a turn of a GAME, and the folder
keeps playdata.txt. A Lines of Action program runs once for each game, is started with --time=SECONDS, and gets the
opening by `set` commands; seconds are then wall time for both players, since `loa` keeps that. All CPU time of a
program's process counts, its launch (1 to 2 ms) included. A player in this process that meets a program thinks for as
long as `homework` or `loa` would. A move that takes 10 ms longer than its limit loses the game, whoever makes it. A
program that crashes or answers illegally ends the match with an error that names the game.
  Example: '{\"program\": \"old/homework\", \"per_move\": 0.02}' against '{\"program\": \"new/homework\", \"per_move\": 0.02}'

Threads: if a player names their number, both players' seconds are wall time. Then no other program may be busy: play one
game at a time, with --threads 1, and let no player have more threads than there are cores. A checkers player with
threads cannot meet a program.
  Example: '{\"seconds\": 0.2, \"threads\": 2}' '{\"seconds\": 0.2}' --game loa --threads 1

Openings are drawn at random from the seed. In checkers: eight random turns from the start, after which no jump is due
and a short search finds neither side more than 0.9 men ahead. In Lines of Action: four random moves. Each is played
twice, with colors exchanged. The same seed and nodes give the same games. With --level, openings that are not level by a
search of both players are replaced by others; for a program, the default player searches. A game of checkers is drawn
as its rules say: after 50 quiet turns, or at a repetition. A Lines of Action game is drawn after 200 moves in all.

--record writes a header and then a line of JSON for each game. The same command continues the match from there, also with
another number of openings or another test. A record of other players, programs, weights or engine is refused.

The output is about the first player:
  +12 =70 -18  points 47.0 % ± 5.8  course 51.0 %
      Games won, drawn and lost; the share of points, half a point for a draw, with its 95 % error bar; and the share
      if, as in the course, a drawn game goes to the player with more time left (checkers).
  pairs of 0 0.5 1 1.5 2 points: 4 9 26 11 0  Elo -20.9 ± 40.6
      Numbers of pairs by the points won in both games; the two games of an opening are a pair. Error bars are computed
      over pairs, since the games of a pair depend on each other. The difference in strength, in logistic Elo, with its
      95 % error bar; \"unknown\" if one player won all points.
  1.20 and 1.31 s a game, most 2.00 and 2.50; 39.34 and 42.95 ms a move; 61 turns a game
      CPU seconds per game of the first and the second player, mean and maximum; mean CPU milliseconds per move; the mean
      length of a game.
  3 drawn by quiet turns, 0 won positions not won, 0 and 0 out of time
      Draws by the 50-turn rule; games that a player did not win although its own search had announced a win; games
      lost on time by the first and by the second player.
  SPRT of 0 against 10 Elo: LLR -0.66, bounds -2.94 and 2.94: undecided after 50 pairs
      With --sprt: a sequential probability ratio test over pairs (pentanomial) with logistic Elo, as in fastchess.
      LLR is the logarithm of how much likelier the pairs are if the first player is 10 Elo stronger (H1) than if it is
      0 Elo stronger (H0). The match ends once it reaches a bound, and is undecided if the openings run out first.
      Openings count in order, so with nodes the result does not depend on the number of threads. Games of later
      openings that are under way at the end are not counted.

--json prints the same as one JSON object: games, wins, draws, losses, points, error, course (shares from 0 to 1), pairs
(five numbers), elo (null, or difference and error), seconds, most_seconds, seconds_per_move, turns, by_quiet_turns, missed_wins, late,
and sprt (null, or elo0, elo1, alpha, beta, llr, bounds, and verdict: \"H0\", \"H1\" or \"undecided\").

";

/// Describes the players' fields with units and defaults, the openings, and the output.
pub(crate) fn text() -> String {
    let [checkers, loa] =
        [Params::default(), LoaSettings::default().search].map(|params| shortest(params).unwrap_or_default());
    let mut text = PLAYERS.to_owned();
    for (name, value) in checkers.as_object().into_iter().flatten() {
        let other = loa.get(name).filter(|other| *other != value);
        let other = other.map_or(String::new(), |other| format!(" (Lines of Action: {other})"));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {name}: {value}{other}");
    }
    text + GAMES + &help_end(GuidePage::Learning)
}
