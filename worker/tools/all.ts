// Loads the handlers. A handler has its rpc's name, and so has its file: `selectOption` is in select-option.ts. Its
// room is an option of the rpc.
import { rpcs, type Tool } from "../../proto/tools/read-tools.ts";
import type { AnyHandler } from "./tool.ts";

const handled = rpcs().filter(({ answeredByDaemon, offered }) => offered && !answeredByDaemon);

/** The handlers of the tools that workers answer, by rpc. */
export const toolHandlers: ReadonlyMap<string, AnyHandler> = new Map(
  await Promise.all(handled.map(async (tool) => [tool.rpc, await handlerOf(tool)] as const)),
);

async function handlerOf({ rpc, room }: Tool): Promise<AnyHandler> {
  const name = rpc.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase();
  // The build reads the pattern and takes all that fits it into the package.
  const handlers = (await import(`./${room}/${name}.ts`)) as Record<string, AnyHandler>;
  const handler = handlers[rpc.charAt(0).toLowerCase() + rpc.slice(1)];
  if (!handler) throw new Error(`${name}.ts has no handler of ${rpc}`);
  return handler;
}
