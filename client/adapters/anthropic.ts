// Offers the tools in the forms of Anthropic's Messages API.
import { adapterTools, type ListedTool } from "../../proto/tools/tool-list.ts";
import type { CallOptions } from "../sdk/tool-methods.ts";
import { type Caller, runTool, type ToolOutcome } from "./tool-run.ts";

/** A tool in the form that the Messages API takes. */
export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: ListedTool["inputSchema"] & Record<string, unknown>;
}

/** A block of type `tool_use` in the model's message. */
export interface AnthropicToolUse {
  id: string;
  name: string;
  input: unknown;
}

type Block =
  | { type: "text"; text: string }
  | {
      type: "image";
      source: { type: "base64"; media_type: "image/png" | "image/jpeg"; data: string };
    };

/** The block that answers a tool_use block, in a user message. */
export interface AnthropicToolResult {
  type: "tool_result";
  tool_use_id: string;
  content: Block[];
  is_error: boolean;
}

/** Returns the tools of the session's profile and a function that runs a model's call. */
export function anthropicTools(session: Caller): {
  tools: AnthropicTool[];
  /** Returns errors as the result's text with `is_error`. An aborted signal throws its reason. */
  run(use: AnthropicToolUse, options?: CallOptions): Promise<AnthropicToolResult>;
} {
  return {
    tools: adapterTools(session.profile).map(({ name, description, inputSchema }) => ({
      name,
      description,
      input_schema: { ...inputSchema },
    })),
    async run({ id, name, input }, options) {
      const told = await runTool(session, name, input, options);
      return { type: "tool_result", tool_use_id: id, content: blocks(told), is_error: told.isError };
    },
  };
}

function blocks({ text, picture }: ToolOutcome): Block[] {
  if (!picture) return [{ type: "text", text }];
  const media_type = picture.mimeType === "image/jpeg" ? "image/jpeg" : "image/png";
  return [
    { type: "text", text },
    { type: "image", source: { type: "base64", media_type, data: picture.base64 } },
  ];
}
