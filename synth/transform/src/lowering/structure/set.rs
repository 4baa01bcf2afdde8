//! Sets of variables as bit vectors.

use super::tree::Variable;

/// A set of variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Set {
    words: Vec<u64>,
}

const WORD_BITS: usize = 64;

impl Set {
    pub(super) fn insert(&mut self, variable: Variable) {
        let word = variable.index() / WORD_BITS;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (variable.index() % WORD_BITS);
    }

    pub(super) fn contains(&self, variable: Variable) -> bool {
        let word = self.words.get(variable.index() / WORD_BITS);
        word.is_some_and(|word| word >> (variable.index() % WORD_BITS) & 1 != 0)
    }

    /// Adds all elements of another set; returns whether one was new.
    pub(super) fn add_all(&mut self, other: &Self) -> bool {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut is_new = false;
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            is_new |= other & !*word != 0;
            *word |= other;
        }
        is_new
    }

    pub(super) fn keep_common(&mut self, other: &Self) {
        for (i, word) in self.words.iter_mut().enumerate() {
            *word &= other.words.get(i).copied().unwrap_or(0);
        }
    }

    pub(super) fn remove_all(&mut self, other: &Self) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word &= !other;
        }
    }

    /// Returns the elements of this set that are not in the other one.
    pub(super) fn without(&self, other: &Self) -> Self {
        let mut left = self.clone();
        left.remove_all(other);
        left
    }

    /// Returns the variables in increasing order.
    pub(super) fn iter(&self) -> impl Iterator<Item = Variable> + '_ {
        self.words.iter().enumerate().flat_map(|(i, word)| {
            (0..WORD_BITS)
                .filter(move |bit| word >> bit & 1 != 0)
                .map(move |bit| Variable::from_index(i * WORD_BITS + bit))
        })
    }
}

impl PartialEq for Set {
    fn eq(&self, other: &Self) -> bool {
        let n = self.words.len().max(other.words.len());
        let word = |set: &Self, i: usize| set.words.get(i).copied().unwrap_or(0);
        (0..n).all(|i| word(self, i) == word(other, i))
    }
}

impl FromIterator<Variable> for Set {
    fn from_iter<I: IntoIterator<Item = Variable>>(variables: I) -> Self {
        let mut set = Self::default();
        for variable in variables {
            set.insert(variable);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::{Set, Variable};

    #[test]
    fn sets_of_different_lengths() {
        let of = |all: &[usize]| -> Set { all.iter().map(|i| Variable::from_index(*i)).collect() };
        let (small, large) = (of(&[1, 5]), of(&[5, 200]));
        let mut both = small.clone();
        assert!(both.add_all(&large) && !both.add_all(&large));
        assert_eq!(both, of(&[1, 5, 200]));
        assert_eq!(large.without(&small), of(&[200]));
        assert_eq!(both.without(&large), small.without(&of(&[5])));
        both.keep_common(&small);
        assert_eq!(both, small);
        assert!(
            small.contains(Variable::from_index(5)) && !small.contains(Variable::from_index(200))
        );
        assert_eq!(
            large.iter().map(Variable::index).collect::<Vec<_>>(),
            [5, 200]
        );
    }
}
