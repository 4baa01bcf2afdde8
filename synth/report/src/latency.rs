//! Latency as a formula in trip counts: constants come from the schedule, symbols from the sizes of the kernel.
//!
//! The rules are those of `docs/SYNTHESIS.md`, "Time". A formula holds for every size for which the schedule has the same
//! intervals and depths, and every loop has at least one iteration.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Value, json};
use sluice_dialects::sluice::SHAPE;
use sluice_dialects::{func, scf, sluice};
use sluice_ir::{Attribute, BlockId, Context, Exact, OperationId, View};
use sluice_kernel::compiled::Compiled;

/// A formula for a number of cycles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// A constant of the schedule.
    Number(Exact),
    /// A symbol, by its position in [`Latency::symbols`].
    Symbol(usize),
    /// The sum of all parts.
    Sum(Vec<Formula>),
    /// The product of all parts.
    Product(Vec<Formula>),
}

/// A symbol of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Name in upper case, derived from the counter of a loop.
    pub name: String,
    /// Its value at the current size; `None` if it depends on the data.
    pub value: Option<Exact>,
    /// Description, with the source line.
    pub meaning: String,
}

/// The latency of a kernel, or of one of its loops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Latency {
    /// Number of cycles.
    pub formula: Formula,
    /// The symbols of all loops of the kernel.
    pub symbols: Vec<Symbol>,
}

impl Formula {
    fn number(n: impl Into<Exact>) -> Self {
        Self::Number(n.into())
    }

    fn add(self, other: Self) -> Self {
        let mut constant = Exact::ZERO;
        let mut terms = Vec::new();
        for part in [self, other] {
            let parts = match part {
                Self::Sum(parts) => parts,
                other => vec![other],
            };
            for part in parts {
                match part {
                    Self::Number(n) => constant = constant.plus(n),
                    other => terms.push(other),
                }
            }
        }
        if !constant.is_zero() || terms.is_empty() {
            terms.insert(0, Self::Number(constant));
        }
        match terms.len() {
            1 => terms.remove(0),
            _ => Self::Sum(terms),
        }
    }

    fn times(self, other: Self) -> Self {
        match (self, other) {
            (Self::Number(Exact::ZERO), _) | (_, Self::Number(Exact::ZERO)) => Self::number(0),
            (Self::Number(Exact::ONE), other) | (other, Self::Number(Exact::ONE)) => other,
            (Self::Number(a), Self::Number(b)) => Self::Number(a.times(b)),
            (a, b) => {
                let mut factors = Vec::new();
                // Numbers come first in a product.
                let is_number = matches!(b, Self::Number(_));
                for part in if is_number { [b, a] } else { [a, b] } {
                    match part {
                        Self::Product(parts) => factors.extend(parts),
                        other => factors.push(other),
                    }
                }
                Self::Product(factors)
            }
        }
    }

    /// Evaluates the formula with these values of the symbols; `None` if one of them is not known.
    pub fn evaluate(&self, values: &[Option<Exact>]) -> Option<Exact> {
        let all = |parts: &[Self]| {
            let parts = parts.iter().map(|part| part.evaluate(values));
            parts.collect::<Option<Vec<_>>>()
        };
        match self {
            Self::Number(n) => Some(*n),
            Self::Symbol(i) => *values.get(*i)?,
            Self::Sum(parts) => Some(Exact::sum(all(parts)?)),
            Self::Product(parts) => Some(Exact::product(all(parts)?)),
        }
    }

    /// Collects the symbols in the formula.
    fn symbols(&self, found: &mut Vec<usize>) {
        match self {
            Self::Number(_) => {}
            Self::Symbol(i) if found.contains(i) => {}
            Self::Symbol(i) => found.push(*i),
            Self::Sum(parts) | Self::Product(parts) => {
                parts.iter().for_each(|part| part.symbols(found));
            }
        }
    }
}

impl Latency {
    /// Evaluates the latency at the current size.
    pub fn cycles(&self) -> Option<Exact> {
        let values: Vec<Option<Exact>> = self.symbols.iter().map(|s| s.value).collect();
        self.formula.evaluate(&values)
    }

    /// Returns the symbols that occur in the formula.
    pub fn used(&self) -> Vec<&Symbol> {
        let mut found = Vec::new();
        self.formula.symbols(&mut found);
        found.into_iter().map(|i| &self.symbols[i]).collect()
    }
}

impl fmt::Display for Latency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_formula(f, &self.formula, &self.symbols, false)
    }
}

fn write_formula(
    f: &mut fmt::Formatter<'_>,
    formula: &Formula,
    symbols: &[Symbol],
    is_factor: bool,
) -> fmt::Result {
    match formula {
        Formula::Number(n) => write!(f, "{n}"),
        Formula::Symbol(i) => write!(f, "{}", symbols[*i].name),
        Formula::Sum(parts) => {
            if is_factor {
                write!(f, "(")?;
            }
            for (i, part) in parts.iter().enumerate() {
                if i > 0 {
                    write!(f, " + ")?;
                }
                write_formula(f, part, symbols, false)?;
            }
            if is_factor {
                write!(f, ")")?;
            }
            Ok(())
        }
        Formula::Product(parts) => {
            for (i, part) in parts.iter().enumerate() {
                if i > 0 {
                    write!(f, "*")?;
                }
                write_formula(f, part, symbols, true)?;
            }
            Ok(())
        }
    }
}

/// Formats the formula of a kernel for a terminal, with its symbols.
pub fn text(latency: &Latency) -> String {
    let mut text = format!("formula: {latency}\n");
    for symbol in latency.used() {
        let value = symbol
            .value
            .map_or_else(String::new, |value| format!(" = {value}"));
        text += &format!("  {}{value}: {}\n", symbol.name, symbol.meaning);
    }
    text
}

/// Returns a formula as JSON.
pub fn to_json(latency: &Latency) -> Value {
    let symbols = latency.used().into_iter();
    let symbols: Vec<Value> = symbols
        .map(|s| json!({"name": s.name, "value": s.value.map(exact_json), "meaning": s.meaning}))
        .collect();
    let cycles = latency.cycles().map(exact_json);
    json!({"text": latency.to_string(), "cycles": cycles, "symbols": symbols})
}

/// The formulas of the kernel and of its loops.
pub struct Formulas {
    /// Formula of the kernel; `None` if its latency is not a sum over trip counts.
    pub kernel: Option<Latency>,
    /// Formulas of the kernel's loops for one entry, by operation.
    pub loops: BTreeMap<OperationId, Latency>,
}

/// Returns the formulas of a compiled kernel.
pub fn formulas(compiled: &Compiled) -> Formulas {
    let mut maker = Maker {
        compiled,
        symbols: Vec::new(),
        loops: BTreeMap::new(),
    };
    let kernel = maker.function(&compiled.top);
    let symbols = maker.symbols;
    let latency = |formula| Latency {
        formula,
        symbols: symbols.clone(),
    };
    Formulas {
        kernel: kernel.map(latency),
        loops: maker
            .loops
            .into_iter()
            .map(|(op, formula)| (op, latency(formula)))
            .collect(),
    }
}

struct Maker<'a> {
    compiled: &'a Compiled,
    symbols: Vec<Symbol>,
    /// Formulas of the loops of the current function.
    loops: BTreeMap<OperationId, Formula>,
}

fn number(view: View<'_>, name: &str) -> Option<Exact> {
    view.attribute(name)?.as_exact(view.context)
}

/// Returns a number as JSON: as text if it has more than 64 bits.
pub fn exact_json(number: Exact) -> Value {
    match (number.to_i64(), number.to_u64()) {
        (Some(number), _) => json!(number),
        (None, Some(number)) => json!(number),
        (None, None) => json!(number.to_string()),
    }
}

/// Reads a number that [`exact_json`] wrote.
pub fn exact_of_json(value: &Value) -> Option<Exact> {
    let number = value.as_u64().map(Exact::from);
    number.or_else(|| Some(value.as_str()?.parse::<i128>().ok()?.into()))
}

fn is_compound(view: View<'_>) -> bool {
    match view.name() {
        scf::For::NAME | scf::While::NAME | func::Call::NAME => true,
        scf::If::NAME => view.attribute(sluice::GUARD).is_none(),
        _ => false,
    }
}

fn line(view: View<'_>) -> String {
    let place = view.location().file_line_column(view.context);
    place.map_or_else(String::new, |(_, line, _)| format!(", line {line}"))
}

impl<'a> Maker<'a> {
    fn symbol(&mut self, base: &str, value: Option<Exact>, meaning: String) -> Formula {
        let base: String = base
            .chars()
            .filter(|c| c.is_ascii_alphanumeric() || *c == '_')
            .collect::<String>()
            .to_uppercase();
        let base = match base.chars().next() {
            Some(first) if !first.is_ascii_digit() => base,
            _ => format!("N{base}"),
        };
        let taken = |name: &str| self.symbols.iter().any(|s| s.name == name);
        let mut name = base.clone();
        let mut i = 2;
        while taken(&name) {
            name = if base.ends_with(|c: char| c.is_ascii_digit()) {
                format!("{base}_{i}")
            } else {
                format!("{base}{i}")
            };
            i += 1;
        }
        self.symbols.push(Symbol {
            name,
            value,
            meaning,
        });
        Formula::Symbol(self.symbols.len() - 1)
    }

    fn function(&mut self, name: &str) -> Option<Formula> {
        let context = &self.compiled.context;
        let module = &self.compiled.scheduled;
        let op = module.lookup_symbol(context, name)?;
        let function = View::new(context, module.inner(), op);
        let body = function.inner();
        let [block] = body.blocks(*function.regions().first()?) else {
            return None;
        };
        let depth = number(function, sluice::DEPTH)?;
        let inside = View::new(context, body, OperationId::from_index(0));
        let total = self.block(inside, &[*block], depth, true)?;
        Some(total.add(Formula::number(1)))
    }

    /// Returns the cycles of one pass through a block: its depth, plus for each compound operation its cycles beyond the first
    /// one. `is_outside` is true if no loop encloses the block.
    fn block(
        &mut self,
        inside: View<'a>,
        blocks: &[BlockId],
        depth: Exact,
        is_outside: bool,
    ) -> Option<Formula> {
        let mut total = Some(Formula::Number(depth));
        for block in blocks {
            for op in inside.body.operations(*block).collect::<Vec<_>>() {
                let view = inside.at(op);
                if !is_compound(view) {
                    continue;
                }
                // Compute this even if the sum is unknown, since the report shows formulas of inner loops.
                let cycles = self.compound(view, is_outside);
                total = total
                    .zip(cycles)
                    .map(|(total, cycles)| total.add(cycles).add(Formula::number(-1)));
            }
        }
        total
    }

    fn compound(&mut self, view: View<'a>, is_outside: bool) -> Option<Formula> {
        match view.name() {
            scf::For::NAME => {
                let formula = if number(view, sluice::ENTRIES).is_some() {
                    // The latency of a nest is that of its outermost loop, which is entered once.
                    number(view, sluice::CYCLES)?;
                    self.beyond(view)
                        .map(|beyond| beyond.add(Formula::number(1)))
                } else {
                    self.counted(view, is_outside)
                }?;
                self.loops.insert(view.id, formula.clone());
                Some(formula)
            }
            scf::If::NAME => {
                let depths = view
                    .attribute(sluice::DEPTHS)?
                    .as_dense_array_i64(view.context)?;
                let mut branches = Vec::new();
                for (region, depth) in depths.iter().enumerate() {
                    let blocks: Vec<BlockId> = view.entry_block(region).into_iter().collect();
                    branches.push(self.block(view, &blocks, depth.into(), is_outside));
                }
                // Branches of equal constant length have this length, if nothing in them depends on sizes.
                match (&branches[..], number(view, sluice::CYCLES)) {
                    ([Some(Formula::Number(a)), Some(Formula::Number(b))], Some(_)) if a == b => {
                        Some(Formula::Number(a.plus(1)))
                    }
                    _ => None,
                }
            }
            func::Call::NAME => {
                let callee = view.attribute("callee")?.as_flat_symbol(view.context)?;
                let own = std::mem::take(&mut self.loops);
                let formula = self.function(callee);
                self.loops = own;
                Some(formula?.add(Formula::number(1)))
            }
            _ => {
                for region in 0..view.regions().len() {
                    let blocks: Vec<BlockId> = view.entry_block(region).into_iter().collect();
                    self.block(view, &blocks, Exact::ZERO, false);
                }
                None
            }
        }
    }

    fn title(view: View<'_>) -> String {
        let counter = view
            .entry_block(0)
            .and_then(|block| view.body.arguments(block).first().copied())
            .and_then(|value| view.body.value_name(value));
        counter.map_or_else(String::new, |name| view.context.text(name).to_owned())
    }

    /// Returns the formula of a loop that has the same number of iterations at each entry.
    fn counted(&mut self, view: View<'a>, is_outside: bool) -> Option<Formula> {
        let trips = number(view, sluice::TRIP_COUNT);
        if trips == Some(Exact::ZERO) {
            return Some(Formula::number(1));
        }
        let depth = number(view, sluice::DEPTH)?;
        let title = Self::title(view);
        let blocks: Vec<BlockId> = view.entry_block(0).into_iter().collect();
        let meaning = format!("iterations of %{title}{}", line(view));
        if let Some(ii) = number(view, sluice::II) {
            let n = match view.attribute(SHAPE) {
                Some(shape) => self.steps(view, shape, trips),
                None if trips.is_none() && !is_outside => return None,
                None => self.symbol(&title, trips, meaning),
            };
            let constant = depth.plus(1).minus(ii);
            return Some(Formula::Number(constant).add(Formula::Number(ii).times(n)));
        }
        if trips.is_none() && !is_outside {
            self.block(view, &blocks, depth, false);
            return None;
        }
        let n = self.symbol(&title, trips, meaning);
        let cycles = self.block(view, &blocks, depth, false)?;
        Some(Formula::number(1).add(n.times(cycles)))
    }

    /// Returns the steps of a flattened nest: the iterations of its innermost loops, if it has no other steps.
    fn steps(&mut self, view: View<'a>, shape: Attribute, trips: Option<Exact>) -> Formula {
        let n_symbols = self.symbols.len();
        if let Some(formula) = self.shape(view.context, shape) {
            let values: Vec<Option<Exact>> = self.symbols.iter().map(|s| s.value).collect();
            if formula.evaluate(&values) == trips {
                return formula;
            }
        }
        self.symbols.truncate(n_symbols);
        let idle = number(view, sluice::IDLE_STEPS).unwrap_or_default();
        let of_them = match idle {
            Exact::ZERO => String::new(),
            n => format!(", {n} of them idle"),
        };
        let meaning = format!(
            "steps of the flattened nest %{}{}{of_them}; their number depends on the schedule",
            Self::title(view),
            line(view)
        );
        self.symbol("STEPS", trips, meaning)
    }

    fn shape(&mut self, context: &Context, shape: Attribute) -> Option<Formula> {
        let [counter, trips, line, inner] = shape.as_array(context)? else {
            return None;
        };
        let name = counter.as_str(context)?;
        let trips = trips.as_exact(context).filter(|n| n.is_positive())?;
        let meaning = format!("iterations of %{name}, line {}", line.as_i64(context)?);
        let n = self.symbol(name, Some(trips), meaning);
        let inner = inner.as_array(context)?.to_vec();
        if inner.is_empty() {
            return Some(n);
        }
        let mut sum = Formula::number(0);
        for shape in inner {
            sum = sum.add(self.shape(context, shape)?);
        }
        Some(n.times(sum))
    }

    /// Returns, for a loop with varying bounds, the sum over its entries of the cycles beyond the first one.
    fn beyond(&mut self, view: View<'a>) -> Option<Formula> {
        let title = Self::title(view);
        let full = number(view, sluice::ENTRIES)?.minus(number(view, sluice::EMPTY_ENTRIES)?);
        let iterations = number(view, sluice::ITERATIONS)?;
        let depth = number(view, sluice::DEPTH)?;
        let at = line(view);
        let meaning = format!("iterations of %{title} in all{at}");
        let n = self.symbol(&format!("{title}_all"), Some(iterations), meaning);
        if let Some(ii) = number(view, sluice::II) {
            let meaning = format!("times %{title} is entered and has an iteration{at}");
            let full = self.symbol(&format!("{title}_entries"), Some(full), meaning);
            let steady = Formula::Number(ii).times(n);
            return Some(steady.add(Formula::Number(depth.minus(ii)).times(full)));
        }
        let mut per_iteration = Formula::Number(depth);
        let mut varying = Formula::number(0);
        for op in view
            .body
            .operations(view.entry_block(0)?)
            .collect::<Vec<_>>()
        {
            let inner = view.at(op);
            if !is_compound(inner) {
                continue;
            }
            if inner.name() == scf::For::NAME && number(inner, sluice::ENTRIES).is_some() {
                varying = varying.add(self.beyond(inner)?);
            } else {
                let cycles = self.compound(inner, false)?;
                per_iteration = per_iteration.add(cycles).add(Formula::number(-1));
            }
        }
        Some(n.times(per_iteration).add(varying))
    }
}
