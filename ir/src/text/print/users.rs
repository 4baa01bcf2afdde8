//! Comments that list the users of a value (`--mlir-print-value-users`).

use crate::ids::{BlockId, OperationId, ValueId};
use crate::text::printer::Printer;
use crate::view::View;

impl<'a> Printer<'a> {
    /// Prints the users of the results of an operation; for an operation without results, its number as a user of other values.
    pub(crate) fn users_comment(&mut self, view: View<'a>) {
        match view.results() {
            [] if view.operands().len() == 0 => {}
            [] => {
                self.text(" // id: ");
                self.operation_id(view.id);
            }
            results if results.iter().all(|value| view.body.is_unused(*value)) => {
                self.text(" // unused");
            }
            [only] => {
                let users = self.users(*only);
                self.text(if users.len() == 1 {
                    " // user: "
                } else {
                    " // users: "
                });
                self.user_names(users);
            }
            several => {
                self.text(" // users: ");
                self.comma_separated(several, |printer, value| {
                    printer.text("(");
                    let users = printer.users(*value);
                    if users.is_empty() {
                        printer.text("unused");
                    }
                    printer.user_names(users);
                    printer.text(")");
                });
            }
        }
    }

    /// Prints the users of the arguments of a block, one line each.
    pub(crate) fn argument_users(&mut self, block: BlockId) {
        for value in self.body().arguments(block) {
            self.newline();
            self.text("// ");
            self.operand(*value);
            let users = self.users(*value);
            if users.is_empty() {
                self.text(" is unused");
            } else {
                self.text(" is used by ");
                self.user_names(users);
            }
        }
    }

    /// Returns the operations that use `value`, each once, the latest use first.
    fn users(&self, value: ValueId) -> Vec<OperationId> {
        let mut users: Vec<OperationId> = Vec::new();
        for (user, _) in self.body().uses(value) {
            if !users.contains(&user) {
                users.push(user);
            }
        }
        users
    }

    fn user_names(&mut self, users: Vec<OperationId>) {
        let body = self.body();
        self.comma_separated(users, |printer, user| match body.results(user) {
            [] => printer.operation_id(user),
            results => printer.operands(results.iter().copied()),
        });
    }

    /// Prints the number of an operation without results, which counts with the value numbers.
    fn operation_id(&mut self, op: OperationId) {
        let body = self.body();
        self.text("%");
        match self.values.operation_number(body, op) {
            Some(number) => self.number(number),
            None => self.text("<<unknown>>"),
        }
    }
}
