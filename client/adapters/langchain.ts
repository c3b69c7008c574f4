// Makes tools for LangChain without importing it. Models bind these objects, and tool nodes invoke them.
import { adapterTools, type ListedTool } from "../../proto/tools/tool-list.ts";
import { type Caller, inText, runTool } from "./tool-run.ts";

/** The second argument with which LangChain invokes a tool. */
export interface LangChainConfig {
  signal?: AbortSignal | undefined;
  /** The call that LangChain's own tools were invoked with. */
  toolCall?: { id?: string | undefined } | undefined;
}

/** The constructor of LangChain's `ToolMessage`. */
export type LangChainToolMessage<Message> = new (fields: {
  content: string;
  tool_call_id: string;
  name: string;
  status: "error";
}) => Message;

/**
 * A tool in the form that `bindTools` and tool nodes take. `tool(each.func, each)` makes LangChain's own class of it.
 */
export interface LangChainTool<Message = never> {
  name: string;
  description: string;
  /** JSON Schema. */
  schema: ListedTool["inputSchema"] & Record<string, unknown>;
  /**
   * Takes arguments and resolves to the text for the model, also if the call failed. An aborted signal throws its
   * reason.
   */
  func(input: unknown, config?: LangChainConfig): Promise<string | Message>;
  /** Does the same for arguments or for a whole call, `{type: "tool_call", id, name, args}`. */
  invoke(input: unknown, config?: LangChainConfig): Promise<string | Message>;
}

/**
 * Returns the tools of the session's profile; each one runs itself. LangChain takes a text for a success. With its
 * `ToolMessage`, a failed call is answered by a message of status `error`.
 */
export function langchainTools<Message = never>(
  session: Caller,
  { ToolMessage }: { ToolMessage?: LangChainToolMessage<Message> } = {},
): LangChainTool<Message>[] {
  return adapterTools(session.profile).map(({ name, description, inputSchema }) => {
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
