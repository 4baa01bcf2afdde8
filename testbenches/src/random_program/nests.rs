//! Random nests of affine loops with dependences in all directions, for the directives that reorder iterations.

use super::generator::{AffineUse, Generator};
use super::{Type, ValueId};

/// Extents of the memories that a nest accesses.
const EXTENTS: [u64; 2] = [6, 6];

/// Counters run from `FIRST` to `LAST - 1`; a subscript differs from a counter by at most `FIRST`.
const FIRST: u64 = 2;
const LAST: u64 = 5;

/// A nest for which directives can be given.
#[derive(Clone, Debug)]
pub(super) struct Nest {
    /// Loop counters, the outermost first.
    pub(super) counters: Vec<ValueId>,
    /// Whether another loop follows.
    pub(super) has_follower: bool,
}

impl Generator {
    /// Creates two or three nested loops with loads and stores near the diagonal, sometimes with statements between the loops,
    /// and sometimes with another loop after them.
    pub(super) fn nest(&mut self) {
        let depth = 2 + self.choose(2);
        let times = (LAST - FIRST).pow(u32::try_from(depth).expect("small"));
        if !self.untouched.is_empty() || self.multiplier * times > 200 {
            return self.affine_loop();
        }
        let wanted = |g: &mut Self| {
            let width_bits = g.width();
            Type::Memory {
                shape: EXTENTS.to_vec(),
                element: crate::oracle::Element::Integer { width_bits },
                writable: true,
            }
        };
        let ty = wanted(self);
        let Type::Memory { element, .. } = ty else {
            return;
        };
        let crate::oracle::Element::Integer {
            width_bits: element_bits,
        } = element
        else {
            return;
        };
        let scalar = super::element_type(element);
        let (first, second) = (self.find(&ty), self.find(&ty));
        let memory = |g: &mut Self| ["%o0", "%o1"][g.choose(2)];
        let t = ty.text();
        let mut heads = Vec::new();
        for level in 0..depth {
            let (lower, upper) = self.bounds(level);
            let step = if self.once_in(8) { " step 2" } else { "" };
            heads.push(format!(
                "affine.for %a0.{level} = {lower} to {upper}{step} {{\n"
            ));
        }
        // Sometimes a stencil: many reads of few cells.
        let n_loads = 1 + if self.once_in(2) {
            self.choose(2)
        } else {
            2 + self.choose(4)
        };
        let one = ["%o0", "%o1"][self.choose(2)];
        let mut arguments: Vec<(Type, AffineUse)> = (0..depth)
            .map(|_| {
                (
                    Type::Index {
                        below: Some(EXTENTS[0]),
                    },
                    AffineUse::Dimension,
                )
            })
            .collect();
        arguments.extend((0..n_loads).map(|_| (scalar.clone(), AffineUse::None)));
        let region = self.region(&arguments, times, true, |g, _| {
            for _ in 0..g.choose(4) {
                g.arithmetic();
            }
            vec![g.find(&scalar), g.find(&scalar)]
        });
        let mut text = String::new();
        let mut n_locals = 0;
        let mut copy = |g: &mut Self, counters: usize, text: &mut String| {
            let (from, to) = (memory(g), memory(g));
            let (a, b) = (g.around(counters), g.around(counters));
            *text += &format!("%l{n_locals} = affine.load {from}[{a}] : {t}\n");
            if g.once_in(2) {
                *text += &g.square(element_bits, n_locals);
                n_locals += 3;
            }
            *text += &format!("affine.store %l{n_locals}, {to}[{b}] : {t}\n");
            n_locals += 1;
        };
        for (level, head) in heads.iter().enumerate() {
            text += head;
            if level + 1 < depth && self.once_in(4) {
                copy(self, level + 1, &mut text);
            }
        }
        for i in 0..n_loads {
            let from = if n_loads > 2 { one } else { memory(self) };
            let at = self.around(depth);
            text += &format!("%a0.{} = affine.load {from}[{at}] : {t}\n", depth + i);
        }
        text += "&0\n";
        for i in 0..1 + self.choose(2) {
            let (to, at) = (memory(self), self.around(depth));
            text += &format!("affine.store %y0.{i}, {to}[{at}] : {t}\n");
        }
        for level in (0..depth).rev() {
            text += "}\n";
            if level > 0 && self.once_in(5) {
                copy(self, level, &mut text);
            }
        }
        let has_follower = self.once_in(2);
        if has_follower {
            let (start, end) = (
                FIRST + self.random.next_u64() % 2,
                LAST + self.random.next_u64() % 2,
            );
            let end = end.min(EXTENTS[0] - 2);
            let (from, to) = (memory(self), memory(self));
            let shift = |g: &mut Self| i64::try_from(g.choose(4)).expect("small") - 2;
            let (a, b) = (shift(self), shift(self));
            let column = self.choose(4);
            text += &format!(
                "affine.for %l20 = {start} to {end} {{\n%l21 = affine.load {from}[%l20 + {a}, {column}] : {t}\n\
                 affine.store %l21, {to}[%l20 + {b}, %l20] : {t}\n}}\n"
            );
        }
        // The contents of the memories affect the result.
        let e = scalar.text();
        text += &format!(
            "%l30 = arith.constant {}\n%r0 = affine.for %l31 = 0 to {} iter_args(%l32 = %l30) -> ({e}) {{\n\
             %l33 = affine.for %l34 = 0 to {} iter_args(%l35 = %l32) -> ({e}) {{\n\
             %l36 = affine.load %o0[%l31, %l34] : {t}\n%l37 = affine.load %o1[%l34, %l31] : {t}\n\
             %l38 = arith.xori %l36, %l35 : {e}\n%l39 = arith.addi %l38, %l38 : {e}\n%l40 = arith.subi %l39, %l37 : {e}\n\
             affine.yield %l40 : {e}\n}}\naffine.yield %l33 : {e}\n}}",
            if e == "i1" {
                "false".to_owned()
            } else {
                format!("0 : {e}")
            },
            EXTENTS[0],
            EXTENTS[1],
        );
        let counters = region.arguments[..depth].to_vec();
        self.nests.push(Nest {
            counters,
            has_follower,
        });
        self.emit_with(text, &[first, second], &[scalar], vec![region]);
    }

    /// Returns the bounds of a loop of a nest: constants, or the counter of the outer loop.
    fn bounds(&mut self, level: usize) -> (String, String) {
        let around = level.checked_sub(1);
        match (around, self.choose(5)) {
            (Some(around), 0) => (
                format!("affine_map<(d0) -> (d0)>(%a0.{around})"),
                LAST.to_string(),
            ),
            (Some(around), 1) => (
                FIRST.to_string(),
                format!("affine_map<(d0) -> (d0 + 1)>(%a0.{around})"),
            ),
            (Some(around), 2) => (
                format!("max affine_map<(d0) -> (d0 - 1, {FIRST})>(%a0.{around})"),
                format!("min affine_map<(d0) -> (d0 + 2, {LAST})>(%a0.{around})"),
            ),
            _ => (FIRST.to_string(), LAST.to_string()),
        }
    }

    /// Returns subscripts close to the counters.
    fn around(&mut self, n_counters: usize) -> String {
        let mut one = || {
            let shift = i64::try_from(self.choose(4)).expect("small") - 2;
            match self.choose(8) {
                0 => self.choose(6).to_string(),
                _ => format!("%a0.{} + {shift}", self.choose(n_counters)),
            }
        };
        let (row, column) = (one(), one());
        format!("{row}, {column}")
    }

    /// Returns the square of `%l<local>`, of `width_bits`, converted to another width; it takes the next three local values. It
    /// may share a multiplier with wider or narrower products.
    fn square(&mut self, width_bits: u32, local: usize) -> String {
        let other_bits = self.width().min(40);
        let [of, product, result] = [1, 2, 3].map(|n| format!("%l{}", local + n));
        let converted = |to: &str, from: &str, (from_bits, to_bits): (u32, u32)| {
            let name = match from_bits.cmp(&to_bits) {
                std::cmp::Ordering::Less => "extsi",
                std::cmp::Ordering::Greater => "trunci",
                std::cmp::Ordering::Equal => {
                    return format!("{to} = arith.ori {from}, {from} : i{from_bits}\n");
                }
            };
            format!("{to} = arith.{name} {from} : i{from_bits} to i{to_bits}\n")
        };
        converted(&of, &format!("%l{local}"), (width_bits, other_bits))
            + &format!("{product} = arith.muli {of}, {of} : i{other_bits}\n")
            + &converted(&result, &product, (other_bits, width_bits))
    }
}
