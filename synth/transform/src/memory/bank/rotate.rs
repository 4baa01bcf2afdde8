//! Rewrites a group of accesses as one access of each bank, with words that are rotated between members and banks.
//!
//! Let `r` be the bank of the least index, and `d` the distance of a member from it. The member accesses bank `(r + d) % factor`, at
//! the address of the least index plus `(r + d) / factor`. So for each bank and `r`, address and member are known: comparisons of
//! `r` with constants choose the address, and a barrel shifter moves the words by `r` banks.

use std::collections::BTreeMap;

use sluice_dialects::{arith, scf};
use sluice_ir::{
    Body, Builder, Context, InsertionPoint, NewOperation, OperationId, Type, ValueId, View,
};

use super::Array;
use super::access::{compute, to_i64};
use super::groups::Group;
use super::place::Place;
use crate::build::{NE, SLT, binary, compare, constant, replace, select};
use crate::memory::promote::materialise;

/// One split of the array, as the accesses of a group see it.
struct Axis {
    /// Number of banks along the split.
    factor: u64,
    /// Bank of the least index; `None` if it is constant.
    bank: Option<ValueId>,
    /// Values that `bank` may have, in ascending order.
    possible: Vec<u64>,
    /// Address of the least index in its bank.
    address: ValueId,
    /// Distances of the members from the least index.
    distances: Vec<u64>,
}

impl Axis {
    /// Returns for each possible bank of the least index how far the address in bank `at` is from `address`.
    ///
    /// Where no member accesses the bank, the address of any member does, since all banks have the same length.
    fn offsets(&self, at: u64) -> Vec<u64> {
        let known = |bank: u64| {
            let mut sums = self.distances.iter().map(|distance| bank + distance);
            sums.find(|sum| sum % self.factor == at)
                .map(|sum| sum / self.factor)
        };
        let mut previous = self.possible.iter().find_map(|bank| known(*bank));
        let mut offsets = Vec::new();
        for bank in &self.possible {
            let of_members = self.distances.iter().map(|d| (bank + d) / self.factor);
            let nearest = of_members.min_by_key(|own| own.abs_diff(previous.unwrap_or(0)));
            let offset = known(*bank).or(nearest).unwrap_or(0);
            previous = Some(offset);
            offsets.push(offset);
        }
        offsets
    }

    /// Emits the address in bank `at`.
    fn address(
        &self,
        builder: &mut Builder<'_>,
        at: u64,
        sums: &mut BTreeMap<u64, ValueId>,
    ) -> ValueId {
        let index = builder.context.index_type();
        let mut sum = |builder: &mut Builder<'_>, offset: u64| {
            *sums.entry(offset).or_insert_with(|| {
                let offset = constant(builder, index, to_i64(offset));
                binary(builder, arith::Addi::NAME, self.address, offset)
            })
        };
        let offsets = self.offsets(at);
        let mut pairs = self.possible.iter().zip(&offsets).rev();
        let Some((mut first, mut offset)) = pairs.next() else {
            return self.address;
        };
        let mut address = sum(builder, *offset);
        for (bank, own) in pairs {
            if own != offset
                && let Some(number) = self.bank
            {
                let limit = constant(builder, index, to_i64(*first));
                let is_before = compare(builder, SLT, number, limit);
                let before = sum(builder, *own);
                address = select(builder, is_before, before, address);
            }
            (first, offset) = (bank, own);
        }
        address
    }

    /// Emits the rotation of `words` along this axis: position `p` gets the word of `p + bank`, or of `p - bank` if the words go to
    /// the banks. The `weight` is the distance of neighbours. Positions without a word may get any.
    fn rotate(
        &self,
        builder: &mut Builder<'_>,
        mut words: Vec<Option<ValueId>>,
        weight: usize,
        to_banks: bool,
    ) -> Vec<Option<ValueId>> {
        let index = builder.context.index_type();
        let n_bits = u64::BITS - self.factor.saturating_sub(1).leading_zeros();
        // The last stages move by the least: few members then need few words of the stages before.
        for bit in (0..n_bits).rev() {
            let n_set = self
                .possible
                .iter()
                .filter(|bank| *bank >> bit & 1 == 1)
                .count();
            if n_set == 0 {
                continue;
            }
            let moves = match self.bank.filter(|_| n_set < self.possible.len()) {
                None => None,
                Some(bank) => {
                    let mask = constant(builder, index, 1_i64 << bit);
                    let masked = binary(builder, arith::Andi::NAME, bank, mask);
                    let zero = constant(builder, index, 0);
                    Some(compare(builder, NE, masked, zero))
                }
            };
            let distance = (1 << bit) % self.factor;
            let distance = if to_banks {
                self.factor - distance
            } else {
                distance
            };
            let moved = |position: usize| {
                let digit = position / weight % to_usize(self.factor);
                let from = (digit + to_usize(distance)) % to_usize(self.factor);
                position - digit * weight + from * weight
            };
            let sources: Vec<Option<ValueId>> = (0..words.len())
                .map(|position| words[moved(position)])
                .collect();
            for (word, source) in words.iter_mut().zip(sources) {
                *word = match (moves, source, *word) {
                    (None, source, word) => source.or(word),
                    (Some(_), None, word) => word,
                    (Some(_), source, None) => source,
                    (Some(_), Some(source), Some(word)) if source == word => Some(word),
                    (Some(moves), Some(source), Some(word)) => {
                        Some(select(builder, moves, source, word))
                    }
                };
            }
        }
        words
    }
}

/// Replaces the accesses of a group by accesses of the banks.
pub(super) fn rewrite_group(
    context: &Context,
    body: &mut Body,
    array: &Array,
    banks: &[ValueId],
    group: &Group,
) {
    let axes = axes(context, body, array, group);
    let access = Access::of(context, body, array, group);
    let is_accessed = accessed(&axes, banks.len(), group);
    let mut builder = Builder::before(context, body, group.position);
    let indices = access.indices(&mut builder, array, &axes, banks.len());
    let position = |distances: &[u64]| {
        let digits = distances.iter().zip(&axes);
        digits.fold(0, |number, (distance, axis)| {
            number * to_usize(axis.factor) + to_usize(distance % axis.factor)
        })
    };
    if group.is_load {
        let mut words = vec![None; banks.len()];
        for (number, word) in words.iter_mut().enumerate() {
            if is_accessed[number] {
                let made = access.create(&mut builder, None, banks[number], &indices[number]);
                *word = Some(builder.body.result(made, 0));
            }
        }
        let words = rotate_all(&mut builder, &axes, words, false);
        for member in &group.members {
            let value = words[position(&member.distances)].expect("a member accesses a bank");
            let source_name = body.value_name(body.result(member.access, 0));
            body.set_value_name(value, source_name);
            for access in member.equal.iter().chain([&member.access]) {
                replace(body, *access, &[value]);
            }
        }
        return;
    }
    let mut words = vec![None; banks.len()];
    for member in &group.members {
        words[position(&member.distances)] = Some(builder.body.operand(member.access, 0));
    }
    let conditions = if words.iter().all(Option::is_some) {
        vec![None; banks.len()]
    } else {
        let bit = context.integer_type(1);
        let mut of = |is_stored: bool| Some(constant(&mut builder, bit, i64::from(is_stored)));
        let conditions = words.iter().map(|word| of(word.is_some())).collect();
        rotate_all(&mut builder, &axes, conditions, true)
    };
    let words = rotate_all(&mut builder, &axes, words, true);
    for number in (0..banks.len()).filter(|number| is_accessed[*number]) {
        let word = words[number];
        let point = builder.point;
        if let Some(condition) = conditions[number] {
            builder.point = InsertionPoint::End(conditional(&mut builder, condition));
        }
        access.create(&mut builder, word, banks[number], &indices[number]);
        if conditions[number].is_some() {
            builder.operation(scf::Yield::NAME, &[], &[], &[]);
            builder.point = point;
        }
    }
    for member in &group.members {
        body.erase(member.access);
    }
}

/// Emits the banks and addresses of the least index.
fn axes(context: &Context, body: &mut Body, array: &Array, group: &Group) -> Vec<Axis> {
    let splits = array.partition.splits.iter().zip(&group.places);
    let made = splits.enumerate().map(|(number, (split, place))| {
        let members = group.members.iter();
        let mut distances: Vec<u64> = members.map(|member| member.distances[number]).collect();
        distances.sort_unstable();
        distances.dedup();
        let (bank, possible, address) = match place {
            Place::Straight { bank, index } => {
                let address = materialise(context, body, group.position, index);
                (None, vec![*bank], address)
            }
            Place::Chosen { banks, low, high } => {
                let low = materialise(context, body, group.position, low);
                let (bank, address) =
                    compute(context, body, group.position, *split, low, Some(high));
                (Some(bank), banks.clone(), address)
            }
        };
        Axis {
            factor: split.factor,
            bank,
            possible,
            address,
            distances,
        }
    });
    made.collect()
}

/// Returns for each bank whether a member accesses it for a possible bank of the least index.
fn accessed(axes: &[Axis], n_banks: usize, group: &Group) -> Vec<bool> {
    let mut is_accessed = vec![false; n_banks];
    for member in &group.members {
        let mut numbers = vec![0];
        for (axis, distance) in axes.iter().zip(&member.distances) {
            let digits = axis
                .possible
                .iter()
                .map(|bank| (bank + distance) % axis.factor);
            let digits: Vec<usize> = digits.map(to_usize).collect();
            let longer = numbers.iter().flat_map(|number| {
                digits
                    .iter()
                    .map(move |digit| number * to_usize(axis.factor) + digit)
            });
            numbers = longer.collect();
        }
        for number in numbers {
            is_accessed[number] = true;
        }
    }
    is_accessed
}

fn rotate_all(
    builder: &mut Builder<'_>,
    axes: &[Axis],
    mut words: Vec<Option<ValueId>>,
    to_banks: bool,
) -> Vec<Option<ValueId>> {
    let mut weight = 1;
    for axis in axes.iter().rev() {
        words = axis.rotate(builder, words, weight, to_banks);
        weight *= to_usize(axis.factor);
    }
    words
}

/// Emits `scf.if` and returns its empty block.
fn conditional(builder: &mut Builder<'_>, condition: ValueId) -> sluice_ir::BlockId {
    let name = builder.context.operation_name(scf::If::NAME);
    let mut new = NewOperation::new(name, builder.location);
    new.operands.push(condition);
    new.n_regions = 2;
    let made = builder.create(new);
    let region = builder.body.regions(made)[0];
    builder.body.append_block(region)
}

/// The parts of the bank accesses that are those of the members.
struct Access {
    model: OperationId,
    /// Indices of the array at the place of the group.
    indices: Vec<ValueId>,
    result_types: Vec<Type>,
}

impl Access {
    fn of(context: &Context, body: &Body, array: &Array, group: &Group) -> Self {
        let view = View::new(context, body, group.position);
        let indices = view
            .operands()
            .skip(if group.is_load { 1 } else { 2 })
            .collect();
        Self {
            model: group.position,
            indices,
            result_types: if group.is_load {
                vec![array.element]
            } else {
                Vec::new()
            },
        }
    }

    /// Emits the indices in every bank.
    fn indices(
        &self,
        builder: &mut Builder<'_>,
        array: &Array,
        axes: &[Axis],
        n_banks: usize,
    ) -> Vec<Vec<ValueId>> {
        let mut all = vec![self.indices.clone(); n_banks];
        let mut weight = n_banks;
        for (split, axis) in array.partition.splits.iter().zip(axes) {
            weight /= to_usize(axis.factor);
            let mut sums = BTreeMap::from([(0, axis.address)]);
            let addresses = (0..axis.factor).map(|at| axis.address(builder, at, &mut sums));
            let addresses: Vec<ValueId> = addresses.collect();
            for (number, indices) in all.iter_mut().enumerate() {
                indices[split.dim] = addresses[number / weight % addresses.len()];
            }
        }
        all
    }

    fn create(
        &self,
        builder: &mut Builder<'_>,
        word: Option<ValueId>,
        bank: ValueId,
        indices: &[ValueId],
    ) -> OperationId {
        let name = builder.body.name(self.model);
        let mut new = NewOperation::new(name, builder.body.location(self.model));
        new.operands.extend(word);
        new.operands.push(bank);
        new.operands.extend(indices.iter().copied());
        new.result_types = self.result_types.clone().into();
        new.attributes = builder.body.attributes(self.model).to_vec();
        builder.create(new)
    }
}

fn to_usize(n: u64) -> usize {
    usize::try_from(n).expect("an array has few banks")
}
