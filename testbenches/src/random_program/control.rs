//! Random loops and conditionals of `scf` and `affine`.

use super::affine_expressions::{Dimensions, Expression};
use super::generator::{AffineUse, Generator, holes, region_holes, result_list, type_list};
use super::{Type, ValueId};

fn plain(types: &[Type]) -> Vec<(Type, AffineUse)> {
    types
        .iter()
        .map(|ty| (ty.clone(), AffineUse::None))
        .collect()
}

/// Returns ` -> (i8, i3)`, or nothing without types.
fn arrow(types: &[Type]) -> String {
    if types.is_empty() {
        String::new()
    } else {
        format!(" -> ({})", type_list(types))
    }
}

/// Returns `scf.yield %y0.0 : i8` on a line of its own, or nothing without types.
fn passed(dialect: &str, region: usize, types: &[Type]) -> String {
    if types.is_empty() {
        String::new()
    } else {
        let holes = region_holes('y', region, 0, types.len());
        format!("{dialect}.yield {holes} : {}\n", type_list(types))
    }
}

/// Returns ` iter_args(%a0.1 = %o3) -> (i8)`, or nothing without types.
fn carried(types: &[Type], first_operand: usize) -> String {
    if types.is_empty() {
        return String::new();
    }
    let all: Vec<String> = (0..types.len())
        .map(|i| format!("%a0.{} = %o{}", i + 1, first_operand + i))
        .collect();
    format!(" iter_args({}){}", all.join(", "), arrow(types))
}

impl Generator {
    /// Creates the body of a loop with its variable and carried values. It is run at most `times` times; `trips` is the exact
    /// number if it is known, else 0.
    fn loop_body(
        &mut self,
        variable: (Type, AffineUse),
        types: &[Type],
        times: u64,
        trips: u64,
    ) -> super::Region {
        let mut arguments = vec![variable];
        arguments.extend(plain(types));
        let region = self.region(&arguments, times, true, |g, _| {
            g.block();
            g.find_all(types)
        });
        self.loops.push((region.arguments[0], trips));
        region
    }

    pub(super) fn counted_loop(&mut self) {
        if self.once_in(4) {
            return self.integer_loop();
        }
        let index = Type::Index { below: None };
        let trips = self.trips();
        let mut constant = true;
        let lower = if self.once_in(3) {
            constant = false;
            self.find(&Type::Index { below: Some(4) })
        } else {
            self.constant(&index, 0)
        };
        let upper = if self.once_in(3) {
            constant = false;
            self.find(&Type::Index {
                below: Some(trips + 1),
            })
        } else {
            self.constant(&index, i128::from(trips))
        };
        let stride = [1, 1, 1, 2, 3][self.choose(5)];
        let known = if constant { trips.div_ceil(stride) } else { 0 };
        let step = self.constant(&index, i128::from(stride));
        let types = self.scalar_types(3);
        let inits = self.find_all(&types);
        let variable = Type::Index {
            below: Some(trips.max(1)),
        };
        let region = self.loop_body((variable, AffineUse::None), &types, trips, known);
        let template = format!(
            "{}scf.for %a0.0 = %o0 to %o1 step %o2{} {{\n&0\n{}}}",
            result_list(types.len()),
            carried(&types, 3),
            passed("scf", 0, &types)
        );
        let operands: Vec<ValueId> = [lower, upper, step].into_iter().chain(inits).collect();
        self.emit_with(template, &operands, &types, vec![region]);
    }

    /// Creates an `scf.for` over a signless integer with small bounds, so that the variable never wraps.
    fn integer_loop(&mut self) {
        let width_bits = self.width();
        if width_bits < 7 {
            return self.affine_loop();
        }
        let ty = Type::Integer(width_bits);
        let t = ty.text();
        let trips = self.trips().min(7);
        let lower = i64::try_from(self.choose(9)).expect("small") - 5;
        let step = 1 + self.choose(2);
        let bound = self.find(&ty);
        let types = self.scalar_types(2);
        let inits = self.find_all(&types);
        let region = self.loop_body((ty, AffineUse::None), &types, trips, 0);
        let upper = if self.once_in(2) {
            let mask = (trips + 1).next_power_of_two() / 2;
            let mask = mask.saturating_sub(1);
            format!(
                "%l1 = arith.constant {mask} : {t}\n%l2 = arith.andi %o0, %l1 : {t}\n%l3 = arith.addi %l0, %l2 : {t}"
            )
        } else {
            let upper = lower + i64::try_from(trips).expect("small");
            format!("%l3 = arith.constant {upper} : {t}")
        };
        let template = format!(
            "%l0 = arith.constant {lower} : {t}\n{upper}\n%l4 = arith.constant {step} : {t}\n\
             {}scf.for %a0.0 = %l0 to %l3 step %l4{} : {t} {{\n&0\n{}}}",
            result_list(types.len()),
            carried(&types, 1),
            passed("scf", 0, &types)
        );
        let operands: Vec<ValueId> = [bound].into_iter().chain(inits).collect();
        self.emit_with(template, &operands, &types, vec![region]);
    }

    /// Returns one bound of an affine loop: its text with holes from `first` on, its values, and its range.
    fn affine_bound(&mut self, keyword: &str, first: usize) -> (String, Vec<ValueId>, i64, i64) {
        let mut dimensions = Dimensions::default();
        let n = [1, 1, 1, 2][self.choose(4)];
        let all: Vec<Expression> = (0..n)
            .map(|_| self.expression(&mut dimensions, 1))
            .collect();
        let texts: Vec<&str> = all.iter().map(|e| e.text.as_str()).collect();
        let keyword = if n > 1 {
            format!("{keyword} ")
        } else {
            String::new()
        };
        let text = format!(
            "{keyword}affine_map<{} -> ({})>({})",
            dimensions.names(),
            texts.join(", "),
            holes('o', first, dimensions.values.len())
        );
        let (mins, maxs) = (all.iter().map(|e| e.min), all.iter().map(|e| e.max));
        let (min, max) = if keyword.starts_with("max") {
            (mins.max(), maxs.max())
        } else {
            (mins.min(), maxs.min())
        };
        (
            text,
            dimensions.values,
            min.expect("not empty"),
            max.expect("not empty"),
        )
    }

    pub(super) fn affine_loop(&mut self) {
        let trips = self.trips();
        let (mut lower, mut lower_values, mut lower_min) = ("0".to_owned(), Vec::new(), 0);
        if self.once_in(3) {
            let (text, values, min, _) = self.affine_bound("max", 0);
            if min >= 0 {
                (lower, lower_values, lower_min) = (text, values, min);
            }
        }
        let (mut upper, mut upper_values) = ((lower_min + 1).to_string(), Vec::new());
        let mut below = u64::try_from(lower_min + 1).expect("not negative");
        if self.once_in(3) {
            let (text, values, _, max) = self.affine_bound("min", lower_values.len());
            let most = i64::try_from(200 / self.multiplier.max(1)).expect("small");
            if max - lower_min <= most {
                (upper, upper_values) = (text, values);
                below = u64::try_from(max.max(1)).expect("positive");
            }
        } else {
            let lower_min = u64::try_from(lower_min).expect("not negative");
            upper = (lower_min + trips).to_string();
            below = (lower_min + trips).max(1);
        }
        let n_bound = lower_values.len() + upper_values.len();
        let step = [1, 1, 1, 2, 3][self.choose(5)];
        let known = if n_bound == 0 {
            trips.div_ceil(step)
        } else {
            0
        };
        let step = if step == 1 {
            String::new()
        } else {
            format!(" step {step}")
        };
        let types = self.scalar_types(2);
        let inits = self.find_all(&types);
        let operands: Vec<ValueId> = lower_values
            .into_iter()
            .chain(upper_values)
            .chain(inits)
            .collect();
        let times = below - u64::try_from(lower_min).expect("not negative").min(below);
        let variable = Type::Index { below: Some(below) };
        let region = self.loop_body((variable, AffineUse::Dimension), &types, times, known);
        let template = format!(
            "{}affine.for %a0.0 = {lower} to {upper}{step}{} {{\n&0\n{}}}",
            result_list(types.len()),
            carried(&types, n_bound),
            passed("affine", 0, &types)
        );
        self.emit_with(template, &operands, &types, vec![region]);
    }

    /// Creates a parallel loop in which each iteration writes its own cell of a memory that nothing else in the body accesses.
    pub(super) fn parallel_loop(&mut self) {
        let memories: Vec<ValueId> = self
            .visible
            .iter()
            .map(|v| v.value)
            .filter(|v| match self.ty(*v) {
                Type::Memory {
                    shape, writable, ..
                } => {
                    *writable
                        && !shape.is_empty()
                        && shape.iter().product::<u64>() * self.multiplier <= 200
                }
                Type::Integer(_) | Type::Index { .. } => false,
            })
            .collect();
        // Casts may give a memory two names. Then other accesses may reach the same memory, so this is safe only with a single
        // memory.
        let single = memories.len() == 1 && self.untouched.is_empty();
        if !single {
            return self.counted_loop();
        }
        let memory = memories[0];
        let Type::Memory { shape, element, .. } = self.ty(memory).clone() else {
            return;
        };
        let in_affine = self.once_in(2);
        let variable_use = if in_affine {
            AffineUse::Dimension
        } else {
            AffineUse::None
        };
        let arguments: Vec<(Type, AffineUse)> = shape
            .iter()
            .map(|n| (Type::Index { below: Some(*n) }, variable_use))
            .collect();
        let casts: Vec<ValueId> = self
            .visible
            .iter()
            .map(|v| v.value)
            .filter(|v| matches!(self.ty(*v), Type::Memory { .. }))
            .collect();
        self.untouched = casts;
        let region = self.region(&arguments, shape.iter().product(), true, |g, _| {
            for _ in 0..1 + g.choose(3) {
                g.arithmetic();
            }
            vec![g.find(&super::element_type(element))]
        });
        self.untouched.clear();
        let n = shape.len();
        let ends: Vec<String> = shape.iter().map(u64::to_string).collect();
        let variables = region_holes('a', 0, 0, n);
        let t = self.ty(memory).text();
        let template = if in_affine {
            format!(
                "affine.parallel ({variables}) = ({}) to ({}) {{\n&0\naffine.store %y0.0, %o0[{variables}] : {t}\n}}",
                vec!["0"; n].join(", "),
                ends.join(", "),
            )
        } else {
            let bounds: String = (0..n)
                .map(|i| format!("%l{} = arith.constant {} : index\n", i + 2, ends[i]))
                .collect();
            format!(
                "%l0 = arith.constant 0 : index\n%l1 = arith.constant 1 : index\n{bounds}\
                 scf.parallel ({variables}) = ({}) to ({}) step ({}) {{\n&0\nmemref.store %y0.0, %o0[{variables}] : {t}\nscf.reduce\n}}",
                vec!["%l0"; n].join(", "),
                holes('l', 2, n),
                vec!["%l1"; n].join(", "),
            )
        };
        self.emit_with(template, &[memory], &[], vec![region]);
    }

    /// Creates loads and a store at constant distances from the loop variable, with dependences over a few iterations.
    pub(super) fn stencil(&mut self) {
        let memories: Vec<ValueId> = self
            .visible
            .iter()
            .map(|v| v.value)
            .filter(|v| match self.ty(*v) {
                Type::Memory {
                    shape, writable, ..
                } => *writable && shape.first().is_some_and(|n| *n >= 5),
                Type::Integer(_) | Type::Index { .. } => false,
            })
            .collect();
        if memories.is_empty() || self.multiplier * 16 > 200 || !self.untouched.is_empty() {
            return self.affine_loop();
        }
        let memory = memories[self.choose(memories.len())];
        let Type::Memory { shape, element, .. } = self.ty(memory).clone() else {
            return;
        };
        let inner = super::element_type(element);
        let types = self.scalar_types(1);
        let inits = self.find_all(&types);
        let scaled = self.once_in(4);
        let (first, last) = if scaled {
            (1, (shape[0] - 2) / 2)
        } else {
            (2, shape[0] - 2)
        };
        let mut places = Vec::new();
        for _ in 0..3 {
            let offset = self.choose(if scaled { 4 } else { 5 });
            let place = if scaled {
                format!("%a0.0 * 2 - 2 + {offset}")
            } else {
                format!("%a0.0 - 2 + {offset}")
            };
            let rest: String = shape[1..]
                .iter()
                .map(|n| format!(", {}", self.random.next_u64() % n))
                .collect();
            places.push(format!("{place}{rest}"));
        }
        let n_loads = 1 + self.choose(2);
        let conditional = self.once_in(3);
        let mut arguments = vec![(
            Type::Index {
                below: Some(last.max(first + 1)),
            },
            AffineUse::Dimension,
        )];
        arguments.extend(plain(&types));
        arguments.extend(plain(&vec![inner.clone(); n_loads]));
        let region = self.region(&arguments, last, true, |g, _| {
            g.block();
            let mut passed = g.find_all(&types);
            passed.push(g.find(&inner));
            if conditional {
                passed.push(g.find(&Type::Integer(1)));
            }
            passed
        });
        let trips = last.saturating_sub(first);
        self.loops.push((region.arguments[0], trips));
        let (t, n) = (self.ty(memory).text(), types.len());
        let loads: String = (0..n_loads)
            .map(|i| {
                let at = n + 1 + i;
                format!("%a0.{at} = affine.load %o0[{}] : {t}\n", places[i])
            })
            .collect();
        let mut store = format!("affine.store %y0.{n}, %o0[{}] : {t}\n", places[2]);
        if conditional {
            store = format!("scf.if %y0.{} {{\n{store}}}\n", n + 1);
        }
        let template = format!(
            "{}affine.for %a0.0 = {first} to {last}{} {{\n{loads}&0\n{store}{}}}",
            result_list(n),
            carried(&types, 1),
            passed("affine", 0, &types)
        );
        let operands: Vec<ValueId> = [memory].into_iter().chain(inits).collect();
        self.emit_with(template, &operands, &types, vec![region]);
    }

    /// Creates a switch with three regions, selected by an index.
    pub(super) fn index_switch(&mut self) {
        let index = self.find(&Type::Index { below: Some(8) });
        let types = self.scalar_types(2);
        let regions: Vec<super::Region> = (0..3).map(|_| self.branch(&types)).collect();
        let end = |region: usize| {
            if types.is_empty() {
                "scf.yield\n".to_owned()
            } else {
                passed("scf", region, &types)
            }
        };
        let template = format!(
            "{}scf.index_switch %o0{}\ncase 1 {{\n&0\n{}}}\ncase 3 {{\n&1\n{}}}\ndefault {{\n&2\n{}}}",
            result_list(types.len()),
            if types.is_empty() {
                String::new()
            } else {
                format!(" -> {}", type_list(&types))
            },
            end(0),
            end(1),
            end(2)
        );
        self.emit_with(template, &[index], &types, regions);
    }

    fn branch(&mut self, types: &[Type]) -> super::Region {
        self.region(&[], 1, true, |g, _| {
            g.block();
            g.find_all(types)
        })
    }

    /// Creates a conditional whose condition is given as text; with results it always has two branches.
    fn two_branches(&mut self, head: &str, dialect: &str, operands: &[ValueId]) {
        let types = self.scalar_types(2);
        let mut regions = vec![self.branch(&types)];
        let mut template = format!(
            "{}{head}{} {{\n&0\n{}}}",
            result_list(types.len()),
            arrow(&types),
            passed(dialect, 0, &types)
        );
        if !types.is_empty() || self.once_in(2) {
            regions.push(self.branch(&types));
            template += &format!(" else {{\n&1\n{}}}", passed(dialect, 1, &types));
        }
        self.emit_with(template, operands, &types, regions);
    }

    pub(super) fn conditional(&mut self) {
        let condition = self.condition();
        self.two_branches("scf.if %o0", "scf", &[condition]);
    }

    pub(super) fn affine_conditional(&mut self) {
        let mut dimensions = Dimensions::default();
        let constraints: Vec<String> = (0..1 + self.choose(2))
            .map(|_| {
                let text = self.expression(&mut dimensions, 2).text;
                let c = self.choose(6);
                let relation = ["==", ">=", ">="][self.choose(3)];
                format!("{text} - {c} {relation} 0")
            })
            .collect();
        let head = format!(
            "affine.if affine_set<{} : ({})>({})",
            dimensions.names(),
            constraints.join(", "),
            holes('o', 0, dimensions.values.len())
        );
        self.two_branches(&head, "affine", &dimensions.values);
    }

    pub(super) fn execute_region(&mut self) {
        let types = self.scalar_types(2);
        let region = self.branch(&types);
        let end = if types.is_empty() {
            "scf.yield\n".to_owned()
        } else {
            passed("scf", 0, &types)
        };
        let template = format!(
            "{}scf.execute_region{} {{\n&0\n{end}}}",
            result_list(types.len()),
            arrow(&types)
        );
        self.emit_with(template, &[], &types, vec![region]);
    }

    /// Creates a loop whose trip count depends on data; it terminates because its counter only decreases.
    pub(super) fn while_loop(&mut self) {
        let start = self.any_integer();
        let Type::Integer(width_bits) = *self.ty(start) else {
            return;
        };
        if width_bits < 3 || self.multiplier * 4 > 200 {
            return self.arithmetic();
        }
        let t = format!("i{width_bits}");
        let (before_types, after_types) = (self.scalar_types(2), self.scalar_types(2));
        let inits = self.find_all(&before_types);
        let with_condition = self.once_in(2);
        let condition_type = if with_condition {
            vec![Type::Integer(1)]
        } else {
            Vec::new()
        };
        let before_passed: Vec<Type> = condition_type.iter().chain(&after_types).cloned().collect();
        let empty = self.once_in(2);
        let before = self.region(&plain(&before_types), 4, true, |g, _| {
            if !empty {
                g.block();
            }
            g.find_all(&before_passed)
        });
        let after = self.region(&plain(&after_types), 3, true, |g, _| {
            g.block();
            g.find_all(&before_types)
        });
        let list = |types: &[Type]| {
            let mut all = vec![t.clone()];
            all.extend(types.iter().map(Type::text));
            all.join(", ")
        };
        let and_more = |holes: String| {
            if holes.is_empty() {
                holes
            } else {
                format!(", {holes}")
            }
        };
        let starts: String = (0..before_types.len())
            .map(|i| format!(", %a0.{i} = %o{}", i + 1))
            .collect();
        let n_condition = condition_type.len();
        let condition = if with_condition {
            "%l5 = arith.cmpi ne, %l4, %l2 : T\n%l6 = arith.andi %l5, %y0.0 : i1"
        } else {
            "%l6 = arith.cmpi ne, %l4, %l2 : T"
        }
        .replace('T', &t);
        let after_arguments: String = after_types
            .iter()
            .enumerate()
            .map(|(i, ty)| format!(", %a1.{i}: {}", ty.text()))
            .collect();
        let template = format!(
            "%l0 = arith.constant 3 : {t}\n%l1 = arith.constant 1 : {t}\n%l2 = arith.constant 0 : {t}\n\
             %l3 = arith.andi %o0, %l0 : {t}\n\
             %l9{results} = scf.while (%l4 = %l3{starts}) : ({before_list}) -> ({after_list}) {{\n&0\n{condition}\n\
             scf.condition(%l6) %l4{to_after} : {after_list}\n}} do {{\n^bb0(%l7: {t}{after_arguments}):\n&1\n\
             %l8 = arith.subi %l7, %l1 : {t}\nscf.yield %l8{to_before} : {before_list}\n}}",
            results = and_more(holes('r', 0, after_types.len())),
            before_list = list(&before_types),
            after_list = list(&after_types),
            to_after = and_more(region_holes('y', 0, n_condition, after_types.len())),
            to_before = and_more(region_holes('y', 1, 0, before_types.len())),
        );
        let operands: Vec<ValueId> = [start].into_iter().chain(inits).collect();
        self.emit_with(template, &operands, &after_types, vec![before, after]);
    }
}
