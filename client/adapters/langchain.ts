// Tools for LangChain, without it: objects of the shape that models bind and tool nodes invoke.
import { type ListedTool, toolList } from "../../proto/tool-list.ts";
import { type Caller, inText, runTool } from "./tool-run.ts";

/** What LangChain hands over beside the input. */
export interface LangChainConfig {
  signal?: AbortSignal | undefined;
}

/** A tool as `bindTools` and tool nodes take it; LangChain's own `tool(each.func, each)` makes one of its class of it. */
export interface LangChainTool {
  name: string;
  description: string;
  /** JSON Schema. */
  schema: ListedTool["inputSchema"] & Record<string, unknown>;
  /** Takes arguments, and resolves to what the model is told, also of a failure; an aborted signal throws its reason. */
  func(input: unknown, config?: LangChainConfig): Promise<string>;
  /** The same for arguments or a whole call, `{type: "tool_call", id, name, args}`. */
  invoke(input: unknown, config?: LangChainConfig): Promise<string>;
}

/** The tools of the session's profile, each of which runs itself. */
export function langchainTools(session: Caller): LangChainTool[] {
  return toolList(session.profile).map(({ name, description, inputSchema }) => {
    const func = async (input: unknown, config?: LangChainConfig) =>
      inText(await runTool(session, name, input, { signal: config?.signal }));
    return {
      name,
      description,
      schema: { ...inputSchema },
      func,
      invoke: (input, config) => func(isToolCall(input) ? input.args : input, config),
    };
  });
}

function isToolCall(input: unknown): input is { args: unknown } {
  return (
    typeof input === "object" &&
    input !== null &&
    "type" in input &&
    input.type === "tool_call" &&
    "args" in input
  );
}
