//! Parses the `sluice.banks` attribute to a partition, or to an error with the nearest valid request.

use sluice_dialects::partition::{MAX_BANKS, Partition, SPLIT_KINDS, Split};
use sluice_ir::suggestion::did_you_mean;
use sluice_ir::{Attribute, Context, Name};

/// Returns the partition that the attribute of an array called `name` requests: a dictionary or an array of dictionaries, with
/// `dim`, `factor`, `kind` and, for block-cyclic partitions, `block`.
pub(super) fn partition(
    context: &Context,
    attribute: Attribute,
    name: &str,
    shape: &[u64],
) -> Result<Partition, String> {
    let form = || {
        format!(
            "the banks of `{name}` are written as `{{dim = 0, factor = 4, kind = \"cyclic\"}}`, or a list of those"
        )
    };
    let single = [attribute];
    let requests = attribute.as_array(context).unwrap_or(&single);
    let mut splits: Vec<Split> = Vec::new();
    for request in requests {
        let entries = request.as_dictionary(context).ok_or_else(form)?;
        let request = Request::read(context, entries, name)?;
        let dims: Vec<usize> = match request.dim {
            Some(dim) => {
                let dim = usize::try_from(dim).ok().filter(|dim| *dim < shape.len());
                vec![dim.ok_or_else(|| no_dimension(name, &request, shape.len()))?]
            }
            None if request.kind == "complete" => (0..shape.len()).collect(),
            None => return Err(form()),
        };
        for dim in dims {
            if splits.iter().any(|split| split.dim == dim) {
                return Err(format!("dimension {dim} of `{name}` is split twice"));
            }
            splits.push(request.split(name, dim, shape[dim])?);
        }
    }
    splits.sort_by_key(|split| split.dim);
    let partition = Partition {
        shape: shape.to_vec(),
        splits,
    };
    let n_banks = partition
        .splits
        .iter()
        .try_fold(1u64, |product, split| product.checked_mul(split.factor));
    match n_banks.filter(|n| *n <= MAX_BANKS) {
        Some(_) => Ok(partition),
        None => Err(format!(
            "`{name}` has more than {MAX_BANKS} banks, each with ports of its own: use smaller factors"
        )),
    }
}

fn no_dimension(name: &str, request: &Request<'_>, rank: usize) -> String {
    let dim = request.dim.unwrap_or_default();
    match rank {
        0 => format!("`{name}` has no dimension {dim}: it is a single cell"),
        1 => format!("`{name}` has no dimension {dim}: it has dimension 0 only"),
        _ => format!(
            "`{name}` has no dimension {dim}: it has dimensions 0 to {}",
            rank - 1
        ),
    }
}

/// One requested split.
struct Request<'a> {
    dim: Option<i64>,
    factor: Option<i64>,
    block: Option<i64>,
    kind: &'a str,
}

impl<'a> Request<'a> {
    fn read(
        context: &'a Context,
        entries: &[(Name, Attribute)],
        name: &str,
    ) -> Result<Self, String> {
        let mut request = Self {
            dim: None,
            factor: None,
            block: None,
            kind: "cyclic",
        };
        for (key, value) in entries {
            let key = context.text(*key);
            let number = || {
                let message = format!("`{key}` of the banks of `{name}` is a whole number");
                value.as_i64(context).ok_or(message)
            };
            match key {
                "dim" => request.dim = Some(number()?),
                "factor" => request.factor = Some(number()?),
                "block" => request.block = Some(number()?),
                "kind" => {
                    request.kind = value.as_str(context).ok_or_else(|| {
                        format!(
                            "`kind` of the banks of `{name}` is {}",
                            SPLIT_KINDS.join(", ")
                        )
                    })?;
                }
                _ => {
                    let hint = did_you_mean(key, &["dim", "factor", "kind", "block"]);
                    return Err(format!("unknown `{key}` for the banks of `{name}`; {hint}"));
                }
            }
        }
        if !SPLIT_KINDS.contains(&request.kind) {
            let hint = did_you_mean(request.kind, SPLIT_KINDS);
            return Err(format!(
                "no kind of banks is called `{}`; {hint}",
                request.kind
            ));
        }
        Ok(request)
    }

    fn split(&self, name: &str, dim: usize, size: u64) -> Result<Split, String> {
        let factor = match (self.kind, self.factor) {
            ("complete", None) => size,
            ("complete", Some(_)) => {
                return Err(format!(
                    "complete banks of `{name}` have no factor: dimension {dim} makes {size}"
                ));
            }
            (_, Some(factor)) => u64::try_from(factor).unwrap_or(0),
            (_, None) => {
                return Err(format!(
                    "the banks of `{name}` have no number: `factor` is from 1 to {size} in dimension {dim}"
                ));
            }
        };
        if factor == 0 || factor > size {
            let asked = self.factor.unwrap_or_default();
            return Err(format!(
                "dimension {dim} of `{name}` has {size} indices and cannot be split into {asked} banks: from 1 to {size} would fit"
            ));
        }
        let block = match (self.kind, self.block) {
            ("block-cyclic", Some(block)) => u64::try_from(block)
                .ok()
                .filter(|block| (1..=size).contains(block))
                .ok_or_else(|| {
                    format!(
                        "blocks of {block} do not fit dimension {dim} of `{name}`: from 1 to {size} would"
                    )
                })?,
            ("block-cyclic", None) => {
                return Err(format!(
                    "block-cyclic banks of `{name}` need `block`, the successive indices in one bank"
                ));
            }
            (kind, Some(_)) => {
                return Err(format!(
                    "`block` of the banks of `{name}` is for `block-cyclic`, not for `{kind}`"
                ));
            }
            ("block", None) => size.div_ceil(factor),
            (_, None) => 1,
        };
        Ok(Split { dim, factor, block })
    }
}
