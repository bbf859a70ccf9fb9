//! What is on the page of an agent? Its results, its faults explained, and all its games.

use std::fmt::{self, Display, Formatter};

use super::endings;
use super::game::{self, SHOWN};
use super::page::html;
use super::statistics::{Example, FaultsOfKind};
use super::text::{Count, Elo, OutsideLink, Points, Text, cut};
use super::{Results, Tournament};
use crate::game::Color;
use crate::master::agent_limits::Bytes;
use crate::master::league::{FaultRule, GameKind};
use crate::master::record::FaultKind;
use crate::master::sandbox::Peak;
use crate::master::standings::Standing;

/// Characters of the hash of its files that are shown; report.json has all of them.
const HASH: usize = 12;

/// The page of an agent.
pub(super) struct AgentPage<'a> {
    pub(super) tournament: &'a Tournament,
    pub(super) results: &'a Results,
    pub(super) standing: &'a Standing,
    /// The indexes of its games.
    pub(super) games: &'a [usize],
}

impl Display for AgentPage<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.head(f)?;
        self.faults(f)?;
        self.games(f)
    }
}

impl AgentPage<'_> {
    fn head(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Results { names, ratings, statistics, .. } = self.results;
        let Standing { agent, rank, half_points, played, unfinished, wins, draws, losses, faults, .. } = *self.standing;
        let (name, rating) = (&names[agent], ratings[agent]);
        writeln!(f, "<h1>{}</h1>", Text(&name.shown))?;
        let title = html(|f| match &name.title {
            Some(title) => write!(f, "Calls itself <q>{}</q>, ", Text(title)),
            None => Ok(()),
        });
        let url = html(|f| match &name.url {
            Some(url) => write!(f, " {}", OutsideLink(url)),
            None => Ok(()),
        });
        let hash = Text(cut(&self.tournament.agents[agent].hash, HASH));
        writeln!(
            f,
            "<p class=\"lead\">{title}files <code class=\"hash\">{hash}</code>{url}</p>\n<ul class=\"cards\">"
        )?;
        let statistics = &statistics.agents[agent];
        let bar = match (rating.low, rating.high) {
            (Some(low), Some(high)) => format!(", {} to {}", Elo(low), Elo(high)),
            (Some(low), None) => format!(", {} or more", Elo(low)),
            (None, Some(high)) => format!(", {} or less", Elo(high)),
            (None, None) => String::new(),
        };
        let clock = &self.tournament.league.clock;
        let [longest, all] = [statistics.longest, statistics.spent].map(|time| clock.seconds(time));
        let times = format!("s a turn, {longest} at most, {all} in all; {} counts", clock.steps_in_words());
        let cards = [
            (format!("{rank} of {}", names.len()), "rank".to_owned()),
            (Points(half_points.into()).to_string(), format!("points in {} games that count", played - unfinished)),
            (format!("{wins} / {draws} / {losses}"), "won / drawn / lost".to_owned()),
            (Elo(rating.elo).to_string(), format!("rating{bar}")),
            (Count(faults.into()).to_string(), "faults".to_owned()),
            (clock.seconds(statistics.mean()).to_string(), times),
        ];
        for (number, what) in cards {
            writeln!(f, "<li><b>{number}</b> {what}</li>")?;
        }
        // Unknown in games of before it was recorded, and where a machine does not tell.
        let Peak { memory, processes, disk } = statistics.peak;
        let limits = self.tournament.league.limits;
        if let Some(memory) = memory {
            writeln!(f, "<li><b>{}</b> of memory at most, of {}</li>", Bytes(memory), Bytes(limits.memory))?;
        }
        if processes > 0 {
            writeln!(
                f,
                "<li><b>{processes}</b> processes and threads at most, of {}; {} of disk, of {}</li>",
                limits.processes,
                Bytes(disk),
                Bytes(limits.disk)
            )?;
        }
        f.write_str("</ul>\n")
    }

    fn faults(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let faults = &self.results.statistics.agents[self.standing.agent].faults;
        f.write_str("<section id=\"faults\">\n<h2>Faults</h2>\n")?;
        if faults.is_empty() {
            return f.write_str("<p>None.</p>\n</section>\n");
        }
        f.write_str(match self.tournament.league.faults {
            FaultRule::LosesGame => "<p>A fault loses the game.</p>\n",
            FaultRule::RandomMove => {
                "<p>For a fault the referee plays a random legal move, and the fault is counted.</p>\n"
            }
        })?;
        faults.iter().try_for_each(|faults| self.faults_of_a_kind(f, faults))?;
        f.write_str("</section>\n")
    }

    fn faults_of_a_kind(&self, f: &mut Formatter<'_>, faults: &FaultsOfKind) -> fmt::Result {
        let FaultsOfKind { kind, count, first } = faults;
        writeln!(
            f,
            "<h3>{} × {kind}</h3>\n<p>{}</p>\n<ul class=\"faults\">",
            Count(*count),
            explain(*kind, self.tournament.league.game)
        )?;
        for Example { fault, game, row } in first {
            let anchor = row.map_or("end".to_owned(), |row| format!("t{row}"));
            writeln!(
                f,
                "<li><a href=\"../{}#{anchor}\">Game {}, turn {}</a>: {}; expected {}</li>",
                game::file(*game),
                game.0,
                fault.turn,
                Text(cut(&fault.read, SHOWN)),
                Text(cut(&fault.expected, SHOWN))
            )?;
        }
        let more = count - first.len() as u64;
        if more > 0 {
            writeln!(f, "<li class=\"quiet\">and {} more, on the pages of their games</li>", Count(more))?;
        }
        f.write_str("</ul>\n")
    }

    fn games(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut opponents: Vec<Vec<usize>> = vec![Vec::new(); self.results.names.len()];
        for &index in self.games {
            let [black, white] = self.tournament.games[index].agents;
            opponents[if black == self.standing.agent { white } else { black }].push(index);
        }
        f.write_str(
            "<section id=\"games\">\n<h2>Games</h2>\n\
             <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Games\">\n<table class=\"games\">\n\
             <caption>Games, by opponent</caption>\n<thead><tr><th scope=\"col\">Game</th><th scope=\"col\">Round</th>\
             <th scope=\"col\">Side</th><th scope=\"col\">Result</th><th scope=\"col\">End</th>\
             <th scope=\"col\" class=\"n\">Turns</th><th scope=\"col\" class=\"n\">Time, s</th>\
             <th scope=\"col\" class=\"n\">Faults</th></tr></thead>\n",
        )?;
        for row in &self.results.standings {
            if !opponents[row.agent].is_empty() {
                self.against(f, row.agent, &opponents[row.agent])?;
            }
        }
        f.write_str("</table>\n</div>\n</section>\n")
    }

    /// The games against one opponent.
    fn against(&self, f: &mut Formatter<'_>, opponent: usize, games: &[usize]) -> fmt::Result {
        let name = &self.results.names[opponent];
        let duel = self.results.duels.get(&[self.standing.agent, opponent]).copied().unwrap_or_default();
        writeln!(
            f,
            "<tbody id=\"a{}\"><tr><th colspan=\"8\" scope=\"rowgroup\">Against <a href=\"../{}\">{}</a> \
             <span class=\"quiet\">{} of {}</span></th></tr>",
            opponent + 1,
            name.file,
            Text(&name.shown),
            Points(duel.half_points),
            duel.games
        )?;
        games.iter().try_for_each(|&index| self.game(f, index))?;
        f.write_str("</tbody>\n")
    }

    fn game(&self, f: &mut Formatter<'_>, index: usize) -> fmt::Result {
        let game = &self.tournament.games[index];
        let side = if game.agents[0] == self.standing.agent { Color::Black } else { Color::White };
        let class = if side == Color::Black { "black" } else { "white" };
        let (result, points) = match (game.half_points, game.winner) {
            (None, _) => ("unfinished", String::new()),
            (_, Some(winner)) => (if winner == side { "won" } else { "lost" }, String::new()),
            (Some(half_points), None) => ("drawn", format!(", {}", Points(half_points[side.index()].into()))),
        };
        let (_, end) = endings::in_words(&game.reason);
        writeln!(
            f,
            "<tr><th scope=\"row\"><a href=\"../{}\">{}</a></th><td>{}</td><td class=\"side {class}\">{side}</td>\
             <td class=\"{result}\">{result}{points}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>\
             <td class=\"n\">{}</td></tr>",
            game::file(game.id),
            game.id.0,
            game.round,
            Text(end),
            game.turns,
            self.tournament.league.clock.seconds(self.results.statistics.spent[index][side.index()]),
            game.faults[side.index()]
        )
    }
}

/// What a kind of fault means, and where to look for its cause.
fn explain(kind: FaultKind, game: GameKind) -> &'static str {
    match kind {
        FaultKind::NotStarted => {
            "The program could not be run at all: is it there, executable, and built for this machine? Does a script name \
             its interpreter in its first line?"
        }
        FaultKind::OverTime => {
            "The time ran out while the program was thinking. Check the clock inside the search, not only between \
             searches, and keep a reserve for starting the program and for writing the answer."
        }
        FaultKind::Hung => {
            "The program did not end, though it used hardly any CPU time: it waited for something that never came. \
             Does it read from a terminal, wait for a lock, or sleep?"
        }
        FaultKind::OverMemory => "The program used more memory than it may. Does a table grow with every position?",
        FaultKind::OverDisk => "The program wrote more than it may. Only small files are needed between turns.",
        FaultKind::OverOutput => {
            "The program printed a line that did not end. Is what it prints for debugging in lines of its own?"
        }
        FaultKind::Crashed => {
            "The program crashed before it answered. Common causes are a position without a good move, a division by a \
             time of zero, an endless recursion, or a number that the parser does not expect."
        }
        FaultKind::NoAnswer => "The program ended without an answer. Does it also write an answer when all moves lose?",
        FaultKind::EmptyAnswer => "The answer was empty. Is it written, and flushed, before the program ends?",
        FaultKind::NotAFile => "The answer was a link, a pipe or a folder. It must be a regular file.",
        FaultKind::TooLong => "The answer was far longer than any answer can be.",
        FaultKind::IllFormed => "The answer was not in the format of the contract; see what was read and expected.",
        FaultKind::Illegal if game == GameKind::Checkers => {
            "The answer was well formed, but the rules do not allow the move. Look at the board before it on the \
             game's page: is there a jump that must be made, or one that must be continued?"
        }
        FaultKind::Illegal => {
            "The answer was well formed, but the rules do not allow the move. A piece moves exactly as many squares \
             as there are pieces of both sides on its whole line, never over a piece of the other side, and not onto one \
             of its own; look at the board before the move on the game's page."
        }
        FaultKind::WrongWinner => "The program was wrong about who has won; see the board at the end of the game.",
    }
}
