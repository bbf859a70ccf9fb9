//! Full solution of a small game by retrograde analysis, as an oracle for the solver's tests.

use std::collections::{HashMap, VecDeque};

use kingline::game::{Canonical, Color, Outcome};

/// Value of a position for the side to move, with the plies of best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Won(u16),
    Lost(u16),
    Neither,
}

/// Values of all positions that can follow the start, counted by form.
pub(super) struct Oracle<G> {
    forms: Vec<u128>,
    values: HashMap<u128, Value>,
    game: std::marker::PhantomData<G>,
}

impl<G: Canonical> Oracle<G> {
    /// Solves the game.
    pub(super) fn from_start() -> Oracle<G> {
        let mut forms = vec![G::start().form()];
        let mut places = HashMap::from([(forms[0], 0)]);
        // For each position: those before it, and the number of moves that are not known to lose.
        let (mut before, mut open): (Vec<Vec<usize>>, Vec<usize>) = (vec![Vec::new()], Vec::new());
        let mut values: Vec<Option<Value>> = vec![None];
        let mut decided = VecDeque::new();
        while open.len() < forms.len() {
            let place = open.len();
            let position = G::of_form(forms[place], Color::Black).expect("a position");
            let mut losing = 0;
            let moves = position.legal_moves();
            for &mv in &moves {
                let after = position.play(mv);
                match after.outcome() {
                    Some(Outcome::Win(Color::Black)) => values[place] = Some(Value::Won(1)),
                    Some(Outcome::Win(Color::White)) => losing += 1,
                    Some(Outcome::Draw) => {}
                    None => {
                        let next = *places.entry(after.form()).or_insert_with(|| {
                            forms.push(after.form());
                            before.push(Vec::new());
                            values.push(None);
                            forms.len() - 1
                        });
                        before[next].push(place);
                    }
                }
            }
            open.push(moves.len() - losing);
            if open[place] == 0 && values[place].is_none() {
                values[place] = Some(Value::Lost(moves.len().min(1) as u16));
            }
            if values[place].is_some() {
                decided.push_back(place);
            }
        }
        // Short distances come first, so that each value is final when it is set.
        let distance = |value| match value {
            Some(Value::Won(plies) | Value::Lost(plies)) => plies,
            _ => 0,
        };
        decided.make_contiguous().sort_by_key(|&place| distance(values[place]));
        while let Some(place) = decided.pop_front() {
            let plies = distance(values[place]) + 1;
            for &earlier in &before[place] {
                if values[earlier].is_some() {
                    continue;
                }
                open[earlier] -= 1;
                match values[place] {
                    Some(Value::Lost(_)) => values[earlier] = Some(Value::Won(plies)),
                    _ if open[earlier] == 0 => values[earlier] = Some(Value::Lost(plies)),
                    _ => continue,
                }
                decided.push_back(earlier);
            }
        }
        let all = forms.iter().zip(values).map(|(&form, value)| (form, value.unwrap_or(Value::Neither)));
        Oracle { values: all.collect(), forms, game: std::marker::PhantomData }
    }

    /// Forms of all positions.
    pub(super) fn positions(&self) -> &[u128] {
        &self.forms
    }

    /// Value of a position that can follow the start.
    pub(super) fn value(&self, form: u128) -> Value {
        self.values[&form]
    }
}
