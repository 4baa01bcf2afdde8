//! Random declarations: operations with random operands, attributes, regions and formats. Those that the checks refuse are left out,
//! so that the others must print what they parse.

use std::fmt::Write as _;

use proc_macro2::TokenStream;
use syn::parse::{Parse, ParseStream};
use syn::{LitInt, LitStr, Token};

use crate::format::compile;
use crate::generate::expand;
use crate::parse::{Assembly, Declaration, Operation};

/// `"name", seed, number of operations`
pub(crate) struct Request {
    name: LitStr,
    seed: u64,
    n: usize,
}

impl Parse for Request {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = input.parse()?;
        input.parse::<Token![,]>()?;
        let seed = input.parse::<LitInt>()?.base10_parse()?;
        input.parse::<Token![,]>()?;
        let n = input.parse::<LitInt>()?.base10_parse()?;
        Ok(Self { name, seed, n })
    }
}

/// Random numbers. Source: G. Steele et al., "Fast splittable pseudorandom number generators" (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let z = z ^ (z >> 31);
        usize::try_from(z % n as u64).unwrap_or(0)
    }

    fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn one_of<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.below(all.len())]
    }

    /// Takes an element out of a list.
    fn take(&mut self, all: &mut Vec<String>) -> String {
        let i = self.below(all.len());
        all.remove(i)
    }
}

/// Constraints with one type, which a format need not write.
const ONE_TYPE: &[&str] = &["I1", "INDEX"];
const TYPES: &[&str] = &[
    "ANY_TYPE",
    "ANY_TYPE",
    "SIGNLESS_INTEGER",
    "I1",
    "INDEX",
    "MEMREF",
];
/// None that is printed as an alias `#name`: right after an operand, that is the number of a result.
const ATTRIBUTES: &[&str] = &[
    "I32",
    "I64",
    "BOOL",
    "STRING",
    "SYMBOL_NAME",
    "FLAT_SYMBOL",
    "TYPE",
    "ARRAY",
];
/// Not `<`: an attribute with a name, such as an alias, would continue.
const LITERALS: &[&str] = &[
    "`to`", "`:`", "`->`", "`(`", "`)`", "`[`", "`]`", "`>`", "`=`", "`from.a`", "`,`", "``", "` `",
];

/// Returns the text of a random operation.
fn operation(numbers: &mut Numbers, number: usize) -> String {
    let same_type = numbers.percent(20);
    let (mut operands, mut results, mut attributes) = (String::new(), String::new(), String::new());
    let (mut regions, mut successors) = (String::new(), String::new());
    // The pieces of the format: what must be written, and what an optional group may hold.
    let mut pieces: Vec<String> = vec!["attr-dict".to_owned()];
    let mut optional: Vec<(String, String)> = Vec::new();
    let mut traits = Vec::new();
    let mut flexible = 0;
    let n_operands = numbers.below(4);
    for i in 0..n_operands {
        let constraint = if same_type {
            "ANY_TYPE"
        } else {
            numbers.one_of(TYPES)
        };
        let arity =
            ["", "", "optional ", "variadic "][if same_type { 0 } else { numbers.below(4) }];
        let _ = write!(operands, "o{i}: {arity}{constraint}, ");
        let is_flexible = !arity.is_empty();
        flexible += usize::from(is_flexible);
        let writes_type = !same_type && (!ONE_TYPE.contains(&constraint) || numbers.percent(30));
        let ty = writes_type.then(|| format!("type($o{i})"));
        if is_flexible && numbers.percent(60) {
            let ty = ty.map_or_else(String::new, |ty| format!(" `:` {ty}"));
            optional.push((format!("$o{i}^"), ty));
        } else {
            pieces.push(format!("$o{i}"));
            pieces.extend(ty);
        }
    }
    if flexible > 1 {
        traits.push("ATTR_SIZED_OPERAND_SEGMENTS");
    }
    if same_type && n_operands > 0 {
        traits.push("SAME_OPERANDS_AND_RESULT_TYPE");
        let _ = write!(results, "r: ANY_TYPE, ");
        pieces.push("type($r)".to_owned());
    } else if numbers.percent(50) {
        let arity = numbers.one_of(&["", "variadic ", "optional "]);
        let constraint = numbers.one_of(TYPES);
        let _ = write!(results, "r: {arity}{constraint}, ");
        match arity.is_empty() || numbers.percent(50) {
            true => pieces.push("type($r)".to_owned()),
            false => optional.push(("type($r)^".to_owned(), String::new())),
        }
    }
    for i in 0..numbers.below(4) {
        match numbers.below(5) {
            0 => {
                let _ = write!(attributes, "a{i}: optional UNIT, ");
                pieces.push(format!("(`fast{i}` $a{i}^)?"));
            }
            1 => {
                let _ = write!(
                    attributes,
                    "a{i}: optional {}, ",
                    numbers.one_of(ATTRIBUTES)
                );
                if numbers.percent(70) {
                    optional.push((format!("$a{i}^"), String::new()));
                }
            }
            _ => {
                let constraint = numbers.one_of(ATTRIBUTES);
                let _ = write!(attributes, "a{i}: {constraint}, ");
                match numbers.below(4) {
                    0 => {}
                    1 => pieces.push(format!("qualified($a{i})")),
                    _ => pieces.push(format!("$a{i}")),
                }
            }
        }
    }
    if numbers.percent(20) {
        regions += "b: sized(1), ";
        pieces.push("$b".to_owned());
        traits.extend(["SINGLE_BLOCK", "NO_TERMINATOR"]);
    }
    if numbers.percent(10) {
        successors += "s, t: variadic, ";
        traits.push("TERMINATOR");
        pieces.push("$s".to_owned());
        optional.push(("$t^".to_owned(), String::new()));
    }
    for (anchor, rest) in optional {
        let word = numbers.one_of(&["`with`", "`at` `(`", "`,`", "`->`", "`:`", ""]);
        let end = if word.ends_with("`(`") { " `)`" } else { "" };
        let otherwise = if numbers.percent(15) {
            " : (`none`)"
        } else {
            ""
        };
        pieces.push(format!("({word} {anchor}{rest}{end}){otherwise}?"));
    }
    let mut format = Vec::new();
    while !pieces.is_empty() {
        format.push(numbers.take(&mut pieces));
        if numbers.percent(60) {
            format.push(numbers.one_of(LITERALS).to_owned());
        }
    }
    format!(
        "/// Random.\nop R{number} = \"r{number}\" {{ traits: [{}], operands: {{ {operands} }}, results: {{ {results} }}, \
         attributes: {{ {attributes} }}, regions: {{ {regions} }}, successors: {{ {successors} }}, assembly: \"{}\" }}",
        traits.join(", "),
        format.join(" ")
    )
}

fn is_accepted(operation: &Operation) -> bool {
    match &operation.assembly {
        Assembly::Format(text) => {
            compile(operation, text).is_ok_and(|code| code.after_words.is_empty())
        }
        Assembly::Generic | Assembly::Custom(..) => false,
    }
}

/// Returns the code of a dialect of random operations.
pub(crate) fn dialect(request: &Request) -> TokenStream {
    let mut numbers = Numbers(request.seed);
    let name = request.name.value();
    let mut text = format!("dialect \"{name}\" {{ summary: \"Random operations\" }}\n");
    let mut found = 0;
    while found < request.n {
        let one = operation(&mut numbers, found);
        let whole = format!("dialect \"{name}\" {{ summary: \"Random operations\" }}\n{one}");
        let parsed = syn::parse_str::<Declaration>(&whole);
        if parsed.is_ok_and(|parsed| parsed.operations.iter().all(is_accepted)) {
            text += &one;
            text.push('\n');
            found += 1;
        }
    }
    match syn::parse_str::<Declaration>(&text) {
        Ok(declaration) => expand(&declaration),
        Err(error) => error.to_compile_error(),
    }
}
