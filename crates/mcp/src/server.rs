//! The server itself: it says what it can do, and hands calls to the door.

use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, Implementation,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use serde_json::Value;
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::access::MemoryAccess;
use crate::arguments::{self, ForgetCall};
use crate::{telling, tools};

/// Why the server ended other than by its client leaving.
#[derive(Debug, Error)]
pub enum ServeError {
    #[error("the client did not speak MCP: {0}. Start `denizen mcp` from an MCP client, not by hand")]
    NoHandshake(String),
    #[error("the server broke off: {0}. This is a defect; please report it")]
    BrokeOff(String),
}

/// Serves over standard input and output until the client leaves.
pub async fn serve(door: Arc<dyn MemoryAccess>, version: &str) -> Result<(), ServeError> {
    let (input, output) = rmcp::transport::stdio();
    serve_on(door, version, input, output).await
}

/// Serves over any pair of streams until the client leaves.
pub async fn serve_on<I, O>(
    door: Arc<dyn MemoryAccess>,
    version: &str,
    input: I,
    output: O,
) -> Result<(), ServeError>
where
    I: AsyncRead + Send + Unpin + 'static,
    O: AsyncWrite + Send + Unpin + 'static,
{
    let server = Server {
        door,
        version: version.to_owned(),
    };
    let running = server
        .serve((input, output))
        .await
        .map_err(|problem| ServeError::NoHandshake(problem.to_string()))?;
    running
        .waiting()
        .await
        .map_err(|problem| ServeError::BrokeOff(problem.to_string()))?;
    Ok(())
}

struct Server {
    door: Arc<dyn MemoryAccess>,
    version: String,
}

impl Server {
    /// Words and data, or a refusal that the model can act on.
    async fn call(&self, request: CallToolRequestParams) -> Result<(String, Value), String> {
        let given = request.arguments;
        match request.name.as_ref() {
            tools::REMEMBER => {
                let gem = self.door.remember(arguments::remember(given)?).await?;
                Ok(telling::remembered(&gem))
            }
            tools::RECALL => {
                let recalled = self.door.recall(arguments::recall(given)?).await?;
                Ok(telling::recalled(&recalled))
            }
            tools::FORGET => match arguments::forget(given)? {
                ForgetCall::Now(what) => Ok(telling::forgotten(&self.door.forget(what).await?)),
                ForgetCall::Candidates(question) => {
                    Ok(telling::candidates(&self.door.recall(question).await?))
                }
            },
            other => Err(format!(
                "There is no tool “{other}”. The tools are remember, recall and forget."
            )),
        }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("denizen-memory", &self.version))
            .with_instructions(tools::INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::all()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::all().into_iter().find(|tool| tool.name == name)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        // A refusal is an answer of the tool: a model sees those, and seldom sees errors of the protocol.
        let result = match self.call(request).await {
            Ok((words, data)) => {
                let mut result = CallToolResult::success(vec![ContentBlock::text(words)]);
                result.structured_content = Some(data);
                result
            }
            Err(refusal) => CallToolResult::error(vec![ContentBlock::text(refusal)]),
        };
        Ok(result.into())
    }
}
