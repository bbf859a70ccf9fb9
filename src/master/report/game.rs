//! What is on the page of a game? Its turns with their clocks, its board, and why it ended.

use std::fmt::{self, Display};
use std::time::Duration;

use super::Tournament;
use super::chart;
use super::film::ShownGame;
use super::names::Name;
use super::page::{Root, html};
use super::text::{Points, Text, cut};
use crate::draw::{Drawing, SHAPES};
use crate::game::Color;
use crate::master::clock_rules::ClockRules;
use crate::master::record::{ChosenBy, EndReason, GameRecord, Turn};
use crate::master::store::{GameId, Summary};
use crate::master::transcript;

/// The most characters of an agent's text that a page shows.
pub(super) const SHOWN: usize = 240;

/// The file of a game's page, from the top of the site.
pub(super) fn file(GameId(id): GameId) -> String {
    format!("games/{id}.html")
}

/// The title of a game's page.
pub(super) fn title(summary: &Summary, names: &[Name]) -> String {
    let [black, white] = summary.agents.map(|agent| &names[agent].shown);
    format!("Game {}: {black} against {white}", summary.id.0)
}

/// The page of a game.
pub(super) struct GamePage<'a> {
    pub(super) tournament: &'a Tournament,
    pub(super) names: &'a [Name],
    /// Its index among the games.
    pub(super) index: usize,
    pub(super) record: &'a GameRecord,
    /// The time that Black and White used, as it counts.
    pub(super) used: [Duration; 2],
}

/// A row of the table of turns.
struct TurnRow<'a> {
    number: usize,
    side: Color,
    /// The move as agents write it; `None`: there was none.
    mv: Option<&'a str>,
    /// The board after the move, if there was one.
    board: Option<&'a str>,
    /// `None`: it belongs to the opening.
    turn: Option<&'a Turn>,
}

impl GamePage<'_> {
    fn summary(&self) -> &Summary {
        &self.tournament.games[self.index]
    }

    fn clock(&self) -> &ClockRules {
        &self.tournament.league.clock
    }

    fn player(&self, side: Color) -> &Name {
        &self.names[self.summary().agents[side.index()]]
    }

    /// All turns; without a shown game the moves are as the record has them.
    fn rows<'a>(&'a self, shown_game: Option<&'a ShownGame>) -> Vec<TurnRow<'a>> {
        let opening = self.record.opening.iter().map(|mv| (None, Some(mv)));
        let turns = self.record.turns.iter().map(|turn| (Some(turn), turn.mv.as_ref()));
        let mut side = shown_game.map_or(Color::Black, |shown_game| shown_game.first);
        let mut rows = Vec::new();
        let mut made = 0;
        for (turn, mv) in opening.chain(turns) {
            let shown = shown_game.and_then(|shown_game| shown_game.moves.get(made)).or(mv).filter(|_| mv.is_some());
            let board = shown_game.and_then(|shown_game| shown_game.boards.get(made + 1)).filter(|_| mv.is_some());
            side = turn.map_or(side, |turn| turn.side);
            rows.push(TurnRow {
                number: rows.len() + 1,
                side,
                mv: shown.map(String::as_str),
                board: board.map(String::as_str),
                turn,
            });
            made += usize::from(mv.is_some());
            side = !side;
        }
        rows
    }
}

impl Display for GamePage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown_game = ShownGame::of(self.record);
        let rows = self.rows(shown_game.as_ref().ok());
        self.head(f)?;
        f.write_str("<div class=\"play\">\n<section class=\"stage\" aria-label=\"Board\">\n")?;
        match &shown_game {
            Ok(shown_game) => self.stage(f, shown_game, &rows),
            Err(error) => {
                let error = format!("{error:#}");
                writeln!(f, "<p class=\"bad\">The board cannot be shown: {}.</p>", Text(error))
            }
        }?;
        f.write_str("</section>\n<section class=\"log\" aria-label=\"Turns\">\n")?;
        self.turns(f, &rows)?;
        f.write_str("</section>\n</div>\n")?;
        self.facts(f)?;
        match transcript::write(self.record) {
            Ok(text) => {
                let kind = transcript::extension(self.record.game).to_uppercase();
                writeln!(
                    f,
                    "<details class=\"source\"><summary>The game as {kind}</summary><pre>{}</pre></details>",
                    Text(text)
                )
            }
            // The page already says why: there is no board either.
            Err(_) => Ok(()),
        }
    }
}

impl GamePage<'_> {
    /// Who played, how it ended, and links to other games.
    fn head(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = |side| {
            let player = self.player(side);
            html(move |f| write!(f, "{}{}", player.link(Root::Above), player.title()))
        };
        let [black, white] = Color::ALL.map(named);
        let summary = self.summary();
        writeln!(
            f,
            "<h1><span class=\"quiet\">Game {}</span> <span class=\"side black\">{black}</span> \
             <span class=\"quiet\">against</span> <span class=\"side white\">{white}</span></h1>",
            summary.id.0
        )?;
        let points = summary.half_points.map_or("unfinished".to_owned(), |points| {
            let [black, white] = points.map(|half_points| Points(half_points.into()));
            format!("{black} : {white}")
        });
        writeln!(f, "<p class=\"verdict\"><strong>{points}</strong> {}.</p>", Text(self.verdict()))?;
        let games = &self.tournament.games;
        let link = |index: Option<usize>, label| {
            html(move |f| match index.and_then(|index| games.get(index)) {
                Some(game) => write!(f, "<a href=\"../{}\">{label}</a>", file(game.id)),
                None => Ok(()),
            })
        };
        let (before, after) = (self.index.checked_sub(1), Some(self.index + 1));
        writeln!(f, "<p class=\"beside\">{} {}</p>", link(before, "← Previous game"), link(after, "Next game →"))
    }

    /// The verdict as a sentence, with who got the point of a drawn game.
    fn verdict(&self) -> String {
        let given = match (&self.record.verdict.reason, self.summary().half_points) {
            (EndReason::Drawn { .. }, Some([black, white])) if black > white => "; awarded to Black on time",
            (EndReason::Drawn { .. }, Some([black, white])) if black < white => "; awarded to White on time",
            _ => "",
        };
        cut(&format!("{}{given}", self.record.verdict_in_words()), 4 * SHOWN)
    }

    /// The board with both players beside it, and the controls to step through the game.
    fn stage(&self, f: &mut fmt::Formatter<'_>, shown_game: &ShownGame, rows: &[TurnRow<'_>]) -> fmt::Result {
        let (Some(first), Some(last)) = (shown_game.boards.first(), shown_game.boards.last()) else { return Ok(()) };
        let player = |side: Color| {
            html(move |f| {
                let class = if side == Color::Black { "black" } else { "white" };
                let name = Text(&self.player(side).shown);
                let seconds = |time: Option<Duration>| {
                    time.map_or(String::new(), |time| format!("{} s", self.clock().seconds(time)))
                };
                let [budget, left] = [self.record.budgets, self.record.left].map(|times| seconds(times[side.index()]));
                write!(
                    f,
                    "<p class=\"player\" data-side=\"{side}\" data-budget=\"{budget}\">\
                     <span class=\"side {class}\">{name}</span> <output>{left}</output></p>"
                )
            })
        };
        f.write_str(SHAPES)?;
        writeln!(f, "{}", player(Color::Black))?;
        let moved = rows.iter().rev().find_map(|row| row.mv);
        let grid = shown_game.grid;
        let board = Drawing { grid, id: "board", label: "The board at the end", board: last, mv: moved };
        writeln!(f, "<figure>{board}\n<figcaption id=\"caption\" aria-live=\"polite\">The end</figcaption></figure>")?;
        writeln!(f, "{}", player(Color::White))?;
        let start = Drawing { grid, id: "start", label: "The board at the start", board: first, mv: None };
        writeln!(
            f,
            "<noscript><figure class=\"small\">{start}\n<figcaption>The start</figcaption></figure></noscript>"
        )?;
        writeln!(
            f,
            "<div class=\"steps\" id=\"steps\" role=\"group\" aria-label=\"Step through the game\" data-start=\"{first}\" hidden>\
             <button type=\"button\" data-go=\"first\" aria-label=\"To the start\">|◀</button>\
             <button type=\"button\" data-go=\"back\" aria-label=\"One turn back\">◀</button>\
             <button type=\"button\" data-go=\"run\" aria-pressed=\"false\">Play</button>\
             <button type=\"button\" data-go=\"on\" aria-label=\"One turn on\">▶</button>\
             <button type=\"button\" data-go=\"last\" aria-label=\"To the end\">▶|</button>\
             <p>Keys: <kbd>←</kbd> <kbd>→</kbd> <kbd>Home</kbd> <kbd>End</kbd>, <kbd>P</kbd> plays</p></div>"
        )?;
        self.chart(f)
    }

    /// The time of each turn, by the clock that counts.
    fn chart(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (offset, clock) = (self.record.opening.len(), self.clock());
        let spent = self.record.turns.iter().enumerate();
        let time = |turn: &Turn| clock.charged(clock.counts.of(&turn.spent));
        let spent: Vec<_> = spent.map(|(index, turn)| (offset + index, turn.side, time(turn))).collect();
        if spent.iter().all(|(.., time)| time.is_zero()) {
            return Ok(());
        }
        writeln!(
            f,
            "<figure class=\"chart\">{}<figcaption>{} time of each turn, Black above and White below the line</figcaption></figure>",
            chart::times(clock, &spent, offset + self.record.turns.len()),
            clock.counts.title()
        )
    }

    fn turns(&self, f: &mut fmt::Formatter<'_>, rows: &[TurnRow<'_>]) -> fmt::Result {
        let bounded = self.record.turns.iter().any(|turn| turn.left.is_some());
        let left = if bounded { "<th scope=\"col\" class=\"n\">Left, s</th>" } else { "" };
        writeln!(
            f,
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Turns and clocks\">\n\
             <table class=\"turns\" id=\"turns\">\n<caption>Turns and clocks; {} counts</caption>\n\
             <thead><tr><th scope=\"col\" class=\"n\">Turn</th><th scope=\"col\">Side</th><th scope=\"col\">Move</th>\
             <th scope=\"col\" class=\"n\">CPU, s</th><th scope=\"col\" class=\"n\">Wall, s</th>{left}</tr></thead>\n<tbody>",
            self.clock().steps_in_words()
        )?;
        for row in rows {
            self.turn(f, row, bounded)?;
        }
        f.write_str("</tbody>\n</table>\n</div>\n")?;
        // The end is shown under the table even if it is a fault outside of any turn.
        writeln!(f, "<p class=\"end\" id=\"end\">{}.</p>", Text(self.verdict()))
    }

    fn turn(&self, f: &mut fmt::Formatter<'_>, row: &TurnRow<'_>, bounded: bool) -> fmt::Result {
        let TurnRow { number, side, .. } = row;
        let class = if *side == Color::Black { "black" } else { "white" };
        write!(f, "<tr id=\"t{number}\"")?;
        row.board.map_or(Ok(()), |board| write!(f, " data-board=\"{board}\""))?;
        let mv = Text(row.mv.unwrap_or("none"));
        write!(
            f,
            "><th scope=\"row\"><a href=\"#t{number}\">{number}</a></th><td class=\"side {class}\">{side}</td><td class=\"move\">{mv}</td>"
        )?;
        let Some(turn) = row.turn else {
            let columns = if bounded { 3 } else { 2 };
            return writeln!(f, "<td colspan=\"{columns}\" class=\"quiet\">opening, at random</td></tr>");
        };
        let clock = self.clock();
        write!(
            f,
            "<td class=\"n\">{}</td><td class=\"n\">{}</td>",
            clock.seconds(turn.spent.cpu),
            clock.seconds(turn.spent.wall)
        )?;
        if bounded {
            let left = turn.left.map_or(String::new(), |left| clock.seconds(left).to_string());
            write!(f, "<td class=\"n left\">{left}</td>")?;
        }
        f.write_str("</tr>\n")?;
        let columns = if bounded { 6 } else { 5 };
        let mut note = |class: &str, text: String| {
            writeln!(f, "<tr class=\"{class}\"><td colspan=\"{columns}\">{}</td></tr>", Text(cut(&text, 3 * SHOWN)))
        };
        if let Some(fault) = &turn.fault {
            let at_random = if turn.chosen_by == ChosenBy::Referee { "; the referee played at random" } else { "" };
            let (read, expected) = (cut(&fault.read, SHOWN), cut(&fault.expected, SHOWN));
            note("fault", format!("Fault: {}: {read}; expected {expected}{at_random}", fault.kind))?;
        }
        turn.notes.iter().try_for_each(|text| note("note", format!("Note: {text}")))
    }

    /// What else is known of the game.
    fn facts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (summary, record) = (self.summary(), self.record);
        let budget =
            |time: Option<Duration>| time.map_or("no limit".to_owned(), |time| format!("{} s", time.as_secs_f64()));
        let [black, white] = record.budgets.map(budget);
        let used = self.used.map(|time| self.clock().seconds(time));
        let facts = [
            ("League", self.tournament.league.name.clone()),
            ("Round", summary.round.to_string()),
            ("Pairing", summary.pairing.to_string()),
            ("Seed", record.seed.to_string()),
            ("Opening", format!("{} random turns", record.opening.len())),
            ("Time for the game", if black == white { black } else { format!("{black} for Black, {white} for White") }),
            ("Time used", format!("{} s by Black, {} s by White", used[0], used[1])),
            ("Clock", self.clock().steps_in_words()),
            ("Measured by", record.tier.clone()),
        ];
        f.write_str("<dl class=\"facts\">\n")?;
        for (name, value) in facts {
            writeln!(f, "<div><dt>{name}</dt><dd>{}</dd></div>", Text(cut(&value, SHOWN)))?;
        }
        f.write_str("</dl>\n")
    }
}
