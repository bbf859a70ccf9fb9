//! An agent's page: its results from every side, its clock, and its faults explained.

use std::collections::BTreeMap;

use maud::{Markup, PreEscaped, html};

use super::film::grid_of;
use super::index::share;
use super::names::{
    Root, SHOWN, count, cut, elo, game_link, interval, outside_link, pair_link, points, side_class, turn_link,
};
use super::page::{bar_row, cards, facts, scrolling};
use super::results::{Example, FaultsOfKind, Results, TIMES};
use super::{Tournament, endings, rounds};
use crate::league::FaultRule;
use crate::league::agent_limits::Bytes;
use crate::record::FaultKind;
use crate::sandbox::Peak;
use crate::tournament::standings::Standing;
use crate::tournament::store::Summary;
use kingline::draw::{Drawing, SHAPES};
use kingline::game::Color;
use kingline_players::game_name::GameName;

/// Number of characters of an agent's file hash that its page shows; standings.json has the full hash.
const HASH: usize = 12;

pub(super) struct AgentPage<'a> {
    pub(super) tournament: &'a Tournament,
    pub(super) results: &'a Results<'a>,
    pub(super) standing: &'a Standing,
    /// Its games in the order of their numbers.
    pub(super) games: &'a [&'a Summary],
}

impl AgentPage<'_> {
    pub(super) fn main(&self) -> Markup {
        html! {
            (PreEscaped(SHAPES))
            (self.head())
            (cards(&self.cards()))
            p {
                a href={ (Root::Above) "games.html#agent=" (self.standing.agent + 1) } { "All its games" }
                ", in a list to filter"
            }
            (rounds::agent_section(self.tournament, self.results, self.standing.agent))
            (self.results_sections())
            (self.clock_use())
            (self.faults())
            @if let Some(reviews) = self.results.reviews {
                (reviews.agent_section(self.standing.agent, self.tournament.league.game))
            }
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
            match rating.games {
                0 => ("–".to_owned(), "no rating without games that count".to_owned()),
                games => (elo(rating.elo), format!("rating{bar}, from {games} games")),
            },
            (count(faults), "faults".to_owned()),
            (clock.seconds(statistics.mean()), times),
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
                @for (place, example) in first.iter().enumerate() { (self.example(*kind, place, example)) }
                @if more > 0 { li .quiet { "and " (count(more)) " more, on the pages of their games" } }
            }
        }
    }

    /// A fault with a link to its turn and, for the first ones, the board before it.
    fn example(&self, kind: FaultKind, place: usize, example: &Example) -> Markup {
        let Example { fault, game, row, board } = example;
        let link = row.map_or_else(|| game_link(*game), |row| turn_link(*game, row as usize));
        let id = format!("fault-{}-{place}", kind as usize);
        html! {
            li {
                a href={ (Root::Above) (link) } { "Game " (game.0) ", turn " (fault.turn) }
                ": " (cut(&fault.read, SHOWN)) "; expected " (cut(&fault.expected, SHOWN))
                @if let Some(board) = board {
                    @let label = format!("The board before turn {}", fault.turn);
                    @let grid = grid_of(self.tournament.league.game);
                    figure .small {
                        (PreEscaped(Drawing { grid, id: &id, label: &label, board, mv: None }.to_string()))
                        figcaption { (fault.side.to_string()) " to move" }
                    }
                }
            }
        }
    }

    fn results_sections(&self) -> Markup {
        html! {
            section #results {
                h2 { "Results" }
                (scrolling("Results by color", &self.by_color()))
                (scrolling("Results by ending", &self.by_ending()))
            }
            section #opponents {
                h2 { "Opponents" }
                p { "The number of games leads to those games." }
                (scrolling("Results by opponent", &self.by_opponent()))
            }
        }
    }

    fn side(&self, game: &Summary) -> Color {
        if game.agents[0] == self.standing.agent { Color::Black } else { Color::White }
    }

    fn by_color(&self) -> Markup {
        let mut counts = [Standing::default(); 2];
        for game in self.games {
            let side = self.side(game);
            counts[side.index()].add(game, side);
        }
        let of_side =
            |side: Color| (html! { span .side.(side_class(side)) { (side.to_string()) } }, counts[side.index()]);
        counts_table("Results by color", "Color", Color::ALL.map(of_side))
    }

    fn by_ending(&self) -> Markup {
        let mut counts: BTreeMap<_, Standing> = BTreeMap::new();
        for game in self.games {
            counts.entry(endings::in_words(&game.reason)).or_default().add(game, self.side(game));
        }
        counts_table(
            "Results by ending",
            "End",
            counts.into_iter().map(|((_, words), count)| (html! { (words) }, count)),
        )
    }

    fn by_opponent(&self) -> Markup {
        let mut counts = vec![Standing::default(); self.results.names.len()];
        for game in self.games {
            let side = self.side(game);
            counts[game.agents[(!side).index()]].add(game, side);
        }
        let met = |count: &Standing| count.played > 0;
        html! {
            table .sortable.paged.counts {
                caption { "Results by opponent, in the order of the standings" }
                thead { tr { th scope="col" { "Opponent" } th .n scope="col" { "Rank" } (headings()) } }
                tbody {
                    @for row in &self.results.standings {
                        @let count = &counts[row.agent];
                        @if met(count) {
                            tr {
                                th scope="row" { (self.results.names[row.agent].link(Root::Above)) }
                                td { (row.rank) }
                                (cells(count, Some(&format!("{}{}", Root::Above.path(), pair_link([self.standing.agent, row.agent])))))
                            }
                        }
                    }
                }
            }
        }
    }

    fn clock_use(&self) -> Markup {
        let statistics = &self.results.statistics.agents[self.standing.agent];
        let clock = &self.tournament.league.clock;
        let in_game = |game: &&Summary| game.spent[usize::from(game.agents[0] != self.standing.agent)];
        let most = self.games.iter().map(in_game).max().unwrap_or_default();
        let mut values = vec![
            ("Mean time of a turn".to_owned(), format!("{} s", clock.seconds(statistics.mean()))),
            ("Longest turn".to_owned(), format!("{} s", clock.seconds(statistics.longest))),
            ("Most time in a game".to_owned(), format!("{} s", clock.seconds(most))),
            ("Time-outs".to_owned(), count(self.standing.timeouts)),
        ];
        if let Some(left) = statistics.least_left {
            values.push(("Least time left after a turn".to_owned(), format!("{} s", clock.seconds(left))));
        }
        html! {
            section #clock {
                h2 { "Clock" }
                (facts(&values))
                @if statistics.turns > 0 {
                    table .bars {
                        caption { "Turns by " (clock.counts.title()) " time" }
                        tbody {
                            @for ((_, words), &number) in TIMES.iter().zip(&statistics.by_time).filter(|(_, number)| **number > 0) {
                                (bar_row(&html! { (words) }, number, statistics.turns))
                            }
                        }
                    }
                }
            }
        }
    }
}

fn counts_table(caption: &str, what: &str, rows: impl IntoIterator<Item = (Markup, Standing)>) -> Markup {
    html! {
        table .counts {
            caption { (caption) }
            thead { tr { th scope="col" { (what) } (headings()) } }
            tbody { @for (name, count) in rows { tr { th scope="row" { (name) } (cells(&count, None)) } } }
        }
    }
}

/// Cells of a table's row: games, which may lead to those games, points, a bar, won, drawn, lost, unfinished.
fn cells(count: &Standing, link: Option<&str>) -> Markup {
    let games = count.played - count.unfinished;
    html! {
        td { @if let Some(link) = link { a href=(link) { (games) } } @else { (games) } }
        td .strong { (points(count.half_points)) }
        td { (share(count)) }
        @for number in [count.wins, count.draws, count.losses, count.unfinished] { td { (number) } }
    }
}

fn headings() -> Markup {
    html! {
        @for title in ["Games", "Points"] { th .n scope="col" { (title) } }
        td {}
        @for title in ["Won", "Drawn", "Lost", "Unfinished"] { th .n scope="col" { (title) } }
    }
}

/// Explains a kind of fault, with hints at its cause.
fn explain(kind: FaultKind, game: GameName) -> &'static str {
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
        FaultKind::Illegal if game == GameName::Checkers => {
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
