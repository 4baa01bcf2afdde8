//! Random memory operations: accesses, allocations, tables, copies.

use super::affine_expressions::Dimensions;
use super::generator::Generator;
use super::{Type, ValueId, element_type};
use crate::oracle::Element;

impl Generator {
    /// Returns a visible memory.
    fn any_memory(&mut self, must_be_writable: bool) -> Option<ValueId> {
        let all: Vec<ValueId> = self
            .visible
            .iter()
            .map(|v| v.value)
            .filter(|v| !self.untouched.contains(v))
            .filter(|v| match self.ty(*v) {
                Type::Memory { writable, .. } => *writable || !must_be_writable,
                Type::Integer(_) | Type::Index { .. } => false,
            })
            .collect();
        if all.is_empty() {
            return None;
        }
        Some(all[self.choose(all.len())])
    }

    fn shape(&self, memory: ValueId) -> (Vec<u64>, Element) {
        match self.ty(memory) {
            Type::Memory { shape, element, .. } => (shape.clone(), *element),
            Type::Integer(_) | Type::Index { .. } => unreachable!("only memories are asked for"),
        }
    }

    /// Returns the dialect, subscripts with holes from `first` on, and the values for these holes.
    fn subscripts(&mut self, shape: &[u64], first: usize) -> (&'static str, String, Vec<ValueId>) {
        if self.once_in(2) {
            let mut dimensions = Dimensions::default();
            let all: Vec<String> = shape
                .iter()
                .map(|extent| self.subscript(&mut dimensions, *extent))
                .collect();
            let text = dimensions.inline(&all.join(", "), first);
            return ("affine", text, dimensions.values);
        }
        let values: Vec<ValueId> = shape
            .iter()
            .map(|extent| {
                self.find(&Type::Index {
                    below: Some(*extent),
                })
            })
            .collect();
        let text = super::generator::holes('o', first, values.len());
        ("memref", text, values)
    }

    pub(super) fn load(&mut self) {
        let Some(memory) = self.any_memory(false) else {
            return self.memory_operation();
        };
        let (shape, element) = self.shape(memory);
        let (dialect, subscripts, values) = self.subscripts(&shape, 1);
        let t = self.ty(memory).text();
        let operands: Vec<ValueId> = [memory].into_iter().chain(values).collect();
        self.emit(
            format!("%r0 = {dialect}.load %o0[{subscripts}] : {t}"),
            &operands,
            &[element_type(element)],
        );
    }

    pub(super) fn store(&mut self) {
        if !self.untouched.is_empty() {
            return self.load();
        }
        let Some(memory) = self.any_memory(true) else {
            return self.memory_operation();
        };
        let (shape, element) = self.shape(memory);
        let value = self.find(&element_type(element));
        let (dialect, subscripts, values) = self.subscripts(&shape, 2);
        let t = self.ty(memory).text();
        let operands: Vec<ValueId> = [memory, value].into_iter().chain(values).collect();
        self.emit(
            format!("{dialect}.store %o1, %o0[{subscripts}] : {t}"),
            &operands,
            &[],
        );
    }

    /// Stores an unused value, converted to the element type of a memory.
    pub(super) fn sink(&mut self) {
        let (Some(value), true) = (self.newest_unused(), self.untouched.is_empty()) else {
            return;
        };
        let Some(memory) = self.any_memory(true) else {
            return;
        };
        let (shape, element) = self.shape(memory);
        let (from, to) = (self.ty(value).clone(), element_type(element));
        let (f, t) = (from.text(), to.text());
        let (conversion, stored) = match (&from, &to) {
            (Type::Integer(a), Type::Integer(b)) if a < b => {
                (format!("%l0 = arith.extui %o1 : {f} to {t}\n"), "%l0")
            }
            (Type::Integer(a), Type::Integer(b)) if a > b => {
                (format!("%l0 = arith.trunci %o1 : {f} to {t}\n"), "%l0")
            }
            (Type::Integer(_), Type::Index { .. }) | (Type::Index { .. }, Type::Integer(_)) => {
                (format!("%l0 = arith.index_cast %o1 : {f} to {t}\n"), "%l0")
            }
            (Type::Integer(_) | Type::Index { .. } | Type::Memory { .. }, _) => {
                (String::new(), "%o1")
            }
        };
        let (dialect, subscripts, values) = self.subscripts(&shape, 2);
        let m = self.ty(memory).text();
        let operands: Vec<ValueId> = [memory, value].into_iter().chain(values).collect();
        self.emit(
            format!("{conversion}{dialect}.store {stored}, %o0[{subscripts}] : {m}"),
            &operands,
            &[],
        );
    }

    /// Allocates a memory of this type, which is filled before anything can read it.
    pub(super) fn allocation(&mut self, ty: &Type) -> ValueId {
        let Type::Memory { shape, element, .. } = ty else {
            unreachable!("only memories are allocated");
        };
        let t = ty.text();
        let operation = ["alloc", "alloca"][self.choose(2)];
        let source = self.visible.iter().map(|v| v.value).find(|v| {
            matches!(self.ty(*v), Type::Memory { shape: s, element: e, .. } if s == shape && e == element)
                && !self.untouched.contains(v)
        });
        let mut template = format!("%r0 = memref.{operation}() : {t}\n");
        let operand = match source.filter(|_| self.choose(3) == 0) {
            Some(source) => {
                template += &format!("memref.copy %o0, %r0 : {t} to {t}");
                source
            }
            None => {
                let value = self.find(&element_type(*element));
                for (i, extent) in shape.iter().enumerate() {
                    template += &format!("affine.for %l{i} = 0 to {extent} {{\n");
                }
                let all: Vec<String> = (0..shape.len()).map(|i| format!("%l{i}")).collect();
                template += &format!("affine.store %o0, %r0[{}] : {t}\n", all.join(", "));
                template += &"}\n".repeat(shape.len());
                value
            }
        };
        let ty = Type::Memory {
            shape: shape.clone(),
            element: *element,
            writable: true,
        };
        self.emit(template, &[operand], &[ty])[0]
    }

    /// Creates a memory operation other than a load or a store.
    pub(super) fn memory_operation(&mut self) {
        match self.choose(6) {
            0 | 1 if !self.globals.is_empty() => {
                let i = self.choose(self.globals.len());
                let (name, ty) = (self.globals[i].name.clone(), self.globals[i].ty.clone());
                self.emit(
                    format!("%r0 = memref.get_global @{name} : {}", ty.text()),
                    &[],
                    &[ty],
                );
            }
            2 => {
                if let Some(memory) = self.any_memory(false) {
                    let ty = self.ty(memory).clone();
                    let t = ty.text();
                    self.emit(
                        format!("%r0 = memref.cast %o0 : {t} to {t}"),
                        &[memory],
                        &[ty],
                    );
                }
            }
            3 => {
                let Some(memory) = self.any_memory(false) else {
                    return;
                };
                let (shape, _) = self.shape(memory);
                if shape.is_empty() {
                    return;
                }
                let at = self.choose(shape.len());
                let t = self.ty(memory).text();
                self.emit(
                    format!("%l0 = arith.constant {at} : index\n%r0 = memref.dim %o0, %l0 : {t}"),
                    &[memory],
                    &[Type::Index {
                        below: Some(shape[at] + 1),
                    }],
                );
            }
            4 if self.untouched.is_empty() => {
                let Some(from) = self.any_memory(false) else {
                    return;
                };
                let (shape, element) = self.shape(from);
                let wanted = Type::Memory {
                    shape,
                    element,
                    writable: true,
                };
                let to = self.find(&wanted);
                if from != to && self.multiplier <= 8 {
                    let t = wanted.text();
                    self.emit(
                        format!("memref.copy %o0, %o1 : {t} to {t}"),
                        &[from, to],
                        &[],
                    );
                }
            }
            _ => {
                if self.multiplier <= 8 {
                    let ty = self.memory_type();
                    self.allocation(&ty);
                }
            }
        }
    }
}
