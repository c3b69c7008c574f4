// Defines a tool: a function from its request to its reply. All shared work happens around it.
import type { BrowserMethods, PageInfo } from "../../proto/gen/troupe.ts";
import type { Call } from "../core/call.ts";
import type { Role } from "../role/role.ts";
import type { Session } from "../session/session.ts";
import type { Page } from "../tab/page.ts";
import type { Threads } from "../threads/threads.ts";

/** The objects that a tool works with. */
export interface ToolContext {
  call: Call;
  role: Role;
  session: Session;
  threads: Threads;
  /** Returns the call's tab, after opening and loading it if needed. `blank`: the tool opens an address itself. */
  page(options?: { blank?: boolean }): Promise<Page>;
}

/** A tool's own reply fields. `shown`: the page that the reply describes, if it is not the call's tab. */
export type Reply<M extends keyof BrowserMethods> = Omit<ResponseOf<M>, "page"> & {
  shown?: Page | undefined;
};

/** A tool of the service `Browser`. Throws errors of the catalogue. */
export type ToolHandler<M extends keyof BrowserMethods> = (
  request: BrowserMethods[M]["request"],
  context: ToolContext,
) => Promise<Reply<M>>;

/** Any tool's handler. Its request is already of the tool's type. */
export type AnyHandler = (request: never, context: ToolContext) => Promise<Reply<keyof BrowserMethods>>;

/** Snapshot's reply before it is sent in parts. */
export interface SnapshotReply {
  text: string;
  page?: PageInfo;
  elementCount: number;
  kind: "SNAPSHOT_KIND_FULL" | "SNAPSHOT_KIND_DELTA" | "SNAPSHOT_KIND_UNCHANGED";
}

type ResponseOf<M extends keyof BrowserMethods> = BrowserMethods[M]["responseStream"] extends true
  ? SnapshotReply
  : BrowserMethods[M]["response"];
