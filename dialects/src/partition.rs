//! Partitions of arrays into banks: the bank of each element, and its address there.

use sluice_ir::exact::n_elements;
use sluice_ir::{Attribute, Context, Exact};

/// Greatest number of banks of one array: each bank has its own ports.
pub const MAX_BANKS: u64 = 1024;

/// The kinds of splits that a user may request.
pub const SPLIT_KINDS: &[&str] = &["cyclic", "block", "block-cyclic", "complete"];

/// The split of one dimension. Index `i` is in bank `(i / block) % factor`, at `i / (block * factor) * block + i % block`.
///
/// A block of 1 is a cyclic split, a block of `ceil(size / factor)` a block split; any block between is a block-cyclic split.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Split {
    /// Dimension, from 0.
    pub dim: usize,
    /// Number of banks along the dimension, at least 1.
    pub factor: u64,
    /// Number of successive indices in one bank, at least 1.
    pub block: u64,
}

impl Split {
    /// Returns the bank of an index, and the index in that bank.
    pub fn place(self, index: u64) -> (u64, u64) {
        let (block_number, within) = (index / self.block, index % self.block);
        (
            block_number % self.factor,
            block_number / self.factor * self.block + within,
        )
    }

    /// Returns the number of indices of one bank for a dimension of `size`; all banks are as long as the longest.
    pub fn length(self, size: u64) -> u64 {
        if Exact::from(self.block).times(self.factor) >= Exact::from(size) {
            // One block per bank: no bank needs more than the longest block.
            return self.block.min(size);
        }
        let blocks = size.div_ceil(self.block).div_ceil(self.factor);
        to_u64(Exact::from(blocks).times(self.block))
    }
}

/// A partition of an array into banks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Partition {
    /// Shape of the array.
    pub shape: Vec<u64>,
    /// The dimensions that are split, in ascending order; the other dimensions are whole in every bank.
    pub splits: Vec<Split>,
}

impl Partition {
    /// Returns the number of banks.
    pub fn n_banks(&self) -> u64 {
        to_u64(Exact::product(self.splits.iter().map(|split| split.factor)))
    }

    /// Returns the shape of each bank. A dimension that is not divisible by the banks is padded: cells without an element stay
    /// unused.
    pub fn bank_shape(&self) -> Vec<u64> {
        let mut shape = self.shape.clone();
        for split in &self.splits {
            shape[split.dim] = split.length(self.shape[split.dim]);
        }
        shape
    }

    /// Returns the number of elements of the array.
    ///
    /// # Panics
    /// If there are more than 2^64 elements: no such array has hardware.
    pub fn n_words(&self) -> u64 {
        to_u64(n_elements(&self.shape))
    }

    /// Returns the number of words of each bank, including those without an element.
    ///
    /// # Panics
    /// Same as [`Self::n_words`].
    pub fn bank_words(&self) -> u64 {
        to_u64(n_elements(&self.bank_shape()))
    }

    /// Returns bank and address, row-major in the bank, of the element at `element`, row-major in the array.
    pub fn place(&self, element: u64) -> (u64, u64) {
        let mut indices = vec![0; self.shape.len()];
        let mut rest = element;
        for (index, size) in indices.iter_mut().zip(&self.shape).rev() {
            *index = rest % size;
            rest /= size;
        }
        let mut bank = 0;
        for split in &self.splits {
            let (own, local) = split.place(indices[split.dim]);
            bank = bank * split.factor + own;
            indices[split.dim] = local;
        }
        let address = indices
            .iter()
            .zip(self.bank_shape())
            .fold(0, |address, (index, size)| address * size + index);
        (bank, address)
    }

    /// Returns the contents of each bank; cells without an element hold `padding`.
    pub fn scatter<T: Clone>(&self, elements: &[T], padding: &T) -> Vec<Vec<T>> {
        let size = to_usize(self.bank_words());
        let mut banks = vec![vec![padding.clone(); size]; to_usize(self.n_banks())];
        for (number, element) in (0..).zip(elements) {
            let (bank, address) = self.place(number);
            banks[to_usize(bank)][to_usize(address)] = element.clone();
        }
        banks
    }

    /// Returns the array from the contents of its banks.
    pub fn gather<T: Clone>(&self, banks: &[Vec<T>]) -> Vec<T> {
        let n_elements = self.n_words();
        let cell = |number| {
            let (bank, address) = self.place(number);
            banks[to_usize(bank)][to_usize(address)].clone()
        };
        (0..n_elements).map(cell).collect()
    }

    /// Returns the bank function as text, for an array called `name`.
    pub fn describe(&self, name: &str) -> String {
        let mut bank = String::new();
        let mut local: Vec<String> = (0..self.shape.len()).map(|d| format!("i{d}")).collect();
        for split in &self.splits {
            let Split { dim, factor, block } = *split;
            let is_blocks = Exact::from(block).times(factor) >= Exact::from(self.shape[dim]);
            let number = if block == 1 {
                format!("i{dim}")
            } else {
                format!("i{dim} / {block}")
            };
            let own = if is_blocks {
                number.clone()
            } else {
                format!("{number} % {factor}")
            };
            bank = if bank.is_empty() {
                own
            } else {
                format!("({bank}) * {factor} + {own}")
            };
            local[dim] = match (is_blocks, block) {
                (true, 1) => "0".to_owned(),
                (true, _) => format!("i{dim} % {block}"),
                (false, 1) => format!("i{dim} / {factor}"),
                (false, _) => {
                    format!("i{dim} / {} * {block} + i{dim} % {block}", block * factor)
                }
            };
        }
        let source: String = (0..self.shape.len()).map(|d| format!("[i{d}]")).collect();
        let local: String = local.iter().map(|index| format!("[{index}]")).collect();
        let sizes: Vec<String> = self.bank_shape().iter().map(u64::to_string).collect();
        format!(
            "{name}{source} is in bank {bank} at {local}: {} banks of {}",
            self.n_banks(),
            sizes.join("x")
        )
    }

    /// Returns `{shape = array<i64: ...>, splits = [array<i64: dim, factor, block>, ...]}`.
    pub fn to_attribute(&self, context: &Context) -> Attribute {
        let number = |n: u64| i64::try_from(n).expect("sizes of memories are small");
        let shape: Vec<i64> = self.shape.iter().map(|size| number(*size)).collect();
        let splits: Vec<Attribute> = self
            .splits
            .iter()
            .map(|split| {
                let dim = i64::try_from(split.dim).expect("few dimensions");
                context.dense_i64_array(&[dim, number(split.factor), number(split.block)])
            })
            .collect();
        context.dictionary_attribute(&[
            (context.name("shape"), context.dense_i64_array(&shape)),
            (context.name("splits"), context.array_attribute(&splits)),
        ])
    }

    /// Reads the attribute that [`Partition::to_attribute`] returns.
    pub fn from_attribute(context: &Context, attribute: Attribute) -> Option<Self> {
        let entries = attribute.as_dictionary(context)?;
        let get = |name: &str| {
            let entry = entries.iter().find(|(n, _)| context.text(*n) == name);
            entry.map(|(_, attribute)| *attribute)
        };
        let shape = get("shape")?.as_dense_array_i64(context)?;
        let shape: Option<Vec<u64>> = shape.into_iter().map(|n| u64::try_from(n).ok()).collect();
        let shape = shape?;
        let splits = get("splits")?.as_array(context)?.iter().map(|split| {
            let [dim, factor, block] = split.as_dense_array_i64(context)?[..] else {
                return None;
            };
            let positive = |n: i64| u64::try_from(n).ok().filter(|n| *n > 0);
            Some(Split {
                dim: usize::try_from(dim).ok().filter(|dim| *dim < shape.len())?,
                factor: positive(factor)?,
                block: positive(block)?,
            })
        });
        let splits: Option<Vec<Split>> = splits.collect();
        Some(Self {
            splits: splits?,
            shape,
        })
    }
}

fn to_u64(n: Exact) -> u64 {
    n.to_u64().expect("arrays with hardware are not that large")
}

fn to_usize(n: u64) -> usize {
    usize::try_from(n).expect("memories fit the address space")
}
