// Makes a tool of an action on the page. The same action can be a step among several.
import type { BrowserMethods } from "../../../proto/gen/troupe.ts";
import { type Done, perform, type SendInput } from "../../actions/perform.ts";
import type { Page } from "../../tab/page.ts";
import type { Reply, ToolContext, ToolHandler } from "../tool.ts";

/** The page that an action acts on, and the way of its input. */
export interface Acting {
  page: Page;
  send: SendInput;
}

/** An action with trusted input. It resolves when its input has been sent. */
export interface Action<M extends keyof BrowserMethods> {
  /** Refuses a request that is wrong on every page. */
  check?(request: BrowserMethods[M]["request"], context: ToolContext): void;
  act(request: BrowserMethods[M]["request"], acting: Acting): Promise<Done<Omit<Reply<M>, "text" | "shown">>>;
}

/** Returns the tool that performs the action alone and reports what changed. */
export function acting<M extends keyof BrowserMethods>({ check, act }: Action<M>): ToolHandler<M> {
  return async (request, context) => {
    check?.(request, context);
    const page = await context.page();
    const reply = await perform(page, context.session, (send) => act(request, { page, send }));
    return reply as unknown as Reply<M>;
  };
}
