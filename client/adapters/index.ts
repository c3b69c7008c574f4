// The exports of `troupe/adapters`.
/// <reference types="node" preserve="true" />
export {
  type AnthropicTool,
  type AnthropicToolResult,
  type AnthropicToolUse,
  anthropicTools,
} from "./anthropic.ts";
export {
  type LangChainConfig,
  type LangChainTool,
  type LangChainToolMessage,
  langchainTools,
} from "./langchain.ts";
export {
  type OpenAIFunctionCall,
  type OpenAIFunctionCallOutput,
  type OpenAIResponsesTool,
  type OpenAITool,
  type OpenAIToolCall,
  type OpenAIToolMessage,
  openaiResponsesTools,
  openaiTools,
} from "./openai.ts";
