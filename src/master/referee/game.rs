//! A game from its opening to its record, in one function for all games and players.

use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::player::{Ask, GameEnd, GameObserver, Player};
use crate::league::{FaultRule, League};
use crate::record::{ChosenBy, Draw, EndReason, Fault, FaultKind, GameRecord, GameVerdict, Turn, Violation};
use kingline::draw::{Board, Content};
use kingline::game::{Color, DrawReason, Ending, Game, History, Rules, random_opening};

/// Setup of a game.
#[derive(Clone, Debug)]
pub struct GameSetup {
    /// Names of the agents, Black and White.
    pub names: [String; 2],
    /// Their time for the game, if it is timed.
    pub budgets: [Option<Duration>; 2],
    /// Seed of the opening and of the referee's own moves.
    pub seed: u64,
    /// Seconds from the start of 1970 to the start of the game, UTC, if it is to be recorded.
    pub started: Option<i64>,
    /// Name of the [`Tier`](crate::sandbox::Tier) that measures CPU time.
    pub tier: String,
}

/// Plays a game from the start position to its end.
pub fn referee<G: Board>(
    league: &League,
    setup: GameSetup,
    players: [&mut dyn Player<G>; 2],
    observer: &mut dyn GameObserver<G>,
) -> GameRecord {
    let mut rng = StdRng::seed_from_u64(setup.seed);
    let moves = opening::<G>(&mut rng, league.opening);
    observer.begun(&moves);
    let (mut game, mut written) = (OngoingGame::new(league, G::start(), rng), Vec::new());
    for mv in moves {
        written.push(game.position().notation(mv).to_string());
        game.play(mv);
    }
    let mut left = setup.budgets;
    let verdict = game
        .play_out(players, &mut left, observer)
        .unwrap_or_else(|error| GameVerdict { winner: None, reason: EndReason::Failed(error.into()) });
    GameRecord {
        league: league.name.clone(),
        game: league.game,
        names: setup.names,
        budgets: setup.budgets,
        seed: setup.seed,
        started: setup.started,
        start: G::start().to_string(),
        opening: written,
        turns: game.turns,
        verdict,
        left,
        tier: setup.tier,
    }
}

/// Draws random openings until one does not end the game.
fn opening<G: Game>(rng: &mut StdRng, plies: u32) -> Vec<G::Move> {
    loop {
        if let Some(opening) = random_opening::<G>(plies as usize, |moves| rng.random_range(0..moves)) {
            return opening.moves;
        }
    }
}

/// Time limit for a turn in an untimed game.
const UNBOUNDED: Duration = Duration::from_secs(3600);

struct OngoingGame<'a, G: Game> {
    league: &'a League,
    history: History<G>,
    moves: Vec<G::Move>,
    turns: Vec<Turn>,
    rng: StdRng,
}

impl<'a, G: Board> OngoingGame<'a, G> {
    /// A game that starts from this position. `rng` determines the referee's own moves.
    fn new(league: &'a League, position: G, rng: StdRng) -> OngoingGame<'a, G> {
        OngoingGame {
            league,
            history: History::new(position).under(Rules::Course),
            moves: Vec::new(),
            turns: Vec::new(),
            rng,
        }
    }

    fn position(&self) -> G {
        self.history.position()
    }

    fn play(&mut self, mv: G::Move) {
        self.history.play(mv);
        self.moves.push(mv);
    }

    /// Plays until the game is over, and keeps `left` up to date.
    fn play_out(
        &mut self,
        players: [&mut dyn Player<G>; 2],
        left: &mut [Option<Duration>; 2],
        observer: &mut dyn GameObserver<G>,
    ) -> anyhow::Result<GameVerdict> {
        let [black, white] = players;
        black.begin(Color::Black)?;
        white.begin(Color::White)?;
        let verdict = loop {
            if let Some(verdict) = ruling(self.league, &self.history, self.moves.len(), *left) {
                break verdict;
            }
            let player = if self.position().turn() == Color::Black { &mut *black } else { &mut *white };
            if let Some(fault) = self.turn(player, left, observer)? {
                return Ok(GameVerdict { winner: Some(!fault.side), reason: EndReason::Fault(fault) });
            }
        };
        let end = GameEnd { moves: &self.moves, winner: verdict.winner };
        let claims = [(Color::Black, black.finish(&end)?), (Color::White, white.finish(&end)?)];
        // If both sides are wrong about the winner, the verdict of the rules stands.
        let mut wrong = claims.into_iter().filter_map(|(side, wrong)| Some((side, wrong?)));
        Ok(match (wrong.next(), wrong.next()) {
            (Some((side, wrong)), None) => {
                let fault = self.fault(side, wrong);
                GameVerdict { winner: Some(!side), reason: EndReason::Fault(fault) }
            }
            _ => verdict,
        })
    }

    fn turn(
        &mut self,
        player: &mut dyn Player<G>,
        left: &mut [Option<Duration>; 2],
        observer: &mut dyn GameObserver<G>,
    ) -> anyhow::Result<Option<Fault>> {
        let position = self.position();
        let side = position.turn();
        let clock = &self.league.clock;
        let left = &mut left[side.index()];
        let within = [clock.turn, *left].into_iter().flatten().min().unwrap_or(UNBOUNDED);
        let ask = Ask { history: &self.history, moves: &self.moves, left: *left, within };
        let answer = player.choose(&ask)?;
        let usage = answer.usage();
        let used = clock.counts.of(&usage.spent);
        *left = left.map(|left| left.saturating_sub(clock.charged(used)));
        // §3: an agent whose time reaches its budget loses, even if it has answered.
        let late = || Violation {
            kind: FaultKind::OverTime,
            read: format!("an answer, but late: {usage}"),
            expected: clock.in_time(within),
        };
        let mv = if answer.mv.is_ok() && used >= within { Err(late()) } else { answer.mv };
        let (mv, chosen_by, fault) = match mv {
            Ok(mv) => (Some(mv), ChosenBy::Agent, None),
            Err(wrong) => match self.league.faults {
                FaultRule::LosesGame => (None, ChosenBy::Agent, Some(self.fault(side, wrong))),
                FaultRule::RandomMove => {
                    let mv = random_move(&mut self.rng, &position);
                    (Some(mv), ChosenBy::Referee, Some(self.fault(side, wrong)))
                }
            },
        };
        let written = mv.map(|mv| position.notation(mv).to_string());
        let (left, spent, notes, peak) = (*left, answer.spent, answer.notes, Some(answer.peak));
        self.turns.push(Turn { side, mv: written, chosen_by, spent, peak, left, fault: fault.clone(), notes });
        if let Some(mv) = mv {
            self.play(mv);
        }
        let after = self.position();
        self.turns.last().into_iter().for_each(|turn| observer.turned(&position, &after, turn));
        Ok(fault.filter(|_| mv.is_none()))
    }

    fn fault(&self, side: Color, violation: Violation) -> Fault {
        violation.by(side, u32::try_from(self.moves.len() + 1).unwrap_or(u32::MAX))
    }
}

/// Draws a random legal move; there must be at least one.
fn random_move<G: Game>(rng: &mut StdRng, position: &G) -> G::Move {
    let list = position.legal_moves();
    list[rng.random_range(0..list.len())]
}

/// Verdict after `moves` moves, with the time left for Black and White; `None` if the game goes on.
pub(crate) fn ruling<G: Board>(
    league: &League,
    history: &History<G>,
    moves: usize,
    left: [Option<Duration>; 2],
) -> Option<GameVerdict> {
    let drawn = |draw| {
        // A side without a clock, such as a person, has no time to compare.
        let more_time = match left {
            [Some(black), Some(white)] if black > white => Some(Color::Black),
            [Some(black), Some(white)] if black < white => Some(Color::White),
            _ => None,
        };
        GameVerdict { winner: None, reason: EndReason::Drawn { draw, more_time } }
    };
    Some(match history.ending() {
        Some(Ending::Win(winner)) => GameVerdict { winner: Some(winner), reason: reason(&history.position()) },
        Some(Ending::Draw(DrawReason::Repetition)) => drawn(Draw::Repetition),
        Some(Ending::Draw(DrawReason::QuietTurns)) => drawn(Draw::QuietTurns),
        Some(Ending::Draw(DrawReason::Position)) => drawn(Draw::Position),
        None if league.longest.is_some_and(|limit| moves >= limit as usize) => drawn(Draw::MoveLimit),
        None => return None,
    })
}

fn reason<G: Board>(position: &G) -> EndReason {
    match position.outcome() {
        Some(_) => EndReason::Connected,
        None if has_pieces(position, position.turn()) => EndReason::Blocked,
        None => EndReason::Captured,
    }
}

fn has_pieces<G: Board>(position: &G, side: Color) -> bool {
    let owns = |content| matches!(content, Content::Man(owner) | Content::King(owner) if owner == side);
    (0..G::SIZE).any(|row| (0..G::SIZE).any(|column| owns(position.content(column, row))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::league::clock_rules::Spent;
    use crate::league::{DrawRule, FaultRule};
    use crate::record::{ChosenBy, Draw, FaultKind, Violation};
    use crate::referee::{Answer, Ask, GameEnd, NoObserver};
    use crate::sandbox::Peak;
    use kingline::checkers::Position;
    use kingline::game::{Color, History};

    /// Plays the legal move with this index, or the last one, and always takes the same time.
    struct Scripted {
        choice: usize,
        time: Duration,
        /// 0-based turn in which it violates the rules.
        wrong_in: Option<usize>,
        claims_wrong_winner: bool,
        turns: usize,
    }

    impl Scripted {
        fn new(choice: usize, millis: u64) -> Scripted {
            let time = Duration::from_millis(millis);
            Scripted { choice, time, wrong_in: None, claims_wrong_winner: false, turns: 0 }
        }
    }

    #[test]
    fn captured_and_blocked_are_different_reasons() {
        for (position, reason, text) in [
            ("W:W:B1", EndReason::Captured, "Black wins: White has no pieces left"),
            ("W:W29:B25,K22", EndReason::Blocked, "Black wins: White has no legal move"),
        ] {
            let history = History::<Position>::new(position.parse().unwrap());
            let verdict = ruling(&checkers(), &history, 0, [None; 2]).unwrap();
            assert_eq!((&verdict.reason, verdict.to_string().as_str()), (&reason, text), "{position}");
        }
    }

    fn wrong(kind: FaultKind) -> Violation {
        Violation { kind, read: "a".into(), expected: "b".into() }
    }

    impl Player<Position> for Scripted {
        fn choose(&mut self, ask: &Ask<Position>) -> anyhow::Result<Answer<<Position as Game>::Move>> {
            let list = ask.history.position().legal_moves();
            let mv = list[self.choice.min(list.len() - 1)];
            let mv = if self.wrong_in == Some(self.turns) { Err(wrong(FaultKind::Illegal)) } else { Ok(mv) };
            self.turns += 1;
            let (spent, waited) = (Spent { cpu: self.time, wall: self.time }, Duration::from_millis(4));
            Ok(Answer { mv, spent, waited, peak: Peak::default(), notes: Vec::new() })
        }

        fn finish(&mut self, _: &GameEnd<Position>) -> anyhow::Result<Option<Violation>> {
            Ok(self.claims_wrong_winner.then(|| wrong(FaultKind::WrongWinner)))
        }
    }

    fn play(league: &League, black: &mut Scripted, white: &mut Scripted) -> GameRecord {
        let budgets = [league.clock.game; 2];
        let setup = GameSetup { names: ["x".into(), "y".into()], budgets, seed: 3, started: None, tier: String::new() };
        let record = referee(league, setup, [black, white], &mut NoObserver);
        // The record can be replayed.
        let mut history = History::new(Position::start()).under(Rules::Course);
        for mv in record.opening.iter().chain(record.turns.iter().filter_map(|turn| turn.mv.as_ref())) {
            history.play(history.position().parse_move(mv).unwrap());
        }
        assert_eq!(record.opening.len() as u32, league.opening);
        record
    }

    /// Checkers with a clock that counts every microsecond, and random turns at the start.
    fn checkers() -> League {
        let mut league = League { opening: 3, ..League::named("checkers").unwrap() };
        league.clock.resolution = Duration::from_micros(1);
        league
    }

    #[test]
    fn time_below_the_resolution_of_the_clock_costs_nothing() {
        let league = League { longest: Some(20), ..League::named("checkers").unwrap() };
        for (first, second, more_time) in [(3, 9, None), (12, 19, None), (9, 10, Some(Color::Black))] {
            let record = play(&league, &mut Scripted::new(0, first), &mut Scripted::new(0, second));
            assert!(matches!(record.verdict.reason, EndReason::Drawn { more_time: found, .. } if found == more_time));
            let points = if more_time.is_some() { [2, 0] } else { [1, 1] };
            assert_eq!(record.verdict.half_points(DrawRule::MoreTimeLeft), Some(points));
        }
    }

    #[test]
    fn games_end_by_the_rules_and_draws_record_the_side_with_more_time() {
        let mut seen = Vec::new();
        for choice in 0..8 {
            let record = play(&checkers(), &mut Scripted::new(choice, 3), &mut Scripted::new(0, 2));
            let turns = record.turns.len() as u64;
            let spent = |side| record.turns.iter().filter(|turn| turn.side == side).map(|turn| turn.spent.cpu).sum();
            for side in Color::ALL {
                let spent: Duration = spent(side);
                assert_eq!(record.left[side.index()], Some(Duration::from_secs(300) - spent));
            }
            match record.verdict.reason {
                EndReason::Captured | EndReason::Blocked => assert!(record.verdict.winner.is_some()),
                EndReason::Drawn { draw: Draw::Repetition | Draw::QuietTurns, more_time } => {
                    assert_eq!((record.verdict.winner, more_time), (None, Some(Color::White)), "after {turns} turns");
                    assert_eq!(record.verdict.half_points(DrawRule::MoreTimeLeft), Some([0, 2]));
                    assert_eq!(record.verdict.half_points(DrawRule::Halves), Some([1, 1]));
                }
                ref other => panic!("{other:?}"),
            }
            seen.push(record.verdict.winner.is_some());
        }
        assert!(seen.contains(&true) && seen.contains(&false), "{seen:?}");
    }

    #[test]
    fn a_fault_loses_or_is_replaced_by_a_random_move() {
        let faulty = || Scripted { wrong_in: Some(1), ..Scripted::new(0, 1) };
        let lost = play(&checkers(), &mut Scripted::new(0, 1), &mut faulty());
        let EndReason::Fault(fault) = &lost.verdict.reason else { panic!("{:?}", lost.verdict) };
        assert_eq!(
            (lost.verdict.winner, fault.side, fault.kind),
            (Some(!fault.side), Color::White, FaultKind::Illegal)
        );
        let last = lost.turns.last().unwrap();
        assert_eq!((last.mv.as_ref(), last.fault.as_ref()), (None, Some(fault)));
        assert_eq!(fault.turn as usize, lost.opening.len() + lost.turns.len());

        let forgiving = League { faults: FaultRule::RandomMove, ..checkers() };
        let went_on = play(&forgiving, &mut Scripted::new(0, 1), &mut faulty());
        let at_fault: Vec<_> = went_on.turns.iter().filter(|turn| turn.fault.is_some()).collect();
        assert_eq!((at_fault.len(), at_fault[0].chosen_by), (1, ChosenBy::Referee));
        assert!(at_fault[0].mv.is_some() && !matches!(went_on.verdict.reason, EndReason::Fault(_)));
    }

    #[test]
    fn an_agent_that_reaches_its_budget_loses_even_if_it_answers() {
        let mut league = checkers();
        league.clock.game = Some(Duration::from_millis(20));
        let record = play(&league, &mut Scripted::new(0, 1), &mut Scripted::new(0, 10));
        let EndReason::Fault(fault) = &record.verdict.reason else { panic!("{:?}", record.verdict) };
        assert_eq!((fault.side, fault.kind), (Color::White, FaultKind::OverTime));
        assert_eq!(record.left[1], Some(Duration::ZERO));
        let text = "an answer, but late: CPU time 0.010 s, wall time 0.010 s, and 0.004 s waiting for a core";
        assert_eq!((&*fault.read, &*fault.expected), (text, "an answer within 0.010 s of CPU time"));
    }

    #[test]
    fn games_end_at_the_limit_of_turns_and_a_wrong_claim_about_the_winner_loses() {
        let league = League { longest: Some(10), ..checkers() };
        let record = play(&league, &mut Scripted::new(0, 1), &mut Scripted::new(0, 1));
        assert_eq!(record.opening.len() + record.turns.len(), 10);
        assert!(matches!(record.verdict.reason, EndReason::Drawn { draw: Draw::MoveLimit, .. }));

        let liar = || Scripted { claims_wrong_winner: true, ..Scripted::new(0, 1) };
        let record = play(&league, &mut liar(), &mut Scripted::new(0, 1));
        assert!(matches!(&record.verdict.reason, EndReason::Fault(fault) if fault.side == Color::Black));
        // If both are wrong, the verdict of the rules stands.
        let record = play(&league, &mut liar(), &mut liar());
        assert!(matches!(record.verdict.reason, EndReason::Drawn { draw: Draw::MoveLimit, .. }));
    }

    /// Results record a seed, which must give the same opening in every version.
    #[test]
    fn seeds_give_the_same_openings_forever() {
        let drawn = |seed| {
            let moves = opening::<Position>(&mut StdRng::seed_from_u64(seed), 3);
            Position::start().line(&moves)
        };
        assert_eq!([drawn(6), drawn(7)], ["11-16 22-18 8-11", "9-14 24-20 14-18"]);
    }
}
