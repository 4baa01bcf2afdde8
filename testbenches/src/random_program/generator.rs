//! The generator of random programs: values in scope, statements and functions.

use std::fmt::Write;

use sluice_config::Config;
use sluice_verify::data::Random;

use super::text::literal;
use super::{Function, Global, Program, Region, Statement, Type, ValueId, element_type};
use crate::oracle::Element;

/// The most iterations of a loop nest, calls included.
const NEST_LIMIT: u64 = 200;

/// The most operations of one run, roughly.
const COST_LIMIT: u64 = 6000;

/// Whether a value of type `index` may be used in `affine` operations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum AffineUse {
    None,
    Dimension,
    Symbol,
}

pub(super) struct Visible {
    pub(super) value: ValueId,
    pub(super) affine_use: AffineUse,
    /// Whether the value has no use yet: such values are preferred, so that little of a program is dead code.
    pub(super) unused: bool,
    is_constant: bool,
}

pub(super) struct Callee {
    name: String,
    arguments: Vec<Type>,
    results: Vec<Type>,
    cost: u64,
}

pub(super) struct Generator {
    pub(super) random: Random,
    pub(super) types: Vec<Type>,
    pub(super) visible: Vec<Visible>,
    /// The open statement lists, the outermost first.
    lists: Vec<Vec<Statement>>,
    n_tags: u32,
    /// Widths of the program's integers.
    pub(super) widths: Vec<u32>,
    /// The number of statements that may still be created in this function.
    pub(super) budget: u32,
    /// How often the current place is executed at most.
    pub(super) multiplier: u64,
    cost: u64,
    /// The number of `scf` and `affine` regions around.
    pub(super) depth: u32,
    /// Whether this function may have branches between blocks.
    pub(super) blocks: bool,
    pub(super) result_types: Vec<Type>,
    pub(super) globals: Vec<Global>,
    pub(super) callees: Vec<Callee>,
    /// Variables of loops for which directives can be given, with the largest trip count.
    pub(super) loops: Vec<(ValueId, u64)>,
    /// Loop nests for which directives can be given.
    pub(super) nests: Vec<super::nests::Nest>,
    /// Memories that only one access in the body of the surrounding `affine.parallel` may use.
    pub(super) untouched: Vec<ValueId>,
    seed: u64,
}

pub(super) fn generate(seed: u64) -> Program {
    const WIDTHS: &[u32] = &[1, 2, 3, 7, 8, 13, 16, 27, 31, 32, 33, 64, 70, 96];
    let mut random = Random::new(seed);
    let n_widths = 1 + random.next_u64() % 3;
    let mut widths: Vec<u32> = Vec::new();
    for _ in 0..n_widths {
        widths.push(WIDTHS[pick(&mut random, WIDTHS.len())]);
    }
    let mut generator = Generator {
        random,
        types: Vec::new(),
        visible: Vec::new(),
        lists: Vec::new(),
        n_tags: 0,
        widths,
        budget: 0,
        multiplier: 1,
        cost: 0,
        depth: 0,
        blocks: false,
        result_types: Vec::new(),
        globals: Vec::new(),
        callees: Vec::new(),
        loops: Vec::new(),
        nests: Vec::new(),
        untouched: Vec::new(),
        seed,
    };
    for number in 0..generator.choose(3) {
        generator.global(number);
    }
    let n_callees = [0, 0, 1, 1, 2, 3][generator.choose(6)];
    let mut functions = Vec::new();
    for number in 0..n_callees {
        let name = format!("helper_{seed}_{number}");
        functions.push(generator.function(name, false));
    }
    functions.push(generator.function(format!("kernel_{seed}"), true));
    let config = generator.configuration(&functions);
    Program {
        seed,
        globals: generator.globals,
        functions,
        types: generator.types,
        config,
    }
}

fn pick(random: &mut Random, n: usize) -> usize {
    usize::try_from(random.next_u64() % u64::try_from(n).expect("small")).expect("small")
}

impl Generator {
    pub(super) fn choose(&mut self, n: usize) -> usize {
        pick(&mut self.random, n)
    }

    /// Returns true in one of `n` cases.
    pub(super) fn once_in(&mut self, n: usize) -> bool {
        self.choose(n) == 0
    }

    pub(super) fn ty(&self, value: ValueId) -> &Type {
        &self.types[usize::try_from(value.0).expect("few values")]
    }

    fn new_value(&mut self, ty: Type) -> ValueId {
        let value = ValueId(u32::try_from(self.types.len()).expect("few values"));
        self.types.push(ty);
        value
    }

    fn statement(
        &mut self,
        template: String,
        operands: &[ValueId],
        results: Vec<ValueId>,
        regions: Vec<Region>,
    ) {
        self.n_tags += 1;
        self.cost += self.multiplier;
        let passed = regions.iter().flat_map(|region| &region.passed);
        for value in operands.iter().chain(passed) {
            self.used(*value);
        }
        let statement = Statement {
            tag: self.n_tags,
            template,
            operands: operands.to_vec(),
            results,
            regions,
        };
        self.lists
            .last_mut()
            .expect("a list is open")
            .push(statement);
    }

    /// Appends a statement with regions; its results are visible from here on.
    pub(super) fn emit_with(
        &mut self,
        template: impl Into<String>,
        operands: &[ValueId],
        results: &[Type],
        regions: Vec<Region>,
    ) -> Vec<ValueId> {
        let values: Vec<ValueId> = results
            .iter()
            .map(|ty| self.new_value(ty.clone()))
            .collect();
        self.statement(template.into(), operands, values.clone(), regions);
        let affine_use = if self.depth == 0 {
            AffineUse::Symbol
        } else {
            AffineUse::None
        };
        for value in &values {
            self.show(*value, affine_use);
        }
        values
    }

    pub(super) fn emit(
        &mut self,
        template: impl Into<String>,
        operands: &[ValueId],
        results: &[Type],
    ) -> Vec<ValueId> {
        self.emit_with(template, operands, results, Vec::new())
    }

    pub(super) fn show(&mut self, value: ValueId, affine_use: AffineUse) {
        self.visible.push(Visible {
            value,
            affine_use,
            unused: true,
            is_constant: false,
        });
    }

    fn used(&mut self, value: ValueId) {
        for visible in &mut self.visible {
            if visible.value == value {
                visible.unused = false;
            }
        }
    }

    /// Marks the last value as usable in `affine` operations.
    pub(super) fn last_is_dimension(&mut self) {
        let last = self.visible.last_mut().expect("a value was made");
        last.affine_use = last.affine_use.max(AffineUse::Dimension);
    }

    /// Creates a region with its own scope; `fill` gets the arguments and returns the values to yield.
    pub(super) fn region(
        &mut self,
        arguments: &[(Type, AffineUse)],
        times: u64,
        structured: bool,
        fill: impl FnOnce(&mut Self, &[ValueId]) -> Vec<ValueId>,
    ) -> Region {
        let n_visible = self.visible.len();
        let multiplier = self.multiplier;
        self.multiplier *= times.max(1);
        self.depth += u32::from(structured);
        self.lists.push(Vec::new());
        let mut values = Vec::new();
        for (ty, affine_use) in arguments {
            let value = self.new_value(ty.clone());
            self.show(value, *affine_use);
            values.push(value);
        }
        let passed = fill(self, &values);
        let statements = self.lists.pop().expect("opened above");
        self.depth -= u32::from(structured);
        self.multiplier = multiplier;
        self.visible.truncate(n_visible);
        Region {
            arguments: values,
            statements,
            passed,
        }
    }

    /// Returns a trip count that the limits allow here.
    pub(super) fn trips(&mut self) -> u64 {
        const TRIPS: &[u64] = &[0, 1, 2, 3, 4, 5, 6, 8, 8, 11, 16];
        let most = NEST_LIMIT / self.multiplier;
        let trips = TRIPS[self.choose(TRIPS.len())];
        trips.min(most)
    }

    pub(super) fn may_loop(&self) -> bool {
        self.multiplier * 2 <= NEST_LIMIT && self.cost < COST_LIMIT
    }

    pub(super) fn width(&mut self) -> u32 {
        let i = self.choose(self.widths.len());
        self.widths[i]
    }

    /// Returns a type for a value that is carried, passed or returned.
    pub(super) fn scalar_type(&mut self) -> Type {
        match self.choose(10) {
            0 => Type::Index { below: None },
            1 => Type::Index {
                below: Some([2, 4, 8, 16][self.choose(4)]),
            },
            2 => Type::Integer(1),
            _ => Type::Integer(self.width()),
        }
    }

    pub(super) fn scalar_types(&mut self, most: usize) -> Vec<Type> {
        (0..self.choose(most + 1))
            .map(|_| self.scalar_type())
            .collect()
    }

    pub(super) fn memory_type(&mut self) -> Type {
        const SHAPES: &[&[u64]] = &[
            &[],
            &[1],
            &[2],
            &[5],
            &[8],
            &[8],
            &[16],
            &[16],
            &[13],
            &[2, 3],
            &[4, 4],
            &[3, 5],
            &[8, 2],
            &[6, 6],
            &[2, 3, 4],
            &[1, 4, 2],
        ];
        let shape = SHAPES[self.choose(SHAPES.len())].to_vec();
        let element = if self.once_in(10) {
            Element::Index
        } else {
            Element::Integer {
                width_bits: self.width(),
            }
        };
        Type::Memory {
            shape,
            element,
            writable: true,
        }
    }

    pub(super) fn constant(&mut self, ty: &Type, value: i128) -> ValueId {
        let template = format!("%r0 = arith.constant {}", literal(ty, value));
        let ty = match ty {
            Type::Index { .. } => Type::Index {
                below: u64::try_from(value).ok().map(|v| v + 1),
            },
            Type::Integer(_) | Type::Memory { .. } => ty.clone(),
        };
        let value = self.emit(template, &[], &[ty])[0];
        let made = self.visible.last_mut().expect("just made");
        made.affine_use = AffineUse::Symbol;
        made.is_constant = true;
        value
    }

    /// Returns a number that fits the type; extreme values are more likely.
    pub(super) fn number(&mut self, ty: &Type) -> i128 {
        match ty {
            Type::Index { below: Some(n) } => i128::from(self.random.next_u64() % n),
            Type::Index { below: None } => i128::from(self.random.next_u64() % 40) - 8,
            Type::Integer(width_bits) => self.integer(*width_bits),
            Type::Memory { .. } => 0,
        }
    }

    fn integer(&mut self, width_bits: u32) -> i128 {
        let half = 1i128 << (width_bits - 1);
        let bits = i128::from(self.random.next_u64()) << 64 | i128::from(self.random.next_u64());
        let small = bits.rem_euclid(8);
        let value = match self.choose(8) {
            0 => 0,
            1 => 1,
            2 => small,
            3 => -small,
            4 => half - 1 - small % 2,
            5 => -half + small % 2,
            6 => 1 << (bits.rem_euclid(i128::from(width_bits))),
            _ => bits,
        };
        // Wrapped to the signed range.
        (value + half).rem_euclid(2 * half) - half
    }

    /// Returns a visible value that fits. Sometimes, and always if there is none, it returns a new one.
    pub(super) fn find(&mut self, wanted: &Type) -> ValueId {
        let fitting: Vec<(ValueId, bool, bool)> = self
            .visible
            .iter()
            .filter(|v| self.ty(v.value).fits(wanted) && !self.untouched.contains(&v.value))
            .map(|v| (v.value, v.unused, v.is_constant))
            .collect();
        if let Type::Memory { .. } = wanted {
            return match fitting.len() {
                0 => self.allocation(wanted),
                n => fitting[self.choose(n)].0,
            };
        }
        if fitting.is_empty() || self.once_in(16) {
            let number = self.number(wanted);
            return self.constant(wanted, number);
        }
        let choice = self.choose(8);
        let mut preferred: Vec<ValueId> = fitting
            .iter()
            .filter(|(_, unused, is_constant)| match choice {
                0..=3 => *unused && !is_constant,
                4..=6 => !is_constant,
                _ => true,
            })
            .map(|(value, ..)| *value)
            .collect();
        if preferred.is_empty() {
            preferred = fitting.iter().map(|(value, ..)| *value).collect();
        }
        // The newest values are used more often, which gives long chains.
        let n = preferred.len();
        let value = if self.once_in(2) {
            preferred[n - 1 - self.choose(n.min(4))]
        } else {
            preferred[self.choose(n)]
        };
        self.used(value);
        value
    }

    pub(super) fn find_all(&mut self, wanted: &[Type]) -> Vec<ValueId> {
        wanted.iter().map(|ty| self.find(ty)).collect()
    }

    /// Returns any visible integer, or a new constant.
    pub(super) fn any_integer(&mut self) -> ValueId {
        let unused_only = self.once_in(2);
        let integers = |unused_only: bool| -> Vec<ValueId> {
            self.visible
                .iter()
                .filter(|v| !v.is_constant && (v.unused || !unused_only))
                .map(|v| v.value)
                .filter(|v| matches!(self.ty(*v), Type::Integer(_)))
                .collect()
        };
        let mut all = integers(unused_only);
        if all.is_empty() {
            all = integers(false);
        }
        if all.is_empty() {
            let ty = Type::Integer(self.width());
            return self.find(&ty);
        }
        let value = all[self.choose(all.len())];
        self.used(value);
        value
    }

    pub(super) fn block(&mut self) {
        for _ in 0..1 + self.choose(5) {
            if self.budget == 0 || self.cost > COST_LIMIT {
                break;
            }
            self.budget -= 1;
            self.one();
        }
        for _ in 0..self.choose(3) {
            self.sink();
        }
    }

    /// Returns the newest unused value.
    pub(super) fn newest_unused(&self) -> Option<ValueId> {
        self.visible
            .iter()
            .rev()
            .filter(|v| v.unused && !v.is_constant)
            .map(|v| v.value)
            .find(|v| !matches!(self.ty(*v), Type::Memory { .. }))
    }

    fn one(&mut self) {
        let nest = self.depth < 4 && self.may_loop();
        if self.blocks && self.depth == 0 && self.once_in(3) {
            return self.between_blocks();
        }
        match self.choose(if nest { 47 } else { 26 }) {
            0..=9 => self.arithmetic(),
            10 | 11 => self.index_arithmetic(),
            12..=16 => self.load(),
            17..=20 => self.store(),
            21 => self.conversion(),
            22 | 23 => self.affine_value(),
            24 => self.memory_operation(),
            25 => self.call(),
            26..=29 => self.counted_loop(),
            30..=33 => self.affine_loop(),
            34 | 35 => self.conditional(),
            36 => self.affine_conditional(),
            37 => self.while_loop(),
            38 => self.parallel_loop(),
            39..=41 => self.stencil(),
            42 => self.index_switch(),
            43..=45 => self.nest(),
            _ => self.execute_region(),
        }
    }

    fn global(&mut self, number: usize) {
        let name = format!("table_{}_{number}", self.seed);
        let ty = self.memory_type();
        let Type::Memory { shape, element, .. } = ty else {
            return;
        };
        let ty = Type::Memory {
            shape: shape.clone(),
            element,
            writable: false,
        };
        let inner = element_type(element);
        let splat = self.once_in(5);
        let word = |g: &mut Self| {
            let number = g.number(&inner);
            literal(&inner, number)
                .split(' ')
                .next()
                .expect("a number")
                .to_owned()
        };
        let contents = if splat {
            word(self)
        } else {
            let n = usize::try_from(shape.iter().product::<u64>()).expect("small");
            let words: Vec<String> = (0..n).map(|_| word(self)).collect();
            nested(&words, &shape)
        };
        let text = format!(
            "memref.global \"private\" constant @{name} : {} = dense<{contents}>",
            ty.text()
        );
        self.globals.push(Global { name, ty, text });
    }

    fn function(&mut self, name: String, is_kernel: bool) -> Function {
        self.budget = u32::try_from(if is_kernel {
            6 + self.choose(26)
        } else {
            2 + self.choose(8)
        })
        .expect("small");
        self.cost = 0;
        self.blocks = self.once_in(if is_kernel { 5 } else { 8 });
        self.visible.clear();
        let mut types = Vec::new();
        let (n_scalars, n_memories) = (1 + self.choose(3), [0, 1, 1, 2, 2, 3][self.choose(6)]);
        for _ in 0..n_scalars {
            types.push(match self.choose(8) {
                0 => Type::Index { below: None },
                1 => Type::Integer(1),
                _ => Type::Integer(self.width()),
            });
        }
        for _ in 0..n_memories {
            let at = self.choose(types.len() + 1);
            let ty = self.memory_type();
            types.insert(at, ty);
        }
        let n_results = self.choose(4) + usize::from(is_kernel && n_memories == 0);
        self.result_types = (0..n_results)
            .map(|_| match self.choose(8) {
                0 => Type::Index { below: None },
                1 => Type::Integer(1),
                _ => Type::Integer(self.width()),
            })
            .collect();
        let arguments: Vec<ValueId> = types.iter().map(|ty| self.new_value(ty.clone())).collect();
        for value in &arguments {
            self.show(*value, AffineUse::Symbol);
        }
        self.lists.push(Vec::new());
        while self.budget > 0 && self.cost < COST_LIMIT {
            self.block();
        }
        for _ in 0..4 {
            self.sink();
        }
        let result_types = self.result_types.clone();
        let returned = self.find_all(&result_types);
        let body = self.lists.pop().expect("opened above");
        let results = self.result_types.clone();
        self.callees.push(Callee {
            name: name.clone(),
            arguments: types,
            results,
            cost: self.cost,
        });
        Function {
            name,
            arguments,
            body,
            returned,
        }
    }

    fn call(&mut self) {
        if self.callees.is_empty() {
            return self.arithmetic();
        }
        let i = self.choose(self.callees.len());
        let cost = self.callees[i].cost * self.multiplier;
        if cost > COST_LIMIT / 2 || !self.untouched.is_empty() {
            return self.arithmetic();
        }
        let (arguments, results) = (
            self.callees[i].arguments.clone(),
            self.callees[i].results.clone(),
        );
        let operands = self.find_all(&arguments);
        let mut template = result_list(results.len());
        let _ = write!(
            template,
            "func.call @{}({}) : ({}) -> ({})",
            self.callees[i].name,
            holes('o', 0, operands.len()),
            type_list(&arguments),
            type_list(&results)
        );
        self.cost += cost;
        self.emit(template, &operands, &results);
    }

    fn configuration(&mut self, functions: &[Function]) -> Config {
        let helpers: Vec<String> = functions[..functions.len() - 1]
            .iter()
            .map(|f| f.name.clone())
            .collect();
        let mut arrays = Vec::new();
        let kernel = functions.last().expect("a program has a kernel");
        let local = kernel
            .body
            .iter()
            .filter(|statement| statement.template.contains("memref.alloc"))
            .flat_map(|statement| &statement.results);
        for value in kernel.arguments.iter().chain(local) {
            if let Type::Memory { shape, .. } = self.ty(*value) {
                arrays.push((*value, shape.clone()));
            }
        }
        let mut config = super::configuration::configuration(
            &mut self.random,
            &self.loops,
            &self.nests,
            &helpers,
            &arrays,
        );
        let mut memories = Vec::new();
        for function in functions {
            memories_made(&function.body, &mut memories);
        }
        super::configuration::storage(&mut self.random, &memories, &mut config);
        super::configuration::choose_speculation(&mut self.random, &mut config);
        super::configuration::choose_store_queues(&mut self.random, &mut config);
        config
    }
}

/// Collects local memories, and tables (`true`), in program order.
fn memories_made(statements: &[Statement], found: &mut Vec<(ValueId, bool)>) {
    for statement in statements {
        let is_table = statement.template.contains("memref.get_global");
        if is_table || statement.template.contains("memref.alloc") {
            found.extend(statement.results.iter().map(|value| (*value, is_table)));
        }
        for region in &statement.regions {
            memories_made(&region.statements, found);
        }
    }
}

/// Returns `%o3, %o4` for two holes from 3 on.
pub(super) fn holes(kind: char, first: usize, n: usize) -> String {
    let all: Vec<String> = (first..first + n).map(|i| format!("%{kind}{i}")).collect();
    all.join(", ")
}

/// Returns `%y0.1, %y0.2` for two holes of region 0 from 1 on.
pub(super) fn region_holes(kind: char, region: usize, first: usize, n: usize) -> String {
    let all: Vec<String> = (first..first + n)
        .map(|i| format!("%{kind}{region}.{i}"))
        .collect();
    all.join(", ")
}

pub(super) fn type_list(types: &[Type]) -> String {
    let all: Vec<String> = types.iter().map(Type::text).collect();
    all.join(", ")
}

/// Returns `%r0, %r1 = `, or nothing without results.
pub(super) fn result_list(n: usize) -> String {
    if n == 0 {
        String::new()
    } else {
        holes('r', 0, n) + " = "
    }
}

fn nested(words: &[String], shape: &[u64]) -> String {
    match shape {
        [] => words.concat(),
        [_] => format!("[{}]", words.join(", ")),
        [_, inner @ ..] => {
            let n = usize::try_from(inner.iter().product::<u64>()).expect("small");
            let rows: Vec<String> = words
                .chunks(n.max(1))
                .map(|row| nested(row, inner))
                .collect();
            format!("[{}]", rows.join(", "))
        }
    }
}
