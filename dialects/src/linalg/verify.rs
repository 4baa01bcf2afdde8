//! Checks of structured operations.

use sluice_ir::affine::AffineMap;
use sluice_ir::types::Dimension;
use sluice_ir::{Diagnostics, View};

use super::implied::Implied;
use super::structured::{Structured, listed_maps, numbers, rank, shape, word_type};
use super::text::is_tensor;
use super::{Broadcast, Generic, Map, Reduce, Transpose, Yield};
use crate::messages::{op_error, quoted};

pub(super) fn verify_structured(view: View<'_>, diagnostics: &mut Diagnostics) {
    if let Err(message) = check(view) {
        op_error(view, diagnostics, message);
    }
}

fn check(view: View<'_>) -> Result<(), String> {
    check_results(view)?;
    if let Some(implied) = Implied::of(view.context, view.name(), |name| view.attribute(name)) {
        let n_inputs = n_inputs(view);
        implied.check(n_inputs, view.operands().len() - n_inputs)?;
    }
    let structured = check_maps(view)?;
    check_region(view, &structured)?;
    match view.name() {
        Transpose::NAME | Broadcast::NAME | Reduce::NAME | Map::NAME => check_sizes_by_name(view)?,
        _ => {}
    }
    check_sizes(view, &structured)
}

/// Checks that either all operands are memrefs or all are tensors, and that each output tensor gives a result.
fn check_results(view: View<'_>) -> Result<(), String> {
    let context = view.context;
    let is_memref = |ty: &sluice_ir::TypeKind| matches!(ty, sluice_ir::TypeKind::MemRef { .. });
    let has_memref = view.operand_types().any(|ty| is_memref(ty.kind(context)));
    let has_tensor = view.operand_types().any(|ty| is_tensor(context, ty));
    if has_memref && has_tensor {
        return Err("expected to have pure tensor or buffer semantics".to_owned());
    }
    let n_inputs = n_inputs(view);
    let outputs = view.operand_types().enumerate().skip(n_inputs);
    let tensors: Vec<_> = outputs.filter(|(_, ty)| is_tensor(context, *ty)).collect();
    let n_results = view.results().len();
    if tensors.len() != n_results {
        return Err(format!(
            "expected the number of tensor results ({n_results}) to be equal to the number of output tensors ({})",
            tensors.len()
        ));
    }
    for ((number, operand), result) in tensors.into_iter().zip(view.result_types()) {
        if operand != result {
            return Err(format!(
                "expected type of operand #{number} ({}) to match type of corresponding result ({})",
                quoted(view, operand),
                quoted(view, result)
            ));
        }
    }
    Ok(())
}

fn n_inputs(view: View<'_>) -> usize {
    let sizes = view.operand_group_sizes();
    sizes.and_then(|sizes| sizes.first().copied()).unwrap_or(0)
}

/// Checks the number of maps, their dimensions and the ranks of the operands.
fn check_maps(view: View<'_>) -> Result<Structured, String> {
    let context = view.context;
    let n_operands = view.operands().len();
    if view.name() == Generic::NAME {
        let n_loops = view.attribute("iterator_types");
        let n_loops = n_loops.and_then(|kinds| kinds.as_array(context));
        let n_loops = n_loops.map_or(0, <[_]>::len);
        let maps = listed_maps(view).unwrap_or_default();
        if maps.len() != n_operands {
            return Err(format!(
                "expected the number of indexing_map ({}) to be equal to the number of input/output operands ({n_operands})",
                maps.len()
            ));
        }
        for (number, map) in maps.iter().enumerate() {
            if map.n_symbols > 0 {
                return Err(format!("unexpected symbols in indexing_map #{number}"));
            }
            if map.n_dims as usize != n_loops {
                return Err(format!(
                    "expected indexing_map #{number} to have {n_loops} dim(s) to match the number of loops"
                ));
            }
        }
    }
    if view.name() == Transpose::NAME {
        let mut permutation = numbers(view, "permutation").unwrap_or_default();
        let rank = view.operand_types().next();
        let rank = rank.and_then(|ty| rank_of(view, ty)).unwrap_or(0);
        if permutation.len() != rank {
            return Err(format!(
                "size of permutation {} does not match the argument rank {rank}",
                permutation.len()
            ));
        }
        permutation.sort_unstable();
        if permutation
            .iter()
            .enumerate()
            .any(|(i, number)| i != *number)
        {
            return Err("permutation is not valid".to_owned());
        }
    }
    let Some(structured) = Structured::of(view) else {
        return Err(
            "expected operands and attributes that give the loops of the operation".to_owned(),
        );
    };
    for (number, (map, ty)) in structured.maps.iter().zip(view.operand_types()).enumerate() {
        let rank = rank_of(view, ty).unwrap_or(0);
        if map.results.len() != rank {
            return Err(format!(
                "expected operand rank ({rank}) to match the result rank of indexing_map #{number} ({})",
                map.results.len()
            ));
        }
    }
    Ok(structured)
}

fn rank_of(view: View<'_>, ty: sluice_ir::Type) -> Option<usize> {
    Some(rank(view.context, ty)? as usize)
}

/// Checks the arguments of the region.
fn check_region(view: View<'_>, structured: &Structured) -> Result<(), String> {
    let body = view.inner();
    let arguments = view.entry_block(0).map(|block| body.arguments(block));
    let Some(arguments) = arguments else {
        return Err("expected a region with one block".to_owned());
    };
    let last = view
        .entry_block(0)
        .and_then(|block| body.last_operation(block));
    let last = last.map(|op| View::new(view.context, body, op).name());
    if last != Some(Yield::NAME) {
        return Err(format!(
            "expected a region that ends with '{}'",
            Yield::NAME
        ));
    }
    let n_operands = view.operands().len();
    // The output is no argument of a map, in files of MLIR before version 22.
    let is_map_of_inputs = view.name() == Map::NAME && arguments.len() == structured.n_inputs;
    if arguments.len() != n_operands && !is_map_of_inputs {
        return Err(
            "expected as many non-induction variable region arguments as the number of input/output operands"
                .to_owned(),
        );
    }
    for (number, (argument, operand)) in arguments.iter().zip(view.operand_types()).enumerate() {
        let (found, wanted) = (body.ty(*argument), word_type(view.context, operand));
        if found != wanted {
            return Err(format!(
                "expected type of bb argument #{number} ({}) to match element or self type of the corresponding operand ({})",
                quoted(view, found),
                quoted(view, wanted)
            ));
        }
    }
    Ok(())
}

/// Checks the sizes of operations whose messages name dimensions.
fn check_sizes_by_name(view: View<'_>) -> Result<(), String> {
    let shapes = view
        .operand_types()
        .map(|ty| shape(view.context, ty).unwrap_or_default());
    let shapes: Vec<_> = shapes.collect();
    let (Some(input), Some(output)) = (shapes.first(), shapes.last()) else {
        return Ok(());
    };
    let differ = |a: Dimension, b: Dimension| a.is_some() && b.is_some() && a != b;
    let text = |dimensions: &[Dimension]| {
        let texts = dimensions
            .iter()
            .map(|size| size.map_or_else(|| "?".to_owned(), |size| size.to_string()));
        texts.collect::<Vec<_>>().join(", ")
    };
    let size = |size: Dimension| size.map_or_else(|| "?".to_owned(), |size| size.to_string());
    match view.name() {
        Transpose::NAME => {
            let permutation = numbers(view, "permutation").unwrap_or_default();
            for (i, from) in permutation.into_iter().enumerate() {
                let (of_result, of_input) = (output[i], input[from]);
                if differ(of_result, of_input) {
                    return Err(format!(
                        "dim(result, {i}) = {} doesn't match dim(input, permutation[{i}]) = {}",
                        size(of_result),
                        size(of_input)
                    ));
                }
            }
        }
        Broadcast::NAME => {
            let added = numbers(view, "dimensions").unwrap_or_default();
            let kept = (0..output.len()).filter(|i| !added.contains(i));
            for (i, to) in kept.enumerate() {
                if differ(input[i], output[to]) {
                    return Err(format!(
                        "input dim {i} should match init dim {to}. input: {}, init: {}",
                        size(input[i]),
                        size(output[to])
                    ));
                }
            }
        }
        Reduce::NAME => {
            let reduced = numbers(view, "dimensions").unwrap_or_default();
            let kept = input
                .iter()
                .enumerate()
                .filter(|(i, _)| !reduced.contains(i));
            let kept: Vec<Dimension> = kept.map(|(_, size)| *size).collect();
            if kept.iter().zip(*output).any(|(a, b)| differ(*a, *b)) {
                return Err(format!(
                    "init dimensions [{}] doesn't match input dimensions after reduction [{}]",
                    text(output),
                    text(&kept)
                ));
            }
        }
        _ => {
            for input in &shapes[..shapes.len() - 1] {
                if input.iter().zip(*output).any(|(a, b)| differ(*a, *b)) {
                    return Err(format!(
                        "expected shape of input ({}) to match shape of output ({})",
                        text(input),
                        text(output)
                    ));
                }
            }
        }
    }
    Ok(())
}

/// Checks that each loop has a size, and that all subscripts are inside of the operands where all sizes are known.
fn check_sizes(view: View<'_>, structured: &Structured) -> Result<(), String> {
    let extents = structured.extents(view);
    let Some(extents) = extents.into_iter().collect::<Option<Vec<_>>>() else {
        return Err("expected the shape-to-loops map to be non-null".to_owned());
    };
    let sizes = extents
        .into_iter()
        .map(|(_, _, size)| i64::try_from(size?).ok());
    let Some(sizes) = sizes.collect::<Option<Vec<i64>>>() else {
        return Ok(());
    };
    let first = vec![0; sizes.len()];
    let last: Vec<i64> = sizes.iter().map(|size| size - 1).collect();
    for (number, (map, ty)) in structured.maps.iter().zip(view.operand_types()).enumerate() {
        let shape = shape(view.context, ty).unwrap_or_default();
        check_operand(number, map, shape, [&first, &last])?;
    }
    Ok(())
}

/// Checks the subscripts of one operand. They are monotone in each loop if they are sums of windows, so the ends suffice.
fn check_operand(
    number: usize,
    map: &AffineMap,
    shape: &[Dimension],
    [first, last]: [&[i64]; 2],
) -> Result<(), String> {
    for (dim, (subscript, size)) in map.results.iter().zip(shape).enumerate() {
        let ends = [first, last].map(|at| subscript.evaluate(at, &[]));
        let [Some(first), Some(last)] = ends else {
            continue;
        };
        if first.min(last) < 0 {
            return Err(format!(
                "unexpected result less than 0 at expression #{dim} in {}",
                map_text(map)
            ));
        }
        let Some(size) = size.and_then(|size| i64::try_from(size).ok()) else {
            continue;
        };
        let inferred = first.max(last).saturating_add(1);
        let is_dim = matches!(subscript, sluice_ir::affine::AffineExpr::Dim(_));
        let relation = match is_dim {
            true if inferred != size => "to be",
            false if inferred > size => "to be greater than or equal to",
            _ => continue,
        };
        return Err(format!(
            "inferred input/output operand #{number} has shape's dimension #{dim} {relation} {inferred}, but found {size}"
        ));
    }
    Ok(())
}

fn map_text(map: &AffineMap) -> String {
    let dims: Vec<_> = (0..map.n_dims).map(|dim| format!("d{dim}")).collect();
    let results: Vec<_> = map.results.iter().map(ToString::to_string).collect();
    format!("({}) -> ({})", dims.join(", "), results.join(", "))
}

/// Returns the structured operation around an operation.
fn around(view: View<'_>) -> Option<View<'_>> {
    let parent = view.at(view.body.parent_operation(view.id)?);
    parent.name().starts_with("linalg.").then_some(parent)
}

pub(super) fn verify_yield(view: View<'_>, diagnostics: &mut Diagnostics) {
    let Some(parent) = around(view) else {
        let message = "expected parent op with LinalgOp interface";
        return op_error(view, diagnostics, message);
    };
    let outputs: Vec<_> = parent.operand_types().skip(n_inputs(parent)).collect();
    let n_values = view.operands().len();
    if n_values != outputs.len() {
        let message = format!(
            "expected number of yield values ({n_values}) to match the number of inits / outs operands of the enclosing LinalgOp ({})",
            outputs.len()
        );
        return op_error(view, diagnostics, message);
    }
    for (number, (value, output)) in view.operand_types().zip(outputs).enumerate() {
        let wanted = word_type(view.context, output);
        if value != wanted {
            let message = format!(
                "type of yield operand {} ({}) doesn't match the element type of the enclosing {} op ({})",
                number + 1,
                quoted(view, value),
                parent.name(),
                quoted(view, wanted)
            );
            return op_error(view, diagnostics, message);
        }
    }
}

pub(super) fn verify_index(view: View<'_>, diagnostics: &mut Diagnostics) {
    let Some(parent) = around(view) else {
        let message = "expected parent op with LinalgOp interface";
        return op_error(view, diagnostics, message);
    };
    let Some(structured) = Structured::of(parent) else {
        return;
    };
    let dim = view
        .attribute("dim")
        .and_then(|dim| dim.as_i64(view.context));
    let n_loops = structured.reductions.len();
    if let Some(dim) = dim
        && usize::try_from(dim).is_ok_and(|dim| dim >= n_loops)
    {
        let message = format!(
            "expected dim ({dim}) to be lower than the number of loops ({n_loops}) of the enclosing LinalgOp"
        );
        op_error(view, diagnostics, message);
    }
}
