// One method for each tool, typed from the protocol. Programs call methods; models call by name.
import type { BrowserMethods, SnapshotHeader } from "../../proto/gen/troupe.ts";
import { type Tool, tools } from "../../proto/tools/read-tools.ts";
import type { Reply } from "../../proto/wire/reply.ts";
import type { Json, JsonObject } from "../../proto/wire/struct.ts";

export interface CallOptions {
  /** Cancels the call, which then fails with CANCELLED. */
  signal?: AbortSignal | undefined;
}

/** A session's own method `close` takes the place of the tool. */
const OF_SESSION = "Close";
type ToolRpc = Exclude<keyof BrowserMethods, "Watch" | "PutFile" | "GetFile" | typeof OF_SESSION>;

/** The value `MOUSE_BUTTON_LEFT` of an enum becomes the word `left`. */
type Word<E extends string> = string extends E
  ? string
  : [Extract<E, `${string}_UNSPECIFIED`>] extends [`${infer Prefix}UNSPECIFIED`]
    ? E extends `${Prefix}${infer Name}`
      ? Lowercase<Exclude<Name, "UNSPECIFIED">>
      : never
    : E;

type Value<T> = [T] extends [string]
  ? Word<T>
  : [T] extends [readonly (infer Item)[]]
    ? readonly Value<Item>[]
    : T;

type IsList<T> = [T] extends [readonly unknown[]] ? true : false;

/** A request as a program writes it: enums as words, lists optional. */
type Written<M> = {
  [K in keyof M as IsList<M[K]> extends true ? never : K]: Value<Exclude<M[K], undefined>>;
} & { [K in keyof M as IsList<M[K]> extends true ? K : never]?: Value<M[K]> };

/** A tool's arguments. `role`: for this call alone. `session`: a name for tabs apart from the session's own. */
export type ToolArguments<R extends ToolRpc> = Written<BrowserMethods[R]["request"]> & {
  role?: string;
  session?: string;
};

/** A tool's reply: the `text` for models, the page, and the tool's other data. */
export type ToolReply<R extends ToolRpc> = BrowserMethods[R]["responseStream"] extends true
  ? SnapshotHeader & { text: string }
  : BrowserMethods[R]["response"];

type Given<R extends ToolRpc> =
  Record<never, never> extends ToolArguments<R>
    ? [args?: ToolArguments<R>, options?: CallOptions]
    : [args: ToolArguments<R>, options?: CallOptions];

/** `click`, `navigate`, `selectOption`…: each one fails with a TroupeError. */
export type ToolMethods = {
  [R in keyof BrowserMethods as R extends ToolRpc ? Uncapitalize<R> : never]: R extends ToolRpc
    ? (...given: Given<R>) => Promise<ToolReply<R>>
    : never;
};

/** Makes the methods of all tools. `call` executes one. */
export function toolMethods(
  call: (tool: Tool, args: JsonObject, options: CallOptions) => Promise<Reply>,
): ToolMethods {
  const typed = tools().filter(({ rpc }) => rpc !== OF_SESSION);
  const methods = typed.map((tool) => [
    tool.rpc.charAt(0).toLowerCase() + tool.rpc.slice(1),
    async (args: Record<string, Json | undefined> = {}, options: CallOptions = {}) => {
      const { text, page, response } = await call(tool, given(args), options);
      return { ...response, text, page: page ?? null };
    },
  ]);
  return Object.fromEntries(methods);
}

/** An undefined argument is absent, as in JSON. */
function given(args: Record<string, Json | undefined>): JsonObject {
  const entries = Object.entries(args).filter((entry): entry is [string, Json] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}
