//! Selection of the lines that are parsed for the syntax check. Lines that differ in names and numbers only have the same form,
//! and either all are valid Verilog or none is. So one line of each form is enough.
//!
//! The parser takes hundreds of microseconds for a line, and most lines of a circuit repeat a form with other wires. This module
//! itself recognises names (not reserved words) and numbers; everything else is part of the form, including each space.
//!
//! Forms that the parser accepted in an earlier text of the process need not be parsed again: [`Accepted`] keeps them.

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use sluice_dialects::names::is_reserved;

/// Forms of lines and paragraphs that the parser accepted, as hashes.
#[derive(Default)]
pub(crate) struct Accepted {
    /// Lines, each with the form of the line that opens or closes something before it.
    lines: HashSet<(u64, u64)>,
    /// Paragraphs, with the depth of brackets and blocks at which they start.
    paragraphs: HashSet<u64>,
}

/// The most lines and the most paragraphs that are kept, about 10 MB; further ones are parsed whenever they occur.
const MAX_KEPT: usize = 1 << 18;

impl Accepted {
    /// Adds the forms of a text that the parser accepted.
    pub(crate) fn extend(&mut self, new: Self) {
        if self.lines.len() < MAX_KEPT && self.paragraphs.len() < MAX_KEPT {
            self.lines.extend(new.lines);
            self.paragraphs.extend(new.paragraphs);
        }
    }

    /// Returns the text without lines and paragraphs whose form is accepted or occurred before, and the new forms. The lines become
    /// empty, so that line numbers stay the same.
    ///
    /// A line that ends a statement or a list entry is dropped if a line of its form occurred after an opening line of the same
    /// form. A paragraph ends at an empty line. It is dropped if its brackets are balanced and an earlier paragraph had the same
    /// lines, or the same remaining lines. The first entry of a `case` stays, since a `case` needs one.
    pub(crate) fn rest_of(&self, text: &str) -> (String, Self) {
        let mut forms = Forms::default();
        let mut new = Self::default();
        let mut result = String::with_capacity(text.len() / 4);
        // The form of the last line that opens or closes something.
        let mut around = 0;
        let mut depth = 0;
        let mut starts_case = false;
        for paragraph in text.split("\n\n") {
            let depth_before = depth;
            let (mut all, mut left) = (Vec::new(), Vec::new());
            let mut lines = String::new();
            for line in paragraph.split('\n') {
                if line.is_empty() {
                    lines.push('\n');
                    continue;
                }
                let form = forms.of(line);
                let is_member = form.ends_a_member;
                depth += form.opens;
                all.push(form.hash);
                if !is_member {
                    around = form.hash;
                }
                let key = (around, form.hash);
                let is_new = !self.lines.contains(&key) && new.lines.insert(key);
                if !is_member || is_new || starts_case {
                    left.push(form.hash);
                    lines.push_str(line);
                }
                starts_case = form.starts_case;
                lines.push('\n');
            }
            let keys = [all, left].map(|forms| hash_of(&(depth_before, forms)));
            let known = [&self.paragraphs, &new.paragraphs];
            let is_known = keys
                .iter()
                .any(|key| known.iter().any(|paragraphs| paragraphs.contains(key)));
            new.paragraphs.extend(keys);
            if !is_known || depth != depth_before {
                result.push_str(&lines);
            } else {
                result.extend(lines.matches('\n'));
            }
            result.push('\n');
        }
        (result, new)
    }
}

/// Returns the same hash for the same value in every run.
fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[derive(Default)]
struct Forms<'t> {
    /// For each word, whether it is a name.
    names: BTreeMap<&'t str, bool>,
}

/// Properties of a line.
struct Form {
    /// Equal for lines of the same form.
    hash: u64,
    /// It ends with a semicolon or comma, and its brackets and blocks are balanced.
    ends_a_member: bool,
    /// Number of brackets and blocks that it opens, minus those that it closes.
    opens: i32,
    /// It opens a `case`.
    starts_case: bool,
}

impl<'t> Forms<'t> {
    fn of(&mut self, line: &'t str) -> Form {
        let code = line.split("//").next().unwrap_or(line).trim_end();
        let mut text = String::with_capacity(code.len());
        let (mut opens, mut starts_case) = (0, false);
        // Lines with directives, strings or block comments are kept as they are.
        let is_plain = !code.contains(['`', '"', '\\']) && !code.contains("/*");
        let mut rest = code;
        while let Some(first) = rest.chars().next() {
            let length = token_length(rest, first);
            let (token, behind) = rest.split_at(length);
            rest = behind;
            starts_case |= token == "case";
            opens += match token {
                "(" | "[" | "{" | "begin" | "case" | "module" => 1,
                ")" | "]" | "}" | "end" | "endcase" | "endmodule" => -1,
                _ => 0,
            };
            if is_plain && first.is_ascii_digit() {
                text.push_str(number_form(token));
            } else if is_plain && (first.is_ascii_alphabetic() || first == '_') {
                let is_name = self
                    .names
                    .entry(token)
                    .or_insert_with(|| !is_reserved(token));
                text.push_str(if *is_name { "a" } else { token });
            } else {
                text.push_str(token);
            }
        }
        Form {
            ends_a_member: is_plain && opens == 0 && text.ends_with([';', ',']),
            hash: hash_of(&text),
            opens,
            starts_case,
        }
    }
}

/// Returns the bytes of the first token: a word, a number with its size and base, a system function, or one character.
fn token_length(rest: &str, first: char) -> usize {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    let word = |from: usize| {
        let end = rest[from..].find(|c| !is_part(c));
        end.map_or(rest.len(), |end| from + end)
    };
    if !is_part(first) {
        return first.len_utf8();
    }
    let end = word(0);
    if first.is_ascii_digit() && rest[end..].starts_with('\'') {
        return word(end + 1);
    }
    end
}

/// Returns a representative number of the same kind; a number in an unknown format represents only itself.
fn number_form(token: &str) -> &str {
    let are = |digits: &str, digit: fn(&char) -> bool| {
        !digits.is_empty() && digits.chars().all(|c| digit(&c))
    };
    let decimal = |digits| are(digits, char::is_ascii_digit);
    match token.split_once('\'') {
        None if decimal(token) => "1",
        Some((size, digits)) if decimal(size) && !size.starts_with('0') => {
            match digits.split_at_checked(1) {
                Some(("d", digits)) if decimal(digits) => "1'd1",
                Some(("h", digits)) if are(digits, char::is_ascii_hexdigit) => "1'h1",
                _ => token,
            }
        }
        _ => token,
    }
}

#[cfg(test)]
mod tests {
    use super::Accepted;
    use crate::check_syntax;

    /// Returns a text without the lines and paragraphs whose form occurred before.
    fn one_of_each(text: &str) -> String {
        Accepted::default().rest_of(text).0
    }

    /// Returns a module with these lines.
    fn module(lines: &str) -> String {
        format!("module m (\n  input wire clock\n);\n{lines}\nendmodule\n")
    }

    /// Returns the remaining lines of a module with these lines.
    fn left(lines: &str) -> Vec<String> {
        let all = one_of_each(&module(lines));
        let inside = all.lines().filter(|line| line.starts_with("  ")).skip(1);
        inside.map(|line| line.trim().to_owned()).collect()
    }

    #[test]
    fn names_and_numbers_make_no_form() {
        let lines = "  assign a = b + 4'd3;\n  assign c_1 = d + 12'd7;\n  assign e = f - 4'd3;";
        assert_eq!(
            left(lines),
            ["assign a = b + 4'd3;", "assign e = f - 4'd3;"]
        );
    }

    #[test]
    fn reserved_words_and_numbers_of_no_bits_are_forms() {
        let lines = "  wire a;\n  wire signed;\n  wire c;\n  assign a = 4'd1;\n  assign a = 0'd1;\n  assign a = 4'd1a;";
        assert_eq!(
            left(lines),
            [
                "wire a;",
                "wire signed;",
                "assign a = 4'd1;",
                "assign a = 0'd1;",
                "assign a = 4'd1a;"
            ]
        );
    }

    #[test]
    fn the_same_paragraphs_are_left_out_and_lines_keep_their_numbers() {
        let block = |name: &str| {
            format!("  always @(posedge clock) begin\n    {name} <= {name} + 8'd1;\n  end")
        };
        let parts = [
            String::new(),
            block("a"),
            block("b"),
            "  wire wire;".to_owned(),
        ];
        let text = module(&parts.join("\n\n"));
        let one = one_of_each(&text);
        assert_eq!(one.matches("always").count(), 1);
        let [all, one] = [&text, &one].map(|text| check_syntax(text).expect_err("no name"));
        assert_eq!(all.line, one.line);
    }

    #[test]
    fn a_paragraph_that_closes_more_than_it_opens_stays() {
        let lines = "  wire a;\n\n  wire b;\n  end\n\n  wire b;\n  end";
        assert_eq!(left(lines).iter().filter(|line| *line == "end").count(), 2);
        assert!(check_syntax(&one_of_each(&module(lines))).is_err());
    }

    #[test]
    fn every_case_has_an_entry() {
        let table = |name: &str| {
            format!(
                "  always @(*) begin\n    case (clock)\n      1'd0: {name} = 4'd3;\n      1'd1: {name} = 4'd7;\n    endcase\n  end"
            )
        };
        let lines = [
            "  reg [3:0] a;\n  reg [3:0] b;".to_owned(),
            table("a"),
            table("b"),
        ];
        assert_eq!(
            check_syntax(&one_of_each(&module(&lines.join("\n")))),
            Ok(())
        );
    }

    #[test]
    fn forms_of_earlier_texts_are_left_out() {
        let mut accepted = Accepted::default();
        let first = "  wire a;\n  assign a = b + 4'd3;\n\n  always @(posedge clock) begin\n    c <= d;\n  end\n\n  wire z;";
        let (_, new) = accepted.rest_of(&module(first));
        accepted.extend(new);
        let second = "  wire e;\n  assign e = f + 7'd1;\n  assign e = f - 7'd1;\n\n  always @(posedge clock) begin\n    g <= e;\n  end\n\n  wire y;";
        let (rest, new) = accepted.rest_of(&module(second));
        assert_eq!(rest.matches("assign").count(), 1);
        assert!(rest.contains("assign e = f - 7'd1;") && !rest.contains("always"));
        assert_eq!(check_syntax(&rest), Ok(()));
        assert_eq!(new.lines.len(), 1);
        // A wrong text stays wrong: a statement is accepted in a block only.
        let third = "    g <= e;\n  wire h;";
        let (rest, _) = accepted.rest_of(&module(third));
        assert!(check_syntax(&rest).is_err());
    }

    #[test]
    fn a_statement_is_none_among_items() {
        let lines =
            "  always @(posedge clock) begin\n    a <= b;\n  end\n    a <= b;\n  assign a = b;";
        assert!(check_syntax(&one_of_each(&module(lines))).is_err());
    }
}
