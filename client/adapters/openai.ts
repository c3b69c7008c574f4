// Offers the tools in the forms of OpenAI's APIs: chat completions, which many others speak too, and responses.
import { adapterTools, type ListedTool } from "../../proto/tools/tool-list.ts";
import type { CallOptions } from "../sdk/tool-methods.ts";
import { type Caller, inText, runTool, type ToolOutcome } from "./tool-run.ts";

type Parameters = ListedTool["inputSchema"] & Record<string, unknown>;

/** A tool in the form that chat completions take. */
export interface OpenAITool {
  type: "function";
  function: { name: string; description: string; parameters: Parameters };
}

/** A call in a model's message: an item of its `tool_calls`. */
export interface OpenAIToolCall {
  id: string;
  type?: string;
  function?: { name: string; arguments: string };
}

/** The message that answers a call. */
export interface OpenAIToolMessage {
  role: "tool";
  tool_call_id: string;
  content: string;
}

/** Returns the tools of the session's profile and a function that runs a model's call. */
export function openaiTools(session: Caller): {
  tools: OpenAITool[];
  /** Returns errors as the message's text. An aborted signal throws its reason. */
  run(call: OpenAIToolCall, options?: CallOptions): Promise<OpenAIToolMessage>;
} {
  return {
    tools: adapterTools(session.profile).map(({ name, description, inputSchema }) => ({
      type: "function",
      function: { name, description, parameters: { ...inputSchema } },
    })),
    async run(call, options) {
      const told = await runTool(session, call.function?.name ?? "", call.function?.arguments, options);
      return { role: "tool", tool_call_id: call.id, content: inText(told) };
    },
  };
}

/** A tool in the form that the Responses API takes. */
export interface OpenAIResponsesTool {
  type: "function";
  name: string;
  description: string;
  parameters: Parameters;
  strict: false;
}

/** A call in a response's output: an item of type `function_call`. */
export interface OpenAIFunctionCall {
  call_id: string;
  name: string;
  arguments: string;
}

/** The input item that answers a call. */
export interface OpenAIFunctionCallOutput {
  type: "function_call_output";
  call_id: string;
  output:
    | string
    | ({ type: "input_text"; text: string } | { type: "input_image"; image_url: string; detail: "auto" })[];
}

/** Does the same for the Responses API. */
export function openaiResponsesTools(session: Caller): {
  tools: OpenAIResponsesTool[];
  /** Returns errors as the output's text. An aborted signal throws its reason. */
  run(call: OpenAIFunctionCall, options?: CallOptions): Promise<OpenAIFunctionCallOutput>;
} {
  return {
    tools: adapterTools(session.profile).map(({ name, description, inputSchema }) => ({
      type: "function",
      name,
      description,
      parameters: { ...inputSchema },
      strict: false,
    })),
    async run({ call_id, name, arguments: given }, options) {
      const output = inParts(await runTool(session, name, given, options));
      return { type: "function_call_output", call_id, output };
    },
  };
}

function inParts({ text, picture }: ToolOutcome): OpenAIFunctionCallOutput["output"] {
  if (!picture) return text;
  const image_url = `data:${picture.mimeType};base64,${picture.base64}`;
  return [
    { type: "input_text", text },
    { type: "input_image", image_url, detail: "auto" },
  ];
}
