//! The call graph, with the number of references to each function.

use std::collections::BTreeMap;

use sluice_ir::definition::Traits;
use sluice_ir::{Body, Context, OperationId, View};

use crate::symbols::{Visibility, callee, references_of, uses_are_visible, visibility, walk};

/// The functions of one symbol table that have a body.
pub(super) struct Graph {
    /// The functions, in source order.
    pub(super) functions: Vec<OperationId>,
    by_name: BTreeMap<String, usize>,
    /// The functions that each function calls, without repetition.
    edges: Vec<Vec<usize>>,
    /// Per function: how often it references each other function.
    uses: Vec<BTreeMap<usize, usize>>,
    /// Per function: how often functions reference it, or `None` if it must not be erased.
    named: Vec<Option<usize>>,
}

impl Graph {
    /// Builds the call graph of `owner`. `visible` is true if nothing outside can refer to its symbols.
    pub(super) fn new(owner: View<'_>, visible: bool) -> Self {
        let (context, body) = (owner.context, owner.inner());
        let visible = uses_are_visible(owner, visible);
        let blocks = owner.regions().iter().flat_map(|r| body.blocks(*r));
        let all: Vec<OperationId> = blocks.flat_map(|block| body.operations(*block)).collect();
        let is_node = |op: &OperationId| {
            let view = View::new(context, body, *op);
            view.has(Traits::FUNCTION_LIKE) && view.entry_block(0).is_some()
        };
        let functions: Vec<OperationId> = all.iter().copied().filter(is_node).collect();
        let name = |op: OperationId| View::new(context, body, op).symbol_name();
        let names = functions.iter().enumerate();
        let by_name: BTreeMap<String, usize> = names
            .filter_map(|(i, op)| Some((name(*op)?.to_owned(), i)))
            .collect();
        let mut graph = Self {
            edges: vec![Vec::new(); functions.len()],
            uses: vec![BTreeMap::new(); functions.len()],
            named: Vec::new(),
            functions,
            by_name,
        };
        for op in &graph.functions {
            let view = View::new(context, body, *op);
            let may_go = match visibility(view) {
                Visibility::Public => false,
                Visibility::Nested => visible,
                Visibility::Private => true,
            };
            graph.named.push(may_go.then_some(0));
        }
        for op in all.iter().filter(|op| !is_node(op)) {
            for function in graph.names_in(context, body, *op) {
                graph.named[function] = None;
            }
        }
        for function in 0..graph.functions.len() {
            graph.find_calls(context, body, function);
            graph.count_uses(context, body, function);
        }
        graph
    }

    fn find_calls(&mut self, context: &Context, body: &Body, function: usize) {
        let op = self.functions[function];
        let mut found = Vec::new();
        walk(context, body, op, &mut |view| {
            if let Some(target) = self.called(view)
                && !found.contains(&target)
            {
                found.push(target);
            }
            view.id == op || !view.has(Traits::FUNCTION_LIKE)
        });
        self.edges[function] = found;
    }

    /// Returns the functions that `op` references, once per reference.
    fn names_in(&self, context: &Context, body: &Body, op: OperationId) -> Vec<usize> {
        let mut found = Vec::new();
        walk(context, body, op, &mut |view| {
            for (root, _) in references_of(view) {
                found.extend(self.by_name.get(context.text(root)));
            }
            !view.has(Traits::SYMBOL_TABLE)
        });
        found
    }

    /// Returns the function that an operation calls, if it has a body.
    pub(super) fn called(&self, view: View<'_>) -> Option<usize> {
        self.by_name.get(callee(view)?).copied()
    }

    /// Returns true if a function calls itself.
    pub(super) fn calls_itself(&self, function: usize) -> bool {
        self.edges[function].contains(&function)
    }

    /// Recomputes the references of a function.
    pub(super) fn count_uses(&mut self, context: &Context, body: &Body, function: usize) {
        self.drop_uses(function);
        let names = self.names_in(context, body, self.functions[function]);
        for name in names {
            *self.uses[function].entry(name).or_default() += 1;
            if let Some(count) = &mut self.named[name] {
                *count += 1;
            }
        }
    }

    /// Removes the references of a function that is erased.
    pub(super) fn drop_uses(&mut self, function: usize) {
        for (name, n) in std::mem::take(&mut self.uses[function]) {
            if let Some(count) = &mut self.named[name] {
                *count = count.saturating_sub(n);
            }
        }
    }

    /// Updates the counts after a call of `target` in `function` was inlined.
    pub(super) fn call_was_inlined(&mut self, target: usize, function: usize) {
        if let Some(count) = self.uses[function].get_mut(&target) {
            *count = count.saturating_sub(1);
        }
        if let Some(count) = &mut self.named[target] {
            *count = count.saturating_sub(1);
        }
        for (name, n) in self.uses[target].clone() {
            *self.uses[function].entry(name).or_default() += n;
            if let Some(count) = &mut self.named[name] {
                *count += n;
            }
        }
    }

    /// Returns true if a function has no references and may be erased.
    pub(super) fn is_dead(&self, function: usize) -> bool {
        self.named[function] == Some(0)
    }

    /// Returns true if a function has exactly one reference and may be erased after that.
    pub(super) fn is_named_once(&self, function: usize) -> bool {
        self.named[function] == Some(1)
    }

    /// Returns the strongly connected components, callees first.
    ///
    /// Source: R. Tarjan, "Depth-First Search and Linear Graph Algorithms". Functions of one component are in reverse order of
    /// discovery, as in LLVM's `scc_iterator`.
    pub(super) fn components(&self) -> Vec<Vec<usize>> {
        let n = self.functions.len();
        let mut found = Vec::new();
        let (mut index, mut low) = (vec![usize::MAX; n], vec![0; n]);
        let (mut stack, mut on_stack, mut next) = (Vec::new(), vec![false; n], 0);
        for root in 0..n {
            if index[root] != usize::MAX {
                continue;
            }
            let mut visits = vec![(root, 0)];
            while let Some((node, edge)) = visits.pop() {
                if edge == 0 {
                    (index[node], low[node]) = (next, next);
                    next += 1;
                    stack.push(node);
                    on_stack[node] = true;
                }
                if let Some(target) = self.edges[node].get(edge).copied() {
                    visits.push((node, edge + 1));
                    if index[target] == usize::MAX {
                        visits.push((target, 0));
                    } else if on_stack[target] {
                        low[node] = low[node].min(index[target]);
                    }
                    continue;
                }
                if let Some((parent, _)) = visits.last() {
                    low[*parent] = low[*parent].min(low[node]);
                }
                if low[node] == index[node] {
                    let mut component = Vec::new();
                    while let Some(member) = stack.pop() {
                        on_stack[member] = false;
                        component.push(member);
                        if member == node {
                            break;
                        }
                    }
                    found.push(component);
                }
            }
        }
        found
    }
}
