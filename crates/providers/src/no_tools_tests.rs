use super::refuses_tools;

#[test]
fn servers_say_in_many_ways_that_they_take_no_tools() {
    for words in [
        // Ollama.
        "registry.ollama.ai/library/smollm2:135m does not support tools",
        // vLLM and SGLang.
        "\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set",
        // llama.cpp, of now and of older times, and what was made of it.
        "tools param requires --jinja flag",
        "Unsupported param: tools",
        "tools param is not fully supported yet",
        "the chat template of this model does not support tools",
        // OpenAI and Azure.
        "tools is not supported in this model. For a list of supported models, refer to the docs",
        "Unrecognized request argument supplied: tools",
        "Unrecognized request argument supplied: tools (request id: 2024012111)",
        "Unrecognized request arguments supplied: tool_choice, tools",
        "Unsupported parameter: 'tools' is not supported with this model.",
        "Unknown parameter: 'tools'.",
        // OpenRouter.
        "No endpoints found that support tool use. To learn more about provider routing, visit: https://x",
        "No endpoints found that support tool use. Try disabling \"question\".",
        "No endpoints found that support the provided 'tool_choice' value.",
        // Groq, Together, DeepSeek, DashScope, Mistral.
        "`tool calling` is not supported with this model",
        "deepseek-reasoner does not support Function Calling",
        "The tool call is not supported.",
        "Function calling is not enabled for this model",
        "This model doesn't support function calling",
        // Amazon and Google.
        "This model doesn't support tool use.",
        "Function calling is not enabled for models/gemma-3-27b-it",
        // LocalAI, LM Studio, proxies and whoever else.
        "tools not supported",
        "tool use is not supported",
        "Tool use isn't supported by this backend",
        "tool_choice is not supported",
        "tools are disabled on this deployment",
        "this endpoint cannot handle tools",
        "tools: Extra inputs are not permitted",
        "property 'tools' is unsupported",
        "unknown field `tools`",
        "Additional properties are not allowed ('tools', 'tool_choice' were unexpected)",
        "got an unexpected keyword argument 'tools'",
        "the loaded model does not advertise tools",
        // Whoever says what the model can.
        "This model can't use tools",
        "this model can’t use tools.",
        "llama-2 cannot use tools",
        "The model can not call functions",
        "This model is unable to use tools",
        "the model is not able to call tools",
        "this model is not capable of tool use",
        "This model is incapable of function calling",
        "tools cannot be used with this model",
        "tools can't be used here",
        "This model has no tool support",
        "the engine lacks function calling support",
        "The selected model does not have tool calling capabilities",
        "there is no support for tools",
        // The same by other names.
        "this model does not support function call",
        "Function call is not supported for this model",
        "this model does not support function_calling",
        "does not support functions",
        "function-calls are not supported",
        "model features function calling not support",
        "the model does not offer tool-use",
    ] {
        assert!(refuses_tools(words), "{words}");
    }
}

#[test]
fn what_is_wrong_with_one_tool_or_with_tools_beside_something_is_another_thing() {
    for words in [
        "Invalid 'tools[0].function.name': string does not match pattern '^[a-zA-Z0-9_-]+$'",
        "Invalid 'tools': array too long. Expected an array with maximum length 128",
        "tools.0.input_schema: JSON schema is invalid",
        "tools[0].function.strict is not supported",
        "Invalid schema for function 'web_search': 'default' is not permitted",
        "tool type 'web_search' is not supported",
        "Hosted tools are not supported",
        "strict tools are not supported",
        "parallel tool calls are not supported",
        "'parallel_tool_calls' is not supported",
        "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
        "Tool choice is none, but model called a tool",
        "tool call validation failed: attempted to call tool 'x' which was not in request.tools",
        "An assistant message with 'tool_calls' must be followed by tool messages",
        "tool_use ids were found without tool_result blocks immediately after",
        "Function calling with a response mime type: 'application/json' is unsupported",
        "response_format is not supported together with tools",
        "tools are not supported while thinking is enabled",
        "Function tools with reasoning_effort are not supported for this model",
        "The reasoning_content in the thinking mode must be passed back to the API.",
        "tools must be a list",
        "'tools' is a required property",
        "the model is not supported. Use one with tools",
        "temperature is not supported",
        "unknown model",
        "Cannot call tool 'web_search': it was not found",
        "Unknown function call: web_search",
        "Unexpected tool call in the last message",
        "No tool output found for function call call_123",
        "cannot use tools and functions together",
        "You cannot use both tools and functions",
        "The model can use tools, but not more than 64 of them",
        "the function call is missing its arguments",
        "tools cannot be empty",
        "unable to parse tools",
        "'tool_choice' is only allowed when 'tools' are specified",
    ] {
        assert!(!refuses_tools(words), "{words}");
    }
}
