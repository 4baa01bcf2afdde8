//! `one-shot-bufferize`: a function that computes with tensors computes with memories instead.
//!
//! Each tensor value becomes the contents of a memory at one moment. An operation that makes a changed tensor changes the memory in
//! place if no operation reads the old contents any more; otherwise it gets a new memory, with a copy of the old contents where they
//! count. Arguments and constants are never changed. All copies are in the module, so cycles and ports of each are reported.
//!
//! Source: Bik et al., "Compiler Support for Sparse Tensor Computations in MLIR", 2022, section on bufferization, and MLIR,
//! "One-Shot Bufferize". Differs: conflicts are decided operation by operation in program order, and arguments stay as they are.

mod control;
mod elementwise;
mod memories;
mod operations;
mod parts;
mod structured;

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::{func, memref};
use sluice_ir::{
    Attribute, BlockId, Body, Builder, Context, Diagnostics, Module, NewOperation, OperationId,
    RegionId, Type, TypeKind, ValueId, View,
};

pub use elementwise::elementwise_to_linalg;
use memories::Held;

/// Returns true if a function has a value that is a tensor.
pub fn has_tensors(context: &Context, module: &Module) -> bool {
    let inner = module.inner();
    inner.walk_all().into_iter().any(|op| {
        let body = inner.inner(op);
        body.all_values()
            .any(|value| is_tensor(context, body.ty(value)))
    })
}

/// Rewrites all functions in `inner`, the body of a module.
pub fn bufferize(context: &Context, inner: &mut Body, found: &mut Diagnostics) {
    let all = inner.walk_all().into_iter();
    let is_function = |op: &OperationId| View::new(context, inner, *op).name() == func::Func::NAME;
    let functions: Vec<OperationId> = all.filter(is_function).collect();
    let mut globals = Globals::without_clashes(context, inner);
    for function in functions {
        let view = View::new(context, inner, function);
        let is_declared_only = view.entry_block(0).is_none();
        set_signature(context, inner, function);
        if is_declared_only {
            continue;
        }
        let body = inner.inner_mut(function);
        elementwise_to_linalg(context, body);
        let mut rewriter = Rewriter::new(context, body, &mut globals);
        rewriter.function();
        for (op, message) in std::mem::take(&mut rewriter.errors) {
            let location = body.location(op);
            found.error(location, message);
        }
    }
    if !found.has_errors() {
        globals.add(context, inner);
    }
}

/// Replaces the tensors in the type of a function.
fn set_signature(context: &Context, body: &mut Body, function: OperationId) {
    let view = View::new(context, body, function);
    let ty = view
        .attribute("function_type")
        .and_then(|ty| ty.as_type(context));
    let Some(TypeKind::Function { inputs, results }) = ty.map(|ty| ty.kind(context)) else {
        return;
    };
    let memories = |types: &[Type]| -> Vec<Type> {
        let types = types.iter();
        types
            .map(|ty| memory_type(context, *ty).unwrap_or(*ty))
            .collect()
    };
    let ty = context.function_type(&memories(inputs), &memories(results));
    body.set_attribute(
        function,
        context.name("function_type"),
        context.type_attribute(ty),
    );
}

fn is_tensor(context: &Context, ty: Type) -> bool {
    matches!(
        ty.kind(context),
        TypeKind::RankedTensor { .. } | TypeKind::UnrankedTensor(_)
    )
}

/// Returns the type of a memory that holds a tensor of this type.
fn memory_type(context: &Context, ty: Type) -> Option<Type> {
    match ty.kind(context) {
        TypeKind::RankedTensor { shape, element, .. } => Some(context.ty(TypeKind::MemRef {
            shape: shape.clone(),
            element: *element,
            layout: None,
            memory_space: None,
        })),
        _ => None,
    }
}

/// Constant tensors, as memories at the top level of the module.
struct Globals {
    /// For each value, the name and the type of its memory.
    named: BTreeMap<Attribute, (String, Type)>,
    /// Names of the module's own symbols.
    taken: BTreeSet<String>,
}

impl Globals {
    fn name(&mut self, value: Attribute, ty: Type) -> String {
        let number = self.named.len();
        let taken = &self.taken;
        let free = || {
            let mut name = format!("constant_{number}");
            while taken.contains(&name) {
                name.push('_');
            }
            (name, ty)
        };
        self.named.entry(value).or_insert_with(free).0.clone()
    }

    /// Adds the memories to the body of a module, with names that it does not have yet.
    fn add(self, context: &Context, inner: &mut Body) {
        let Some(block) = inner
            .top_regions()
            .next()
            .and_then(|region| inner.blocks(region).first().copied())
        else {
            return;
        };
        let Some(first) = inner.first_operation(block) else {
            return;
        };
        for (value, (name, ty)) in self.named {
            let location = inner.location(first);
            let operation = context.operation_name(memref::Global::NAME);
            let mut new = NewOperation::new(operation, location);
            for (key, attribute) in [
                ("sym_name", context.string_attribute(&name)),
                ("sym_visibility", context.string_attribute("private")),
                ("type", context.type_attribute(ty)),
                ("initial_value", value),
                ("constant", context.unit_attribute()),
            ] {
                new.attributes.push((context.name(key), attribute));
            }
            let op = inner.create(context, new);
            inner.insert_before(first, op);
        }
    }

    /// Reserves the names of the symbols that are there.
    fn without_clashes(context: &Context, inner: &Body) -> Self {
        let symbols = inner.walk_all().into_iter();
        let symbols = symbols.filter_map(|op| View::new(context, inner, op).symbol_name());
        Self {
            taken: symbols.map(str::to_owned).collect(),
            named: BTreeMap::new(),
        }
    }
}

/// The message about an operation that has no form on memories.
const NO_FORM: &str = "has no memory form here";

/// Returns the blocks of a region in an order in which values are defined before they are used: the reverse of the order in which a
/// depth-first search leaves them. Blocks that nothing leads to come last.
fn order(body: &Body, region: RegionId) -> Vec<BlockId> {
    let blocks = body.blocks(region);
    let mut left = Vec::new();
    let mut seen = BTreeSet::new();
    let mut path: Vec<(BlockId, Vec<BlockId>)> = Vec::new();
    let successors = |block: BlockId| {
        let last = body.last_operation(block);
        last.map(|op| body.successors(op).to_vec())
            .unwrap_or_default()
    };
    if let Some(entry) = blocks.first() {
        seen.insert(*entry);
        path.push((*entry, successors(*entry)));
    }
    while let Some((block, rest)) = path.last_mut() {
        match rest.pop() {
            Some(next) if seen.insert(next) => path.push((next, successors(next))),
            Some(_) => {}
            None => {
                left.push(*block);
                path.pop();
            }
        }
    }
    left.reverse();
    left.extend(blocks.iter().filter(|block| !seen.contains(block)));
    left
}

/// Rewrites one function.
struct Rewriter<'a> {
    context: &'a Context,
    body: &'a mut Body,
    globals: &'a mut Globals,
    /// For each tensor so far, the memory that holds it.
    held: BTreeMap<ValueId, Held>,
    /// For each memory that was allocated or given, the tensors that were or are in it.
    holders: BTreeMap<ValueId, Vec<ValueId>>,
    /// The first block of the function, where memories of known size are allocated.
    entry: Option<BlockId>,
    /// Operations that are rewritten; they go at the end, because their uses decide conflicts.
    done: Vec<OperationId>,
    /// Arguments of blocks that are not needed any more.
    dropped: Vec<ValueId>,
    errors: Vec<(OperationId, String)>,
}

impl<'a> Rewriter<'a> {
    fn new(context: &'a Context, body: &'a mut Body, globals: &'a mut Globals) -> Self {
        Self {
            context,
            body,
            globals,
            held: BTreeMap::new(),
            holders: BTreeMap::new(),
            entry: None,
            done: Vec::new(),
            dropped: Vec::new(),
            errors: Vec::new(),
        }
    }

    fn function(&mut self) {
        let Some(region) = self.body.top_regions().next() else {
            return;
        };
        self.entry = self.body.blocks(region).first().copied();
        if let Some(entry) = self.entry {
            for argument in self.body.arguments(entry).to_vec() {
                if let Some(ty) = memory_type(self.context, self.body.ty(argument)) {
                    // The argument itself becomes the memory. Its old type is not needed: uses know what they want.
                    self.body.set_type(argument, ty);
                    self.hold(argument, Held::read_only(argument));
                }
            }
        }
        self.blocks(region);
        if self.errors.is_empty() {
            self.finish();
        }
    }

    /// Rewrites the operations of a block, in order.
    fn block(&mut self, block: BlockId) {
        let ops: Vec<OperationId> = self.body.operations(block).collect();
        for op in ops {
            if let Err(message) = self.operation(op) {
                self.fail(op, &message);
            }
        }
    }

    /// Records an error of an operation, which the message names.
    fn fail(&mut self, op: OperationId, message: &str) {
        let name = self.view(op).name();
        self.errors.push((op, format!("`{name}` {message}")));
    }

    fn region_of(&mut self, op: OperationId, region: usize) {
        let Some(region) = self.body.regions(op).get(region).copied() else {
            return;
        };
        self.blocks(region);
    }

    /// Rewrites the blocks of a region; a block comes after those that lead to it.
    fn blocks(&mut self, region: RegionId) {
        let order = order(self.body, region);
        for block in order.iter().skip(1) {
            let arguments = self.body.arguments(*block).iter();
            let mut types = arguments.map(|argument| self.body.ty(*argument));
            if types.any(|ty| is_tensor(self.context, ty))
                && let Some(op) = self.body.first_operation(*block)
            {
                let message = "tensors that branches pass to blocks have no memory form; write the loop with `scf.for`";
                self.errors.push((op, message.to_owned()));
                return;
            }
        }
        for block in order {
            self.block(block);
        }
    }

    /// Removes what was rewritten: uses first.
    fn finish(&mut self) {
        for op in std::mem::take(&mut self.done).into_iter().rev() {
            self.body.erase(op);
        }
        for argument in std::mem::take(&mut self.dropped).into_iter().rev() {
            if let Some(block) = self.body.defining_block(argument) {
                let arguments = self.body.arguments(block);
                if let Some(index) = arguments.iter().position(|one| *one == argument) {
                    self.body.remove_argument(block, index);
                }
            }
        }
    }

    fn view(&self, op: OperationId) -> View<'_> {
        View::new(self.context, self.body, op)
    }

    fn before(&mut self, op: OperationId) -> Builder<'_> {
        Builder::before(self.context, self.body, op)
    }
}
