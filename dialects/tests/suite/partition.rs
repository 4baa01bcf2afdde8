//! Positions of the elements of a partitioned array.

use sluice_dialects::partition::{Partition, Split};

fn partition(shape: &[u64], splits: &[(usize, u64, u64)]) -> Partition {
    let split = |(dim, factor, block): &(usize, u64, u64)| Split {
        dim: *dim,
        factor: *factor,
        block: *block,
    };
    Partition {
        shape: shape.to_vec(),
        splits: splits.iter().map(split).collect(),
    }
}

#[test]
fn every_element_has_a_cell_of_its_own_inside_of_its_bank() {
    for size in 1..20 {
        for factor in 1..=size {
            for block in 1..=size {
                let parts = partition(&[3, size], &[(1, factor, block)]);
                let elements: Vec<u64> = (0..3 * size).collect();
                let banks = parts.scatter(&elements, &u64::MAX);
                assert_eq!(parts.gather(&banks), elements, "{size} {factor} {block}");
            }
        }
    }
}

#[test]
fn two_dimensions_are_split_apart() {
    let parts = partition(&[5, 6], &[(0, 2, 1), (1, 3, 2)]);
    let elements: Vec<u64> = (0..30).collect();
    assert_eq!(parts.gather(&parts.scatter(&elements, &99)), elements);
    assert_eq!(parts.n_banks(), 6);
    assert_eq!(parts.bank_shape(), [3, 2]);
    assert_eq!(
        parts.describe("A"),
        "A[i0][i1] is in bank (i0 % 2) * 3 + i1 / 2 at [i0 / 2][i1 % 2]: 6 banks of 3x2"
    );
}
