//! Append-only interning shared between threads: equal values get equal indices, references stay valid.

use std::borrow::Borrow;
use std::hash::{BuildHasher, Hash};
use std::sync::Mutex;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

const SHARDS: usize = 16;

/// A set of values, each with a dense index.
///
/// Complexity: a look-up is one hash and one short lock; reading an index takes no lock.
pub(crate) struct Interner<T> {
    values: boxcar::Vec<T>,
    shards: [Mutex<HashTable<u32>>; SHARDS],
}

impl<T: Hash + Eq> Interner<T> {
    pub(crate) fn new() -> Self {
        Self {
            values: boxcar::Vec::new(),
            shards: std::array::from_fn(|_| Mutex::new(HashTable::new())),
        }
    }

    /// Returns the value at `index`, which this interner must have returned.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> &T {
        self.values
            .get(index)
            .expect("the index came from this interner")
    }

    /// Returns the value at `index` mutable; changes must not affect its hash and equality.
    pub(crate) fn get_mut(&mut self, index: usize) -> &mut T {
        self.values
            .get_mut(index)
            .expect("the index came from this interner")
    }

    /// Returns the index of `value`, and adds it if it is new.
    pub(crate) fn intern<Q>(&self, value: &Q, make: impl FnOnce() -> T) -> u32
    where
        T: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let hash = FxBuildHasher.hash_one(value);
        let shard_idx = usize::try_from(hash >> 57).expect("seven bits fit") % SHARDS;
        let mut shard = self.shards[shard_idx]
            .lock()
            .expect("no thread panics while it holds the shard");
        let same = |index: &u32| self.get(*index as usize).borrow() == value;
        if let Some(index) = shard.find(hash, same) {
            return *index;
        }
        let index =
            u32::try_from(self.values.push(make())).expect("fewer than 2^32 interned values");
        let values = &self.values;
        shard.insert_unique(hash, index, |i| {
            FxBuildHasher.hash_one(
                values
                    .get(*i as usize)
                    .expect("every shard entry is interned")
                    .borrow(),
            )
        });
        index
    }

    /// Returns the index of `value` if it was interned before.
    pub(crate) fn find<Q>(&self, value: &Q) -> Option<u32>
    where
        T: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let hash = FxBuildHasher.hash_one(value);
        let shard_idx = usize::try_from(hash >> 57).expect("seven bits fit") % SHARDS;
        let shard = self.shards[shard_idx]
            .lock()
            .expect("no thread panics while it holds the shard");
        shard
            .find(hash, |index| self.get(*index as usize).borrow() == value)
            .copied()
    }
}
