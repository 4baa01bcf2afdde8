//! Verilog for parameters of modules and instances, and expressions over them.

use sluice_dialects::hw;
use sluice_ir::bits::Bits;
use sluice_ir::{Attribute, View};

use crate::emitter::{Emitter, Expression, literal, range};
use crate::pins::Header;

impl<'a> Emitter<'a> {
    /// Returns `#(parameter ...) ` of the module, if it has parameters.
    pub(crate) fn parameters(&mut self) -> String {
        let Some(list) = self.module.attribute("parameters") else {
            return String::new();
        };
        let module = self.module;
        let mut all = Vec::new();
        for (name, ty, value) in hw::parameter_values(self.context, list) {
            let width = hw::width_bits(self.context, ty);
            let Some(width) = width.and_then(|width| u32::try_from(width).ok()) else {
                self.refuse(module, &format!("the parameter `{name}` is no number"));
                continue;
            };
            let value = match value {
                Some(value) => self.parameter(module, value).text,
                None => literal(&Bits::zero(width)),
            };
            let name = self.parameter_name(&name);
            all.push(format!("parameter {}{name} = {value}", range(width)));
        }
        match all.is_empty() {
            true => String::new(),
            false => format!("#({}) ", all.join(", ")),
        }
    }

    /// Returns `#(.name(value)) ` of an instance, if it sets values.
    pub(crate) fn given_parameters(&mut self, view: View<'a>, header: &Header) -> String {
        let Some(list) = view.attribute("parameters") else {
            return String::new();
        };
        let mut all = Vec::new();
        for (name, _, value) in hw::parameter_values(self.context, list) {
            if let Some(value) = value {
                let value = self.parameter(view, value).text;
                let name = header.parameters.get(&name).unwrap_or(&name);
                all.push(format!(".{name}({value})"));
            }
        }
        match all.is_empty() {
            true => String::new(),
            false => format!("#({}) ", all.join(", ")),
        }
    }

    /// Returns the name of a parameter in the text.
    fn parameter_name(&self, name: &str) -> String {
        let known = self.parameter_names.get(name);
        known.map_or_else(|| name.to_owned(), Clone::clone)
    }

    /// Returns an expression over the parameters of the module.
    pub(crate) fn parameter(&mut self, view: View<'a>, value: Attribute) -> Expression {
        let (operation, operands) = match hw::parameter_expression(self.context, value) {
            Some(hw::Expression::Number(value)) => return Expression::atom(literal(value)),
            Some(hw::Expression::Parameter(name)) => {
                return Expression::atom(self.parameter_name(name));
            }
            Some(hw::Expression::Operation(operation, operands)) => (operation, operands),
            None => {
                self.refuse(view, "a parameter is no number");
                return Expression::atom("1'b0".to_owned());
            }
        };
        let mut parts = Vec::new();
        for operand in operands {
            let part = self.parameter(view, operand);
            parts.push(match part.is_atom {
                true => part.text,
                false => format!("({})", part.text),
            });
        }
        let operator = match operation {
            "add" => "+",
            "mul" => "*",
            "and" => "&",
            "or" => "|",
            "xor" => "^",
            "shl" => "<<",
            "shru" => ">>",
            "divu" => "/",
            "modu" => "%",
            "shrs" | "divs" | "mods" => {
                let operator = match operation {
                    "shrs" => ">>>",
                    "divs" => "/",
                    _ => "%",
                };
                // A shift amount has no sign; the context does not change the sign of an expression in parentheses.
                let signed = |(at, part): (usize, &String)| match (at, operation) {
                    (1, "shrs") => part.clone(),
                    _ => format!("$signed({part})"),
                };
                let all: Vec<String> = parts.iter().enumerate().map(signed).collect();
                let text = format!("$unsigned({})", all.join(&format!(" {operator} ")));
                return Expression::atom(text);
            }
            "clog2" => return Expression::atom(format!("$clog2({})", parts.join(", "))),
            _ => {
                self.refuse(view, &format!("`{operation}` of parameters is not written"));
                "+"
            }
        };
        Expression::plain(parts.join(&format!(" {operator} ")))
    }
}
