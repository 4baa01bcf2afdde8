//! Parses affine maps and integer sets, with declared names or over SSA names.

use crate::affine::{AffineExpr, AffineMap, IntegerSet};
use crate::attributes::AttributeKind;
use crate::limits::Limit;
use crate::text::lexer::TokenKind;
use crate::text::parser::Parser;
use crate::text::{Delimiter, ParseResult, UnresolvedOperand};

/// The meaning of identifiers in an affine expression.
enum Identifiers<'a> {
    /// Declared dimensions and symbols.
    Declared(Vec<(&'a str, AffineExpr)>),
    /// SSA names: dimensions, or symbols in `symbol(...)`.
    Operands {
        dims: Vec<(&'a str, UnresolvedOperand)>,
        symbols: Vec<(&'a str, UnresolvedOperand)>,
    },
}

impl<'a> Parser<'a> {
    /// Reads an affine map, inline `(d0) -> (d0)`, as `affine_map<...>` or as an alias.
    pub fn parse_affine_map(&mut self) -> ParseResult<AffineMap> {
        if self.is(TokenKind::LeftParen) {
            return self.affine_map_body();
        }
        let position = self.position();
        let attribute = self.parse_attribute()?;
        match attribute.kind(self.context) {
            AttributeKind::AffineMap(map) => Ok(map.clone()),
            _ => Err(self.error(position, "expected an affine map")),
        }
    }

    /// Reads an integer set, inline `(d0) : (d0 >= 0)`, as `affine_set<...>` or as an alias.
    pub fn parse_integer_set(&mut self) -> ParseResult<IntegerSet> {
        if self.is(TokenKind::LeftParen) {
            return self.integer_set_body();
        }
        let position = self.position();
        let attribute = self.parse_attribute()?;
        match attribute.kind(self.context) {
            AttributeKind::IntegerSet(set) => Ok(set.clone()),
            _ => Err(self.error(position, "expected an integer set")),
        }
    }

    /// Reads affine expressions of SSA names between `delimiter`s: map, dimension operands, symbol operands
    /// (`symbol(%x)`).
    pub fn parse_affine_map_of_operands(
        &mut self,
        delimiter: Delimiter,
    ) -> ParseResult<(AffineMap, Vec<UnresolvedOperand>)> {
        let mut identifiers = Identifiers::Operands {
            dims: Vec::new(),
            symbols: Vec::new(),
        };
        let mut results = Vec::new();
        self.parse_comma_separated(delimiter, |parser| {
            results.push(parser.affine_expression(&mut identifiers)?);
            Ok(())
        })?;
        Ok(map_of_operands(results, identifiers))
    }

    /// Reads `(expr, keyword(expr, expr), ...)` over SSA names: a map of all expressions, and the number of expressions in each
    /// group.
    pub fn parse_affine_groups_of_operands(
        &mut self,
        keyword: &str,
    ) -> ParseResult<(AffineMap, Vec<i64>, Vec<UnresolvedOperand>)> {
        let mut identifiers = Identifiers::Operands {
            dims: Vec::new(),
            symbols: Vec::new(),
        };
        let (mut results, mut groups) = (Vec::new(), Vec::new());
        self.parse_comma_separated(Delimiter::Paren, |parser| {
            let start = results.len();
            if parser.parse_optional_keyword(keyword) {
                parser.parse_comma_separated(Delimiter::Paren, |parser| {
                    results.push(parser.affine_expression(&mut identifiers)?);
                    Ok(())
                })?;
            } else {
                results.push(parser.affine_expression(&mut identifiers)?);
            }
            groups.push(i64::try_from(results.len() - start).unwrap_or(i64::MAX));
            Ok(())
        })?;
        let (map, operands) = map_of_operands(results, identifiers);
        Ok((map, groups, operands))
    }

    /// Reads one affine expression of SSA names, as [`Parser::parse_affine_map_of_operands`].
    pub fn parse_affine_expression_of_operands(
        &mut self,
    ) -> ParseResult<(AffineMap, Vec<UnresolvedOperand>)> {
        let mut identifiers = Identifiers::Operands {
            dims: Vec::new(),
            symbols: Vec::new(),
        };
        let result = self.affine_expression(&mut identifiers)?;
        Ok(map_of_operands(vec![result], identifiers))
    }

    /// Reads `(%dims)[%symbols]`; the number of dimensions comes with the operands.
    pub fn parse_dimension_and_symbol_operands(
        &mut self,
    ) -> ParseResult<(usize, Vec<UnresolvedOperand>)> {
        let mut operands = self.parse_operand_list(Delimiter::Paren)?;
        let n_dims = operands.len();
        operands.extend(self.parse_operand_list(Delimiter::OptionalSquare)?);
        Ok((n_dims, operands))
    }

    /// Parses `(d0)[s0] -> (results)`.
    pub(crate) fn affine_map_body(&mut self) -> ParseResult<AffineMap> {
        let (n_dims, n_symbols, mut identifiers) = self.affine_inputs()?;
        self.expect(TokenKind::Arrow, "expected '->' or ':'")?;
        let mut results = Vec::new();
        self.parse_comma_separated_in(Delimiter::Paren, " in affine map range", |parser| {
            results.push(parser.affine_expression(&mut identifiers)?);
            Ok(())
        })?;
        Ok(AffineMap {
            n_dims,
            n_symbols,
            results,
        })
    }

    /// Parses `(d0)[s0] : (constraints)`.
    pub(crate) fn integer_set_body(&mut self) -> ParseResult<IntegerSet> {
        let (n_dims, n_symbols, mut identifiers) = self.affine_inputs()?;
        self.expect(TokenKind::Colon, "expected '->' or ':'")?;
        let mut constraints = Vec::new();
        self.parse_comma_separated_in(
            Delimiter::Paren,
            " in integer set constraint list",
            |parser| {
                constraints.push(parser.affine_constraint(&mut identifiers)?);
                Ok(())
            },
        )?;
        if constraints.is_empty() {
            constraints.push((AffineExpr::Constant(0), true));
        }
        Ok(IntegerSet {
            n_dims,
            n_symbols,
            constraints,
        })
    }

    fn affine_inputs(&mut self) -> ParseResult<(u32, u32, Identifiers<'a>)> {
        let mut declared: Vec<(&'a str, AffineExpr)> = Vec::new();
        let (mut n_dims, mut n_symbols) = (0, 0);
        self.parse_comma_separated_in(
            Delimiter::Paren,
            " in dimensional identifier list",
            |parser| {
                parser.affine_input(&mut declared, AffineExpr::Dim(n_dims))?;
                n_dims += 1;
                Ok(())
            },
        )?;
        self.parse_comma_separated_in(Delimiter::OptionalSquare, " in symbol list", |parser| {
            parser.affine_input(&mut declared, AffineExpr::Symbol(n_symbols))?;
            n_symbols += 1;
            Ok(())
        })?;
        Ok((n_dims, n_symbols, Identifiers::Declared(declared)))
    }

    fn affine_input(
        &mut self,
        declared: &mut Vec<(&'a str, AffineExpr)>,
        meaning: AffineExpr,
    ) -> ParseResult<()> {
        if !self.is(TokenKind::Bare) {
            return Err(self.wrong_token("expected bare identifier"));
        }
        let name = self.spelling();
        if declared.iter().any(|(known, _)| *known == name) {
            return Err(self.wrong_token(format!("redefinition of identifier '{name}'")));
        }
        self.advance();
        declared.push((name, meaning));
        Ok(())
    }

    fn affine_constraint(
        &mut self,
        identifiers: &mut Identifiers<'a>,
    ) -> ParseResult<(AffineExpr, bool)> {
        let left = self.affine_expression(identifiers)?;
        let kind = self.token.kind;
        let two = self.source[self.token.end as usize..].starts_with('=');
        if !two
            || !matches!(
                kind,
                TokenKind::Greater | TokenKind::Less | TokenKind::Equal
            )
        {
            let message =
                "expected '== affine-expr' or '>= affine-expr' at end of affine constraint";
            return Err(self.wrong_token(message));
        }
        self.advance();
        self.advance();
        let right = self.affine_expression(identifiers)?;
        Ok(match kind {
            TokenKind::Less => (right - left, false),
            _ => (left - right, kind == TokenKind::Equal),
        })
    }

    fn affine_expression(&mut self, identifiers: &mut Identifiers<'a>) -> ParseResult<AffineExpr> {
        self.enter()?;
        let result = self.affine_sum(identifiers);
        self.depth -= 1;
        result
    }

    fn affine_sum(&mut self, identifiers: &mut Identifiers<'a>) -> ParseResult<AffineExpr> {
        let mut sum = self.affine_product(identifiers, false)?;
        let mut n_terms = 0;
        loop {
            sum = match self.token.kind {
                TokenKind::Plus => {
                    self.advance();
                    sum + self.affine_product(identifiers, true)?
                }
                TokenKind::Minus => {
                    self.advance();
                    sum - self.affine_product(identifiers, true)?
                }
                _ => return Ok(sum),
            };
            n_terms += 1;
            self.check_chain(n_terms)?;
        }
    }

    /// Checks the length of a chain: long chains nest as deeply as parentheses do.
    fn check_chain(&mut self, length: u32) -> ParseResult<()> {
        let checked = (self.context.limits).check(Limit::NestingLevels, length);
        checked.map_err(|excess| self.wrong_token(format!("affine expression of {excess}")))
    }

    /// Parses a product; `is_right` is true if an operator comes before it.
    fn affine_product(
        &mut self,
        identifiers: &mut Identifiers<'a>,
        is_right: bool,
    ) -> ParseResult<AffineExpr> {
        let mut product = self.affine_operand(identifiers, is_right)?;
        let mut n_factors = 0;
        loop {
            let operator = match self.token.kind {
                TokenKind::Star => "multiply",
                TokenKind::Bare => match self.spelling() {
                    text @ ("floordiv" | "ceildiv" | "mod") => text,
                    _ => return Ok(product),
                },
                _ => return Ok(product),
            };
            let position = self.position();
            self.advance();
            let right = self.affine_operand(identifiers, true)?;
            let right_is_symbolic = right.is_symbolic_or_constant();
            if operator == "multiply" && !right_is_symbolic && !product.is_symbolic_or_constant() {
                let message = "non-affine expression: at least one of the multiply operands has to be either a \
                               constant or symbolic";
                return Err(self.plain_error(position, message));
            }
            if operator != "multiply" && !right_is_symbolic {
                let message = format!(
                    "non-affine expression: right operand of {operator} has to be either a constant or symbolic"
                );
                return Err(self.plain_error(position, message));
            }
            product = match operator {
                "multiply" => product * right,
                "floordiv" => product.floor_div(right),
                "ceildiv" => product.ceil_div(right),
                _ => product.modulo(right),
            };
            n_factors += 1;
            self.check_chain(n_factors)?;
        }
    }

    /// Parses an operand; `is_right` is true if an operator comes before it.
    fn affine_operand(
        &mut self,
        identifiers: &mut Identifiers<'a>,
        is_right: bool,
    ) -> ParseResult<AffineExpr> {
        match self.token.kind {
            TokenKind::Minus => {
                self.advance();
                self.enter()?;
                let result = self.affine_operand(identifiers, false);
                self.depth -= 1;
                match result {
                    Ok(operand) => Ok(-operand),
                    Err(_) => Err(self.wrong_token("missing operand of negation")),
                }
            }
            TokenKind::Integer => {
                let value = self.magnitude().and_then(|value| i64::try_from(value).ok());
                let Some(value) = value else {
                    return Err(self.wrong_token("constant too large for index"));
                };
                self.advance();
                Ok(AffineExpr::Constant(value))
            }
            TokenKind::LeftParen => {
                self.advance();
                if self.is(TokenKind::RightParen) {
                    return Err(self.wrong_token("no expression inside parentheses"));
                }
                let inner = self.affine_expression(identifiers)?;
                self.expect(TokenKind::RightParen, "expected ')'")?;
                Ok(inner)
            }
            TokenKind::Percent => {
                let Identifiers::Operands { dims, symbols } = identifiers else {
                    return Err(self.wrong_token("unexpected ssa identifier"));
                };
                let operand = self.parse_operand()?;
                let name = self.full_name(operand);
                Ok(operand_expression(dims, symbols, name, operand, false))
            }
            TokenKind::Bare => self.affine_identifier(identifiers),
            _ if is_right => Err(self.wrong_token("missing right operand of binary op")),
            TokenKind::Plus | TokenKind::Star => {
                Err(self.wrong_token("missing left operand of binary op"))
            }
            _ => Err(self.wrong_token("expected affine expression")),
        }
    }

    fn affine_identifier(&mut self, identifiers: &mut Identifiers<'a>) -> ParseResult<AffineExpr> {
        let name = self.spelling();
        match identifiers {
            Identifiers::Declared(declared) => {
                let meaning = declared
                    .iter()
                    .find(|(known, _)| *known == name)
                    .map(|(_, e)| e.clone());
                match meaning {
                    Some(meaning) => {
                        self.advance();
                        Ok(meaning)
                    }
                    None => Err(self.wrong_token("use of undeclared identifier")),
                }
            }
            Identifiers::Operands { dims, symbols } if name == "symbol" => {
                self.advance();
                self.expect(TokenKind::LeftParen, "expected '(' at start of SSA symbol")?;
                let operand = self.parse_operand()?;
                let name = self.full_name(operand);
                let expression = operand_expression(dims, symbols, name, operand, true);
                self.expect(TokenKind::RightParen, "expected ')' at end of SSA symbol")?;
                Ok(expression)
            }
            Identifiers::Operands { .. } => Err(self.wrong_token("use of undeclared identifier")),
        }
    }

    /// Returns the name of an operand with its result number.
    fn full_name(&self, operand: UnresolvedOperand) -> &'a str {
        self.slice(operand.position.0, operand.position.0 + operand.length)
    }
}

/// Returns the dimension or symbol of an operand; an operand that was used before keeps its first kind.
fn operand_expression<'a>(
    dims: &mut Vec<(&'a str, UnresolvedOperand)>,
    symbols: &mut Vec<(&'a str, UnresolvedOperand)>,
    name: &'a str,
    operand: UnresolvedOperand,
    as_symbol: bool,
) -> AffineExpr {
    let find = |known: &[(&str, UnresolvedOperand)]| {
        let found = known
            .iter()
            .position(|(n, o)| *n == name && o.number == operand.number);
        found.map(|index| u32::try_from(index).expect("fewer than 2^32 operands"))
    };
    if let Some(index) = find(dims) {
        return AffineExpr::Dim(index);
    }
    if let Some(index) = find(symbols) {
        return AffineExpr::Symbol(index);
    }
    let list = if as_symbol { symbols } else { dims };
    let index = u32::try_from(list.len()).expect("fewer than 2^32 operands");
    list.push((name, operand));
    if as_symbol {
        AffineExpr::Symbol(index)
    } else {
        AffineExpr::Dim(index)
    }
}

fn map_of_operands(
    results: Vec<AffineExpr>,
    identifiers: Identifiers<'_>,
) -> (AffineMap, Vec<UnresolvedOperand>) {
    let Identifiers::Operands { dims, symbols } = identifiers else {
        return (AffineMap::identity(0), Vec::new());
    };
    let count = |list: &[(&str, UnresolvedOperand)]| {
        u32::try_from(list.len()).expect("fewer than 2^32 operands")
    };
    let map = AffineMap {
        n_dims: count(&dims),
        n_symbols: count(&symbols),
        results,
    };
    (
        map,
        dims.into_iter()
            .chain(symbols)
            .map(|(_, operand)| operand)
            .collect(),
    )
}
