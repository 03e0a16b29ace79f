//! Asking a server for its tools, and taking what it says without trusting the shape of it.

use rmcp::model::{ClientRequest, ListToolsRequest, PaginatedRequestParams, ServerResult};
use rmcp::service::ServiceError;
use rmcp::{Peer, RoleClient};
use serde_json::Value;

/// A server that goes on and on is not asked further.
const PAGES_MAX: usize = 20;

/// Tools that are looked at, before any are left out.
const LISTED_MAX: usize = 500;

/// A tool as its server describes it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Listed {
    pub(crate) name: String,
    pub(crate) description: String,
    /// Whatever stood where the schema should be.
    pub(crate) schema: Value,
}

/// All its tools.
pub(crate) async fn list(peer: &Peer<RoleClient>) -> Result<Vec<Listed>, ServiceError> {
    let mut tools = Vec::new();
    let mut cursor: Option<String> = None;
    for _ in 0..PAGES_MAX {
        let (page, next) = page(peer, cursor.take()).await?;
        tools.extend(page);
        tools.truncate(LISTED_MAX);
        cursor = next;
        if cursor.is_none() || tools.len() == LISTED_MAX {
            break;
        }
    }
    Ok(tools)
}

async fn page(
    peer: &Peer<RoleClient>,
    cursor: Option<String>,
) -> Result<(Vec<Listed>, Option<String>), ServiceError> {
    let mut request = ListToolsRequest::default();
    if let Some(cursor) = cursor {
        request.params = Some(PaginatedRequestParams::default().with_cursor(Some(cursor)));
    }
    // Not through the library's own list: one tool without a proper schema would cost all of them.
    match peer
        .send_request(ClientRequest::ListToolsRequest(request))
        .await?
    {
        ServerResult::ListToolsResult(result) => {
            let tools = result.tools.into_iter().map(|tool| Listed {
                name: tool.name.into_owned(),
                description: tool.description.unwrap_or_default().into_owned(),
                schema: Value::Object((*tool.input_schema).clone()),
            });
            Ok((tools.collect(), result.next_cursor))
        }
        ServerResult::CustomResult(custom) => read(&custom.0).ok_or(ServiceError::UnexpectedResponse),
        _ => Err(ServiceError::UnexpectedResponse),
    }
}

/// A page of which a part is not as it should be.
fn read(page: &Value) -> Option<(Vec<Listed>, Option<String>)> {
    let tools = page.get("tools")?.as_array()?;
    let tools = tools.iter().filter_map(|tool| {
        Some(Listed {
            name: tool.get("name")?.as_str()?.to_owned(),
            description: tool
                .get("description")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned(),
            schema: tool.get("inputSchema").cloned().unwrap_or_default(),
        })
    });
    let next = page.get("nextCursor").and_then(Value::as_str).map(str::to_owned);
    Some((tools.collect(), next))
}
