// Tools for LangChain, without it: objects of the shape that models bind and tool nodes invoke.
import { type ListedTool, toolList } from "../../proto/tools/tool-list.ts";
import { type Caller, inText, runTool } from "./tool-run.ts";

/** What LangChain hands over beside the input. */
export interface LangChainConfig {
  signal?: AbortSignal | undefined;
  /** The call that LangChain's own tools were invoked with. */
  toolCall?: { id?: string | undefined } | undefined;
}

/** LangChain's `ToolMessage`. */
export type LangChainToolMessage<Message> = new (fields: {
  content: string;
  tool_call_id: string;
  name: string;
  status: "error";
}) => Message;

/** A tool as `bindTools` and tool nodes take it; LangChain's own `tool(each.func, each)` makes one of its class of it. */
export interface LangChainTool<Message = never> {
  name: string;
  description: string;
  /** JSON Schema. */
  schema: ListedTool["inputSchema"] & Record<string, unknown>;
  /** Takes arguments, and resolves to what the model is told, also of a failure; an aborted signal throws its reason. */
  func(input: unknown, config?: LangChainConfig): Promise<string | Message>;
  /** The same for arguments or a whole call, `{type: "tool_call", id, name, args}`. */
  invoke(input: unknown, config?: LangChainConfig): Promise<string | Message>;
}

/**
 * The tools of the session's profile, each of which runs itself. LangChain takes a text for a success: with its `ToolMessage`,
 * a call that failed is answered by a message of status `error`.
 */
export function langchainTools<Message = never>(
  session: Caller,
  { ToolMessage }: { ToolMessage?: LangChainToolMessage<Message> } = {},
): LangChainTool<Message>[] {
  return toolList(session.profile).map(({ name, description, inputSchema }) => {
    const func: LangChainTool<Message>["func"] = async (input, { signal, toolCall } = {}) => {
      const told = await runTool(session, name, input, { signal });
      const content = inText(told);
      return told.isError && ToolMessage && toolCall?.id !== undefined
        ? new ToolMessage({ content, tool_call_id: toolCall.id, name, status: "error" })
        : content;
    };
    return {
      name,
      description,
      schema: { ...inputSchema },
      func,
      invoke: (input, config) =>
        isToolCall(input) ? func(input.args, { ...config, toolCall: input }) : func(input, config),
    };
  });
}

function isToolCall(input: unknown): input is { args: unknown; id?: string } {
  return (
    typeof input === "object" &&
    input !== null &&
    "type" in input &&
    input.type === "tool_call" &&
    "args" in input
  );
}
