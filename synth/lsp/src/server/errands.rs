//! Work that needs files: the owner of the server does it and reports.

use lsp_types::Uri;
use serde_json::Value;

use super::Server;
use crate::language::{Language, configuration_of, kernel_of};

/// Work for the owner of the server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Errand {
    /// Read the text of a file. A file that does not exist is no error.
    Read(Uri),
    /// Read the kernels in a folder and in the folders in it.
    List(Uri),
}

/// The result of an errand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Report {
    /// The text of a file; `None` if it cannot be read.
    Read(Uri, Option<String>),
    /// Kernels of a folder, with their texts.
    List(Vec<(Uri, String)>),
}

impl Server {
    /// Returns the next errand.
    pub fn next_errand(&mut self) -> Option<Errand> {
        self.errands.pop_front()
    }

    /// Handles the result of an errand, and returns the messages to send.
    pub fn report(&mut self, report: Report) -> Vec<Value> {
        match report {
            Report::Read(uri, text) => {
                self.update_workspace(&uri, text.as_deref());
                self.has_read(&uri, text)
            }
            Report::List(kernels) => {
                self.fill_workspace(kernels);
                Vec::new()
            }
        }
    }

    /// Requests the kernel beside an open configuration.
    pub(super) fn read_beside(&mut self, uri: &str) {
        let Some(document) = self.documents.get(uri) else {
            return;
        };
        if document.language == Language::Yaml
            && let Some(kernel) = kernel_of(&document.uri)
        {
            self.errands.push_back(Errand::Read(kernel));
        }
    }

    /// Requests the text of a kernel that was closed, if its configuration is open; forgets the kernel of a closed configuration.
    pub(super) fn read_closed(&mut self, uri: &Uri) {
        if let Some(kernel) = kernel_of(uri) {
            self.kernels_beside.remove(kernel.as_str());
        }
        let configuration = configuration_of(uri);
        let has_configuration =
            configuration.is_some_and(|uri| self.documents.contains_key(uri.as_str()));
        if has_configuration || self.workspace.holds(uri) {
            self.errands.push_back(Errand::Read(uri.clone()));
        }
    }

    fn has_read(&mut self, uri: &Uri, text: Option<String>) -> Vec<Value> {
        let configuration = configuration_of(uri);
        let document = configuration.and_then(|uri| self.documents.get_mut(uri.as_str()));
        // The configuration may be closed by now.
        let Some(document) = document else {
            return Vec::new();
        };
        match text {
            Some(text) => {
                // It is a configuration for sure, so that the analysis runs again.
                document.started = 0;
                self.kernels_beside.insert(uri.as_str().to_owned(), text);
            }
            None => {
                self.kernels_beside.remove(uri.as_str());
            }
        }
        Vec::new()
    }

    /// Returns the text of the kernel of a configuration, open or beside it.
    pub(super) fn kernel_text(&self, configuration: &str) -> Option<&str> {
        let kernel = kernel_of(&self.documents.get(configuration)?.uri)?;
        let open = self.documents.get(kernel.as_str());
        match open {
            Some(document) => Some(&document.snapshot.text),
            None => self.kernels_beside.get(kernel.as_str()).map(String::as_str),
        }
    }
}
