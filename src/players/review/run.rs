use std::num::NonZeroUsize;

use super::chances::{Exact, Worth};
use super::game::{GameRecord, Reviewed};
use super::judge::{Findings, analyze};
use super::judge::{Judgment, judge};
use super::reviewed::{Review, ReviewedMove, ReviewedPosition, accuracy_of_side, turning_point};
use super::settings::{LINE_PLIES, Settings, SquareNames};
use crate::threads::Threads;
use kingline::draw::compact;
use kingline::game::{Color, Ending, Evaluator, History, Outcome};

/// Reviews a game. `progress` is called with the number of positions searched so far, out of at least one more than there
/// are moves; it may end the review by returning `false`.
///
/// The review depends on the game and the settings alone, not on the number of threads. None if `progress` ended it.
pub fn review<G: Reviewed>(
    record: &G::Record,
    settings: Settings,
    threads: NonZeroUsize,
    progress: &mut dyn FnMut(usize) -> bool,
) -> Option<Review> {
    let moves = record.moves();
    let mut history = History::new(record.start()).under(record.rules());
    let mut histories = vec![history.clone()];
    // Forced moves after the last one are no choice: the review looks behind them.
    let mut played = moves.to_vec();
    while let Some(mv) = moves.get(histories.len() - 1).copied().or_else(|| forced_move(&history)) {
        if histories.len() > moves.len() {
            played.push(mv);
        }
        history.play(mv);
        histories.push(history.clone());
    }
    let nodes = settings.nodes(G::SPEED);
    let findings = in_parallel(&histories, threads, |history| analyze(history, nodes), progress)?;
    let last = last_worth(&history, &findings[played.len()]);
    let judgments = judge::<G>(&played, findings.clone(), last);
    let position = moves.is_empty().then(|| {
        let start = record.start();
        let best = in_words(start, &reply(&played, &findings), settings.names);
        let worth = judgments.first().map_or(last, |first| first.before);
        ReviewedPosition { side: start.turn(), worth, best }
    });
    let reviewed: Vec<ReviewedMove> = judgments
        .into_iter()
        .enumerate()
        .take(moves.len())
        .map(|(index, judgment)| {
            let position = histories[index].position();
            let reply = reply(&played[index + 1..], &findings[index + 1..]);
            let lines = [best_line(&findings[index]), &reply];
            reviewed_move((&position, moves[index]), judgment, lines, settings.names, record.clock(index))
        })
        .collect();
    let history = &histories[moves.len()];
    let result = record.result().or_else(|| history.ending().map(Ending::outcome));
    let [black, white, event] = record.names().map(str::to_owned);
    Some(Review {
        game: G::NAME,
        players: [black, white],
        event,
        result: result_code(result).to_owned(),
        nodes,
        accuracy: Color::ALL.map(|side| accuracy_of_side(&reviewed, side)),
        turning_point: turning_point(&reviewed, result),
        moves: reviewed,
        last_board: compact(&history.position()),
        position,
        notes: Vec::new(),
        broken: None,
    })
}

/// The only legal move, in a game that is not over.
fn forced_move<G: Reviewed>(history: &History<G>) -> Option<G::Move> {
    match history.position().legal_moves()[..] {
        [only] if history.ending().is_none() => Some(only),
        _ => None,
    }
}

fn best_line<G: Reviewed>(findings: &Findings<G>) -> &[G::Move] {
    findings.first().map_or(&[], |best| &best.moves)
}

/// Expected play, given the moves that were made and the findings about the positions before them and after the last.
/// The line of a forced move continues with that of the next position.
fn reply<G: Reviewed>(played: &[G::Move], findings: &[Findings<G>]) -> Vec<G::Move> {
    let forced = findings.iter().take_while(|findings| findings.is_empty()).count().min(played.len());
    let then = findings.get(forced).map_or(&[][..], best_line);
    played[..forced].iter().chain(then).copied().take(LINE_PLIES).collect()
}

/// Worth of the last position for its side to move.
pub(super) fn last_worth<G: Reviewed>(history: &History<G>, findings: &Findings<G>) -> Worth {
    match history.ending().map(Ending::outcome) {
        Some(Outcome::Draw) => Worth::certain(Exact::IsDrawn),
        Some(Outcome::Win(winner)) if winner == history.position().turn() => Worth::certain(Exact::IsWon),
        Some(Outcome::Win(_)) => Worth::certain(Exact::IsLost),
        None => findings.first().map_or_else(|| static_worth(&history.position()), |best| best.worth),
    }
}

/// Worth of a position by its evaluation alone.
fn static_worth<G: Reviewed>(position: &G) -> Worth {
    let evaluation = G::Evaluation::default();
    let score = evaluation.evaluate(&evaluation.start(position), position);
    Worth::of(score, |score| position.chances(score).points())
}

fn reviewed_move<G: Reviewed>(
    (position, mv): (&G, G::Move),
    judgment: Judgment,
    [best, reply]: [&[G::Move]; 2],
    names: SquareNames,
    clock: Option<f64>,
) -> ReviewedMove {
    ReviewedMove {
        side: position.turn(),
        mv: position.in_names(mv, names),
        path: if names == SquareNames::Agents { position.as_agents_write(mv) } else { position.by_squares(mv) },
        board: compact(position),
        before: judgment.before,
        after: judgment.after,
        loss: judgment.loss,
        mark: judgment.mark,
        best: in_words(*position, best, names),
        reply: in_words(position.play(mv), reply, names),
        clock,
    }
}

fn in_words<G: Reviewed>(mut position: G, moves: &[G::Move], names: SquareNames) -> Vec<String> {
    let words = moves.iter().map(|&mv| {
        let word = position.in_names(mv, names);
        position = position.play(mv);
        word
    });
    words.collect()
}

/// Result of a game as records write it; `1-0` means that Black won.
pub(super) fn result_code(result: Option<Outcome>) -> &'static str {
    match result {
        Some(Outcome::Win(Color::Black)) => "1-0",
        Some(Outcome::Win(Color::White)) => "0-1",
        Some(Outcome::Draw) => "1/2-1/2",
        None => "*",
    }
}

/// Applies `work` to each item, and returns the results in order. `progress` is called with the number of items done; if
/// it returns `false`, the work ends, and there are no results.
pub(super) fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    threads: NonZeroUsize,
    work: impl Fn(&T) -> R + Sync,
    progress: &mut dyn FnMut(usize) -> bool,
) -> Option<Vec<R>> {
    let mut done = Vec::with_capacity(items.len());
    let keep = |place, result| {
        done.push((place, result));
        progress(done.len()).then_some(()).ok_or(())
    };
    Threads { count: threads.get() }.spread(items, |item| Some(work(item)), keep).ok()?;
    done.sort_by_key(|&(place, _)| place);
    Some(done.into_iter().map(|(_, result)| result).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_and_progress_may_end_the_work() {
        let items: Vec<usize> = (0..50).collect();
        for threads in [1, 3, 100].map(|threads| NonZeroUsize::new(threads).expect("a thread")) {
            let mut seen = Vec::new();
            let mut note = |done| {
                seen.push(done);
                true
            };
            let squares = in_parallel(&items, threads, |item| item * item, &mut note).expect("results");
            assert!(squares.iter().enumerate().all(|(item, &square)| square == item * item));
            assert!(seen.into_iter().eq(1..=50));
            assert_eq!(in_parallel(&items, threads, |_| (), &mut |done| done < 5), None);
        }
    }
}
