//! Lowers `arc.vectorize`, which applies a function to several values.

use sluice_dialects::arc::{Form, form, groups};
use sluice_ir::{Body, OperationId, ValueId, View};

use super::Lowering;
use crate::circuits::maker::Maker;

impl Lowering<'_> {
    /// Applies the function of an `arc.vectorize` to all its values.
    pub(super) fn vectors(&mut self, body: &mut Body, op: OperationId, callers: &mut Vec<String>) {
        let context = self.context;
        let view = View::new(context, body, op);
        let is_integer = |value: ValueId| body.ty(value).width_bits(context).is_some();
        let is_all_integers =
            view.operands().all(is_integer) && view.results().iter().copied().all(is_integer);
        let place = view.location();
        let form = match form(view) {
            Ok(form) => form,
            Err(why) => {
                self.found.error(place, why);
                return;
            }
        };
        if form != Form::Alike && !is_all_integers {
            let message = "values in vectors have no circuit: integers side by side or in one word are expected";
            self.found.error(place, message);
            return;
        }
        let groups = groups(view);
        let n_values = groups.first().map_or(0, Vec::len);
        let Some(function) = self.inside(body, op, callers) else {
            return;
        };
        let put = |body: &mut Body, inputs: &[ValueId]| {
            let results = function.put(context, body, op, inputs);
            results.first().copied()
        };
        let mut results = Vec::new();
        match form {
            Form::Alike => {
                for value in 0..n_values {
                    let inputs: Vec<ValueId> = groups.iter().map(|group| group[value]).collect();
                    results.extend(put(body, &inputs));
                }
            }
            Form::WordsOutside(n) => {
                let mut all = Vec::new();
                for value in 0..n {
                    let mut maker = Maker::before(context, body, op);
                    let words = groups.iter().map(|group| maker.part(group[0], value, n));
                    let inputs: Vec<ValueId> = words.collect();
                    all.extend(put(body, &inputs));
                }
                results.push(Maker::before(context, body, op).concat(&all));
            }
            Form::WordsInside(n) => {
                let mut maker = Maker::before(context, body, op);
                let words = groups.iter().map(|group| match group[..] {
                    // One scalar for all lanes.
                    [one] => maker.concat(&vec![one; n as usize]),
                    _ => maker.concat(group),
                });
                let inputs: Vec<ValueId> = words.collect();
                if let Some(word) = put(body, &inputs) {
                    let mut maker = Maker::before(context, body, op);
                    for value in 0..u32::try_from(n_values).unwrap_or(0) {
                        results.push(maker.part(word, value, n));
                    }
                }
            }
        }
        self.replace(body, op, &results);
    }
}

impl Maker<'_> {
    /// Extracts one of `n` values from a word whose first value is in the highest bits.
    fn part(&mut self, word: ValueId, number: u32, n: u32) -> ValueId {
        let width = self.width(word) / n;
        self.extract(word, (n - 1 - number) * width, width)
    }
}
