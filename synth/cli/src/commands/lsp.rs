//! `sluice lsp`

use clap::Args;
use lsp_server::{Connection, ErrorCode, Message, Notification, Response};

use crate::output::{Done, input};

/// Arguments of `lsp`.
#[derive(Args)]
pub(crate) struct Lsp {
    /// Accepted for editors that pass it: the standard streams are used
    #[arg(long)]
    stdio: bool,
}

impl Lsp {
    pub(crate) fn run(self) -> Done<()> {
        let (connection, threads) = Connection::stdio();
        let failed = |why: &dyn std::fmt::Display| input(format!("error: language server: {why}"));
        let capabilities = sluice_lsp::capabilities();
        connection
            .initialize(capabilities)
            .map_err(|why| failed(&why))?;
        serve(&connection).map_err(|why| failed(&why))?;
        drop(connection);
        threads.join().map_err(|why| failed(&why))
    }
}

fn serve(connection: &Connection) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let mut server = sluice_lsp::Server::default();
    for message in &connection.receiver {
        match message {
            Message::Request(request) => {
                if connection.handle_shutdown(&request)? {
                    return Ok(());
                }
                let response = match server.answer(&request.method, &request.params) {
                    Some(result) => Response::new_ok(request.id, result),
                    None => {
                        let message = format!("unknown request: {}", request.method);
                        Response::new_err(request.id, ErrorCode::MethodNotFound as i32, message)
                    }
                };
                connection.sender.send(Message::Response(response))?;
            }
            Message::Notification(notification) => {
                let answer = server.notify(&notification.method, &notification.params);
                if let Some((method, params)) = answer {
                    let notification = Notification::new(method.to_owned(), params);
                    connection
                        .sender
                        .send(Message::Notification(notification))?;
                }
            }
            Message::Response(_) => {}
        }
    }
    Ok(())
}
