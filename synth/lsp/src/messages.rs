//! JSON-RPC messages: parsing of incoming ones and construction of outgoing ones.

use lsp_types::MessageType;
use serde_json::{Value, json};

/// Error codes of the protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Code {
    ParseError,
    InvalidRequest,
    MethodNotFound,
    InvalidParams,
    InternalError,
    ServerNotInitialized,
    RequestCancelled,
    RequestFailed,
}

impl Code {
    fn number(self) -> i32 {
        match self {
            Self::ParseError => -32700,
            Self::InvalidRequest => -32600,
            Self::MethodNotFound => -32601,
            Self::InvalidParams => -32602,
            Self::InternalError => -32603,
            Self::ServerNotInitialized => -32002,
            Self::RequestCancelled => -32800,
            Self::RequestFailed => -32803,
        }
    }
}

/// An error response: code and message.
pub(crate) type Refusal = (Code, String);

/// A message of the client.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Incoming {
    Request {
        id: Value,
        method: String,
        params: Value,
    },
    Notification {
        method: String,
        params: Value,
    },
    /// A response, which is ignored: the requests of this server have no results.
    Response,
}

impl Incoming {
    /// Parses the bytes of a message.
    ///
    /// # Errors
    /// The error response to bytes that are not a message.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, Value> {
        let none = Value::Null;
        let message: Value = serde_json::from_slice(bytes)
            .map_err(|why| refused(&none, Code::ParseError, &format!("invalid JSON: {why}")))?;
        let Value::Object(mut message) = message else {
            let why = "a message is an object with a `method` or a `result`";
            return Err(refused(&none, Code::InvalidRequest, why));
        };
        let id = message.remove("id");
        let known = id.clone().filter(is_id).unwrap_or(Value::Null);
        if id.as_ref().is_some_and(|id| !is_id(id) && !id.is_null()) {
            let why = "the `id` of a request is an integer or a string";
            return Err(refused(&none, Code::InvalidRequest, why));
        }
        let params = message.remove("params").unwrap_or(Value::Null);
        match (message.remove("method"), id.filter(|id| !id.is_null())) {
            (Some(Value::String(method)), Some(id)) => Ok(Self::Request { id, method, params }),
            (Some(Value::String(method)), None) => Ok(Self::Notification { method, params }),
            (None, _) if message.contains_key("result") || message.contains_key("error") => {
                Ok(Self::Response)
            }
            _ => {
                let why = "a message has a `method`, which is a string";
                Err(refused(&known, Code::InvalidRequest, why))
            }
        }
    }
}

fn is_id(id: &Value) -> bool {
    id.is_string() || id.is_i64() || id.is_u64()
}

/// Creates the response to a request, with its result.
pub(crate) fn result(id: &Value, result: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

/// Creates the error response to a request.
pub(crate) fn refused(id: &Value, code: Code, message: &str) -> Value {
    let error = json!({"code": code.number(), "message": message});
    json!({"jsonrpc": "2.0", "id": id, "error": error})
}

/// Creates a request of the server without parameters.
pub(crate) fn request(id: &str, method: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": null})
}

/// Creates a notification.
pub(crate) fn notification(method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "method": method, "params": params})
}

/// Creates a line in the client's log.
pub(crate) fn logged(kind: MessageType, message: &str) -> Value {
    let params = json!({"type": kind, "message": message});
    notification("window/logMessage", params)
}
