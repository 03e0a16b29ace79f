//! A small MCP server over standard input and output whose tools are as good and as bad as those out there: the tests of
//! the client start it, and it can be tried by hand with any other client.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, Implementation,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use serde_json::{Value, json};

#[derive(Clone, Default)]
struct Server {
    grown: Arc<AtomicBool>,
    cancelled: Arc<AtomicUsize>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let token = std::env::var("SMALL_TOKEN").unwrap_or_default();
    eprintln!("small server starts with the token {token}");
    if std::env::args().any(|argument| argument == "--refuse-to-start") {
        eprintln!("the token {token} is not accepted");
        std::process::exit(3);
    }
    if std::env::args().any(|argument| argument == "--chatty") {
        // Some print a greeting where only the protocol belongs.
        println!("Welcome to the small server!\n{{\"progress\": 1}}\n");
    }
    let serving = Server::default().serve(rmcp::transport::stdio()).await;
    if let Ok(serving) = serving {
        let _ = serving.waiting().await;
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .build();
        ServerConfig::new(capabilities).with_server_info(Implementation::new("small", "1.0"))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let mut tools = vec![
            tool(
                "echo",
                "Says it\nagain.\u{200B}",
                json!({"type": "object", "properties": {"text": {"type": "string"}}}),
            ),
            tool("slow", "Takes its time.", json!({"type": "object"})),
            tool("crash", "Ends the process.", json!({"type": "object"})),
            tool("grow", "Makes one tool more.", json!({"type": "object"})),
            tool("huge", "Says a great deal.", json!({"type": "object"})),
            tool("fail", "Does not work.", json!({"type": "object"})),
            tool("variable", "Tells a variable.", json!({"type": "object"})),
            tool(
                "cancelled",
                "How many calls were cancelled.",
                json!({"type": "object"}),
            ),
            tool(
                "family",
                "Starts a process of its own.",
                json!({"type": "object"}),
            ),
            tool("text_schema", "Its schema is wrong.", json!({"type": "string"})),
        ];
        if self.grown.load(Ordering::SeqCst) {
            tools.push(tool("grown", "Was not there before.", json!({"type": "object"})));
        }
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let words = |key: &str| arguments[key].as_str().unwrap_or_default().to_owned();
        let text = match request.name.as_ref() {
            "echo" => words("text"),
            "slow" => {
                tokio::select! {
                    () = tokio::time::sleep(Duration::from_secs(600)) => "at last".to_owned(),
                    () = context.ct.cancelled() => {
                        self.cancelled.fetch_add(1, Ordering::SeqCst);
                        "cancelled".to_owned()
                    }
                }
            }
            "crash" => std::process::exit(1),
            "grow" => {
                self.grown.store(true, Ordering::SeqCst);
                let _ = context.peer.notify_tool_list_changed().await;
                "grown".to_owned()
            }
            "huge" => "word ".repeat(100_000),
            "fail" => return Ok(CallToolResult::error(vec![ContentBlock::text("it does not work")]).into()),
            "variable" => std::env::var(words("name")).unwrap_or_else(|_| "not set".to_owned()),
            "cancelled" => self.cancelled.load(Ordering::SeqCst).to_string(),
            "family" => match std::process::Command::new("sleep").arg("600").spawn() {
                Ok(child) => format!("{} {}", std::process::id(), child.id()),
                Err(problem) => problem.to_string(),
            },
            other => {
                return Err(ErrorData::invalid_params(
                    format!("there is no tool {other}"),
                    None,
                ));
            }
        };
        Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
    }
}

fn tool(name: &'static str, description: &'static str, schema: Value) -> Tool {
    let Value::Object(schema) = schema else {
        unreachable!("every schema above is an object");
    };
    Tool::new(name, description, Arc::new(schema))
}
