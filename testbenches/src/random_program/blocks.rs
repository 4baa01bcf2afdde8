//! Random control flow between blocks of a function: conditionals, loops with two exits, early returns.

use super::generator::{AffineUse, Generator, holes, region_holes, type_list};
use super::{Region, Type, ValueId};

/// Returns `(%y0.0 : i8)`, or nothing without types.
fn handed_on(kind: char, region: usize, first: usize, types: &[Type]) -> String {
    if types.is_empty() {
        String::new()
    } else {
        let holes = region_holes(kind, region, first, types.len());
        format!("({holes} : {})", type_list(types))
    }
}

fn arguments(kind: &str, types: &[Type]) -> String {
    let all: Vec<String> = types
        .iter()
        .enumerate()
        .map(|(i, ty)| format!("%{kind}{i}: {}", ty.text()))
        .collect();
    if all.is_empty() {
        String::new()
    } else {
        format!("({})", all.join(", "))
    }
}

impl Generator {
    pub(super) fn between_blocks(&mut self) {
        match self.choose(9) {
            0..=2 => self.branches(),
            3..=5 if self.may_loop() => self.loop_of_blocks(),
            6 => self.same_block(),
            7 => self.switch(),
            _ => self.early_return(),
        }
    }

    fn part(&mut self, arguments: &[Type], passed: &[Type], times: u64) -> Region {
        let arguments: Vec<(Type, AffineUse)> = arguments
            .iter()
            .map(|ty| (ty.clone(), AffineUse::Symbol))
            .collect();
        self.region(&arguments, times, false, |g, _| {
            g.block();
            g.find_all(passed)
        })
    }

    fn branches(&mut self) {
        let condition = self.condition();
        let (given, types) = (self.scalar_types(2), self.scalar_types(2));
        let operands = self.find_all(&given);
        let first = self.part(&given, &types, 1);
        let second = self.part(&[], &types, 1);
        let to_first = if given.is_empty() {
            String::new()
        } else {
            format!("({} : {})", holes('o', 1, given.len()), type_list(&given))
        };
        let template = format!(
            "cf.cond_br %o0, ^l0{to_first}, ^l1\n^l0{}:\n&0\ncf.br ^l2{}\n^l1:\n&1\ncf.br ^l2{}\n^l2{}:",
            arguments("a0.", &given),
            handed_on('y', 0, 0, &types),
            handed_on('y', 1, 0, &types),
            arguments("r", &types)
        );
        let operands: Vec<ValueId> = [condition].into_iter().chain(operands).collect();
        self.emit_with(template, &operands, &types, vec![first, second]);
    }

    /// Creates a loop with a head, a body, and sometimes a second exit in the middle.
    fn loop_of_blocks(&mut self) {
        let trips = self.trips().min(7);
        let types = self.scalar_types(2);
        let inits = self.find_all(&types);
        let leaves = self.once_in(2);
        let head = self.part(&types, &types, trips + 1);
        let mut body_passed = types.clone();
        if leaves {
            body_passed.push(Type::Integer(1));
            body_passed.extend(types.clone());
        }
        let body = self.part(&[], &body_passed, trips);
        let and_more = |text: String| {
            if text.is_empty() {
                text
            } else {
                format!(", {text}")
            }
        };
        let n = types.len();
        let list = and_more(type_list(&types));
        let out = if leaves {
            let given = handed_on('y', 1, n + 1, &types);
            format!("cf.cond_br %y1.{n}, ^l2{given}, ^l3\n^l3:\n")
        } else {
            String::new()
        };
        let head_arguments: String = types
            .iter()
            .enumerate()
            .map(|(i, ty)| format!(", %a0.{i}: {}", ty.text()))
            .collect();
        let template = format!(
            "%l0 = arith.constant 0 : i8\n%l1 = arith.constant 1 : i8\n%l2 = arith.constant {trips} : i8\n\
             cf.br ^l0(%l2{inits} : i8{list})\n^l0(%l3: i8{head_arguments}):\n&0\n%l4 = arith.cmpi ne, %l3, %l0 : i8\n\
             cf.cond_br %l4, ^l1, ^l2{given}\n^l1:\n&1\n{out}%l5 = arith.subi %l3, %l1 : i8\n\
             cf.br ^l0(%l5{again} : i8{list})\n^l2{results}:",
            inits = and_more(holes('o', 0, n)),
            given = handed_on('y', 0, 0, &types),
            again = and_more(region_holes('y', 1, 0, n)),
            results = arguments("r", &types),
        );
        self.emit_with(template, &inits, &types, vec![head, body]);
    }

    /// Creates a conditional branch to the same block with different arguments.
    fn same_block(&mut self) {
        let condition = self.condition();
        let ty = self.scalar_type();
        let (a, b) = (self.find(&ty), self.find(&ty));
        let t = ty.text();
        self.emit(
            format!("cf.cond_br %o0, ^l0(%o1 : {t}), ^l0(%o2 : {t})\n^l0(%r0: {t}):"),
            &[condition, a, b],
            &[ty],
        );
    }

    /// Creates a switch to one of three blocks that join again.
    fn switch(&mut self) {
        let flag = self.any_integer();
        let Type::Integer(width_bits) = *self.ty(flag) else {
            return;
        };
        if width_bits < 3 {
            return self.same_block();
        }
        let types = self.scalar_types(2);
        let regions: Vec<Region> = (0..2).map(|_| self.part(&[], &types, 1)).collect();
        let inits = self.find_all(&types);
        let direct = if types.is_empty() {
            String::new()
        } else {
            format!("({} : {})", holes('o', 1, types.len()), type_list(&types))
        };
        let template = format!(
            "cf.switch %o0 : i{width_bits}, [\ndefault: ^l0,\n1: ^l1,\n2: ^l2{direct}\n]\n^l0:\n&0\ncf.br ^l2{}\n\
             ^l1:\n&1\ncf.br ^l2{}\n^l2{}:",
            handed_on('y', 0, 0, &types),
            handed_on('y', 1, 0, &types),
            arguments("r", &types)
        );
        let operands: Vec<ValueId> = [flag].into_iter().chain(inits).collect();
        self.emit_with(template, &operands, &types, regions);
    }

    fn early_return(&mut self) {
        let condition = self.condition();
        let types = self.result_types.clone();
        let values = self.find_all(&types);
        let returned = if types.is_empty() {
            "return".to_owned()
        } else {
            format!(
                "return {} : {}",
                holes('o', 1, types.len()),
                type_list(&types)
            )
        };
        let operands: Vec<ValueId> = [condition].into_iter().chain(values).collect();
        self.emit(
            format!("cf.cond_br %o0, ^l0, ^l1\n^l0:\n{returned}\n^l1:"),
            &operands,
            &[],
        );
    }
}
