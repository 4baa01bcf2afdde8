//! Resources: named data in addition to the operations of a file; `dense_resource` attributes refer to them.

/// The contents of a resource.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ResourceValue {
    /// Data, and its alignment in bytes.
    Blob {
        /// Alignment, as written.
        alignment: u32,
        /// The bytes.
        data: Vec<u8>,
    },
    /// `true` or `false`
    Bool(bool),
    /// Text.
    String(String),
}

/// One resource.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resource {
    /// Its name, unique in its group.
    pub key: String,
    /// Its contents.
    pub value: ResourceValue,
}

/// The resources of one dialect, or of one external provider.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResourceGroup {
    /// Dialect or provider.
    pub owner: String,
    /// Its resources, in the order of the file.
    pub entries: Vec<Resource>,
}

/// All resources of a file.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Resources {
    /// The resources of dialects.
    pub dialect: Vec<ResourceGroup>,
    /// The resources of other providers, which are kept unchanged.
    pub external: Vec<ResourceGroup>,
}

impl Resources {
    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.dialect.is_empty() && self.external.is_empty()
    }
}
