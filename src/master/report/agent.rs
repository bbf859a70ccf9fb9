//! An agent's page: its results, its faults explained, and all its games.

use maud::{Markup, html};

use super::content::Tournament;
use super::endings;
use super::names::{Root, game_file, outside_link};
use super::page::{cards, scrolling};
use super::results::Results;
use super::review::accuracy_cell;
use super::rounds;
use super::statistics::{Example, FaultsOfKind};
use super::text::{SHOWN, count, cut, elo, interval, points, side_class};
use crate::league::agent_limits::Bytes;
use crate::league::{FaultRule, GameKind};
use crate::record::FaultKind;
use crate::sandbox::Peak;
use crate::tournament::standings::Standing;
use kingline::game::Color;

/// Number of characters of an agent's file hash that its page shows; report.json has the full hash.
const HASH: usize = 12;

/// An agent's page.
pub(super) struct AgentPage<'a> {
    pub(super) tournament: &'a Tournament,
    pub(super) results: &'a Results,
    pub(super) standing: &'a Standing,
    /// Indexes of its games.
    pub(super) games: &'a [usize],
}

impl AgentPage<'_> {
    /// The page's content.
    pub(super) fn main(&self) -> Markup {
        html! {
            (self.head())
            (cards(&self.cards()))
            (rounds::agent_section(self.tournament, self.results, self.standing.agent))
            (self.faults())
            @if let Some(reviews) = &self.results.reviews {
                (reviews.agent_section(self.standing.agent, self.tournament.league.game))
            }
            (self.all_games())
        }
    }

    fn head(&self) -> Markup {
        let agent = self.standing.agent;
        let name = &self.results.names[agent];
        html! {
            h1 { (name.shown) }
            p .lead {
                @if let Some(title) = &name.title { "Calls itself " q { (title) } ", " }
                "files " code .hash { (cut(&self.tournament.agents[agent].hash, HASH)) }
                @if let Some(url) = &name.url { " " (outside_link(url)) }
            }
        }
    }

    fn cards(&self) -> Vec<(String, String)> {
        let Results { names, ratings, statistics, .. } = self.results;
        let Standing { agent, rank, half_points, played, unfinished, wins, draws, losses, faults, .. } = *self.standing;
        let (rating, statistics) = (ratings[agent], &statistics.agents[agent]);
        let bar = interval(&rating).map_or(String::new(), |interval| format!(", {interval}"));
        let clock = &self.tournament.league.clock;
        let [longest, all] = [statistics.longest, statistics.spent].map(|time| clock.seconds(time));
        let times = format!("s per turn, at most {longest}, {all} in all; {}", clock.steps_in_words());
        let mut cards = vec![
            (format!("{rank} of {}", names.len()), "rank".to_owned()),
            (points(half_points), format!("points in {} games that count", played - unfinished)),
            (format!("{wins} / {draws} / {losses}"), "won / drawn / lost".to_owned()),
            (elo(rating.elo), format!("rating{bar}")),
            (count(faults), "faults".to_owned()),
            (clock.seconds(statistics.mean()).to_string(), times),
        ];
        // Older records have no peaks, and some machines cannot measure them.
        let Peak { memory, processes, disk } = statistics.peak;
        let limits = self.tournament.league.limits;
        if let Some(memory) = memory {
            cards.push((Bytes(memory).to_string(), format!("peak memory, {} allowed", Bytes(limits.memory))));
        }
        if processes > 0 {
            let (allowed, disk, disk_allowed) = (limits.processes, Bytes(disk), Bytes(limits.disk));
            let text =
                format!("processes and threads at peak, {allowed} allowed; {disk} on disk, {disk_allowed} allowed");
            cards.push((processes.to_string(), text));
        }
        cards
    }

    fn faults(&self) -> Markup {
        let faults = &self.results.statistics.agents[self.standing.agent].faults;
        let rule = match self.tournament.league.faults {
            FaultRule::LosesGame => "A fault loses the game.",
            FaultRule::RandomMove => "After a fault the referee plays a random legal move, and the fault is counted.",
        };
        html! {
            section #faults {
                h2 { "Faults" }
                p { @if faults.is_empty() { "None." } @else { (rule) } }
                @for faults in faults { (self.faults_of_kind(faults)) }
            }
        }
    }

    fn faults_of_kind(&self, faults: &FaultsOfKind) -> Markup {
        let FaultsOfKind { kind, count: all, first } = faults;
        let more = all - first.len() as u64;
        html! {
            h3 { (count(*all)) " × " (kind.to_string()) }
            p { (explain(*kind, self.tournament.league.game)) }
            ul .faults {
                @for Example { fault, game, row } in first {
                    @let anchor = row.map_or("end".to_owned(), |row| format!("t{row}"));
                    li {
                        a href={ (Root::Above) (game_file(*game)) "#" (anchor) } {
                            "Game " (game.0) ", turn " (fault.turn)
                        }
                        ": " (cut(&fault.read, SHOWN)) "; expected " (cut(&fault.expected, SHOWN))
                    }
                }
                @if more > 0 { li .quiet { "and " (count(more)) " more, on the pages of their games" } }
            }
        }
    }

    fn all_games(&self) -> Markup {
        let mut opponents: Vec<Vec<usize>> = vec![Vec::new(); self.results.names.len()];
        for &index in self.games {
            let [black, white] = self.tournament.games[index].agents;
            opponents[if black == self.standing.agent { white } else { black }].push(index);
        }
        let table = html! {
            table .games {
                caption { "Games, by opponent" }
                thead {
                    tr {
                        @for title in ["Game", "Round", "Side", "Result", "End"] { th scope="col" { (title) } }
                        @for title in ["Turns", "Time, s", "Faults"] { th .n scope="col" { (title) } }
                        @if self.results.reviews.is_some() { th .n scope="col" { "Accuracy" } }
                    }
                }
                @for row in &self.results.standings {
                    @if !opponents[row.agent].is_empty() { (self.against(row.agent, &opponents[row.agent])) }
                }
            }
        };
        html! {
            section #games {
                h2 { "Games" }
                (scrolling("Games", &table))
            }
        }
    }

    /// The games against one opponent.
    fn against(&self, opponent: usize, games: &[usize]) -> Markup {
        let name = &self.results.names[opponent];
        let duel = self.results.duels.get(&[self.standing.agent, opponent]).copied().unwrap_or_default();
        html! {
            tbody id={ "a" (opponent + 1) } {
                tr {
                    th colspan=(if self.results.reviews.is_some() { 9 } else { 8 }) scope="rowgroup" {
                        "Against " (name.link(Root::Above)) " "
                        span .quiet { (points(duel.half_points)) " of " (duel.games) }
                    }
                }
                @for &index in games { (self.game(index)) }
            }
        }
    }

    fn game(&self, index: usize) -> Markup {
        let game = &self.tournament.games[index];
        let side = if game.agents[0] == self.standing.agent { Color::Black } else { Color::White };
        let (result, given) = match (game.half_points, game.winner) {
            (None, _) => ("unfinished", None),
            (_, Some(winner)) => (if winner == side { "won" } else { "lost" }, None),
            (Some(half_points), None) => ("drawn", Some(points(half_points[side.index()]))),
        };
        let (_, end) = endings::in_words(&game.reason);
        let spent = self.results.statistics.spent[index][side.index()];
        html! {
            tr {
                th scope="row" { a href={ (Root::Above) (game_file(game.id)) } { (game.id.0) } }
                td { (game.round) }
                td .side.(side_class(side)) { (side.to_string()) }
                td class=(result) { (result) @if let Some(points) = given { ", " (points) } }
                td { (end) }
                td .n { (game.turns) }
                td .n { (self.tournament.league.clock.seconds(spent).to_string()) }
                td .n { (game.faults[side.index()]) }
                @if let Some(reviews) = &self.results.reviews { (accuracy_cell(reviews.accuracy_in(index, side))) }
            }
        }
    }
}

/// Explains a kind of fault, with hints at its cause.
fn explain(kind: FaultKind, game: GameKind) -> &'static str {
    match kind {
        FaultKind::NotStarted => {
            "The program could not be started. Is it there, executable, and built for this machine? Does the first \
             line of a script name its interpreter?"
        }
        FaultKind::OverTime => {
            "The time ran out while the program was thinking. Check the clock inside the search, not only between \
             searches, and keep a reserve for starting the program and for writing the answer."
        }
        FaultKind::Hung => {
            "The program used hardly any CPU time, but did not end. Does it read from a terminal, wait for a lock, or \
             sleep?"
        }
        FaultKind::OverMemory => "The program used more memory than allowed. Does a table grow with every position?",
        FaultKind::OverDisk => "The program wrote more than allowed. An agent needs only small files between turns.",
        FaultKind::OverOutput => {
            "The program printed a line that did not end. Does its debugging output have line breaks?"
        }
        FaultKind::Crashed => {
            "The program crashed before it answered. Common causes are a position without a good move, a division by a \
             time of zero, an endless recursion, or a number that the parser does not expect."
        }
        FaultKind::NoAnswer => "The program ended without an answer. Does it also write an answer when all moves lose?",
        FaultKind::EmptyAnswer => "The answer was empty. Is it written, and flushed, before the program ends?",
        FaultKind::NotAFile => "The answer was a link, a pipe or a folder. It must be a regular file.",
        FaultKind::TooLong => "The answer was far longer than any valid answer.",
        FaultKind::IllFormed => "The answer was not in the specified format; see what was read and expected.",
        FaultKind::Illegal if game == GameKind::Checkers => {
            "The answer was well formed, but the move is illegal. The game's page shows the board before the move. Was \
             there a jump to make, or one to continue? Jumps are mandatory."
        }
        FaultKind::Illegal => {
            "The answer was well formed, but the move is illegal. The game's page shows the board before the move. A \
             piece moves exactly as many squares as there are pieces, of both sides, on the whole line of the move. It \
             never jumps over a piece of the other side, nor lands on one of its own."
        }
        FaultKind::WrongWinner => "The program was wrong about who won; see the board at the end of the game.",
    }
}
