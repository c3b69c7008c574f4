// The console: a page for the team at /console, its live state, and what an operator can do there.
import { Metadata } from "@grpc/grpc-js";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type ErrorType, fail, isTroupeError } from "../../proto/errors/catalogue.ts";
import type { CallEvidence, ControlMethods, FailureLog } from "../../proto/gen/troupe.ts";
import { failuresText } from "../../proto/text/failures-text.ts";
import { REQUEST_ID } from "../../proto/wire/metadata.ts";
import { controlReplyJson } from "../../proto/wire/proto-json.ts";
import { isObject } from "../../proto/wire/struct.ts";
import type { Admission } from "../admission/admission.ts";
import type { ControlCalls } from "../control/control-service.ts";
import type { EvidencePage, EvidenceStore } from "../evidence/evidence-store.ts";
import { type Admitted, clientCheck } from "../http/client-check.ts";
import type { HttpPath } from "../http/http-server.ts";
import { Problem } from "../http/problem.ts";
import { route } from "../http/route.ts";
import { cookieOf, setCookie } from "./cookie.ts";
import { endedSessions } from "./ended-sessions.ts";
import { eventOf, openEventStream } from "./event-stream.ts";
import { evidenceCall, evidenceDetail } from "./evidence-view.ts";
import { audienceOf, Feed, type FeedParts } from "./feed.ts";
import { checkOwnPage, checkSite, secure } from "./guards.ts";
import { Logins } from "./logins.ts";
import { type PageFiles, pageFiles } from "./page-files.ts";
import { type SessionPageParts, sessionPage } from "./session-page.ts";
import { Looks, type Seen } from "./tab-views.ts";
import type { EvidenceList, Look, Me } from "./wire.ts";

export interface ConsoleParts extends FeedParts, SessionPageParts {
  admission: Admission;
  calls: ControlCalls;
  evidence: Pick<EvidenceStore, "newestSessions">;
}

/** The calls of the control plane that the page makes. */
const ACTIONS = [
  "RestartRole",
  "Drain",
  "CloseSession",
  "TakeOver",
  "HandBack",
  "ClearFailures",
  "ReloadConfig",
  "DecideApproval",
] as const;
type Action = (typeof ACTIONS)[number];

/** The most pages at once, at all addresses together. */
export const WATCHERS_MAX = 1_000;
/** Evidence that is not kept any more, or is not the client's. */
const NO_EVIDENCE: CallEvidence = { id: "", call: null, plan: "", seen: null, picture: null };
const RETRY_AFTER_MS = 5_000;
const TYPES: Record<keyof PageFiles, string> = {
  "index.html": "text/html; charset=utf-8",
  "console.js": "text/javascript; charset=utf-8",
  "console.css": "text/css; charset=utf-8",
  "icon.svg": "image/svg+xml",
};
/** The HTTP status of an action's error. Others are failures of the daemon. */
const STATUS: Partial<Record<ErrorType, number>> = {
  INVALID_ARGUMENT: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  UNKNOWN_ROLE: 404,
  SESSION_EXPIRED: 404,
  BUSY: 429,
};

export class Console implements HttpPath, Disposable {
  readonly feed: Feed;
  readonly #parts: ConsoleParts;
  readonly #logins: Logins;
  readonly #admitted: Admitted;
  readonly #looks: Looks;
  #files: Promise<PageFiles> | undefined;

  constructor(parts: ConsoleParts) {
    this.#parts = parts;
    this.feed = new Feed(parts);
    this.#logins = new Logins(parts.clock);
    this.#looks = new Looks(parts);
    this.#admitted = clientCheck(parts.admission, (request) => this.#authorizationOf(request));
  }

  addTo(app: FastifyInstance): void {
    void app.register(async (scope) => {
      scope.addHook("onRequest", secure);
      this.#addPage(scope);
      this.#addLogin(scope);
      this.#addReads(scope);
      this.#addActions(scope);
    });
  }

  [Symbol.dispose](): void {
    this.feed[Symbol.dispose]();
  }

  /** The page itself holds nothing of the daemon, so it asks for no token. */
  #addPage(scope: FastifyInstance): void {
    const file = (name: keyof PageFiles) => ({
      GET: async (_request: FastifyRequest, reply: FastifyReply) => {
        this.#files ??= pageFiles();
        return reply.type(TYPES[name]).send((await this.#files)[name]);
      },
    });
    const anybody = async () => undefined;
    route(scope, "/console", anybody, file("index.html"));
    for (const name of ["console.js", "console.css", "icon.svg"] as const)
      route(scope, `/console/${name}`, anybody, file(name));
  }

  #addLogin(scope: FastifyInstance): void {
    const ownPage = async (request: FastifyRequest) => checkOwnPage(request);
    route(scope, "/console/login", ownPage, {
      POST: async (request, reply) => {
        const { token } = isObject(request.body) ? request.body : {};
        const authorization = `Bearer ${typeof token === "string" ? token.trim() : ""}`;
        await this.#admitted.checkAs(request, authorization);
        const id = this.#logins.begin(authorization);
        return reply.header("set-cookie", setCookie(request, id)).send(this.#me(request));
      },
    });
    route(scope, "/console/logout", ownPage, {
      POST: (request, reply) => {
        this.#logins.end(cookieOf(request) ?? "");
        return reply.header("set-cookie", setCookie(request, "")).send({});
      },
    });
  }

  #addReads(scope: FastifyInstance): void {
    const reader = async (request: FastifyRequest) => {
      checkSite(request);
      await this.#admitted.check(request);
    };
    route(scope, "/console/me", reader, { GET: (request) => this.#me(request) });
    route(scope, "/console/events", reader, { GET: (request, reply) => this.#watch(request, reply) });
    route(scope, "/console/session", reader, {
      GET: (request) =>
        answered(async () => sessionPage(this.#parts, this.#clientOf(request), queryOf(request, "key"))),
    });
    route(scope, "/console/tree", reader, {
      GET: (request) =>
        answered(async () => {
          const { image: _image, ...look } = await this.#look(request, false);
          return look satisfies Look;
        }),
    });
    route(scope, "/console/picture", reader, {
      GET: (request, reply) =>
        answered(async () => {
          const { image } = await this.#look(request, true);
          // A browser shows no picture without bytes, and the page says why from the tree.
          return reply
            .code(image.length > 0 ? 200 : 404)
            .type("image/jpeg")
            .send(Buffer.from(image));
        }),
    });
    this.#addEvidence(scope, reader);
    route(scope, "/console/failures", reader, {
      GET: (request) =>
        answered(async () => {
          const asked = { role: queryOf(request, "role") };
          const { failures } = await this.#call("GetFailures", asked, request);
          return { text: failuresText(asked.role, failures as FailureLog) };
        }),
    });
  }

  #addEvidence(scope: FastifyInstance, reader: (request: FastifyRequest) => Promise<void>): void {
    const read = (request: FastifyRequest, asked: { id: string; brief: boolean; after: string }) =>
      this.#call("ReadEvidence", { session: queryOf(request, "key"), newestFirst: true, ...asked }, request);
    const one = async (request: FastifyRequest) => {
      // An empty id would mean all calls.
      const asked = { id: queryOf(request, "id") || "none", brief: false, after: "" };
      const { calls } = (await read(request, asked)) as EvidencePage;
      return calls[0] ?? NO_EVIDENCE;
    };
    route(scope, "/console/ended", reader, {
      GET: (request) => answered(async () => endedSessions(this.#parts, this.#clientOf(request))),
    });
    route(scope, "/console/evidence", reader, {
      GET: (request) =>
        answered(async () => {
          const after = queryOf(request, "after");
          const { calls, next } = (await read(request, { id: "", brief: true, after })) as EvidencePage;
          return { calls: calls.map(evidenceCall), next } satisfies EvidenceList;
        }),
    });
    route(scope, "/console/evidence-call", reader, {
      GET: (request) => answered(async () => evidenceDetail(await one(request))),
    });
    route(scope, "/console/evidence-picture", reader, {
      GET: (request, reply) =>
        answered(async () => {
          const { picture } = await one(request);
          const image = Buffer.from(picture?.image ?? []);
          return reply
            .code(image.length > 0 ? 200 : 404)
            .type("image/webp")
            .send(image);
        }),
    });
  }

  #addActions(scope: FastifyInstance): void {
    const actor = async (request: FastifyRequest) => {
      checkOwnPage(request);
      await this.#admitted.check(request);
    };
    for (const action of ACTIONS)
      route(scope, `/console/${action}`, actor, {
        POST: (request) =>
          answered(async () => {
            const reply = await this.#call(action, argumentsOf(action, request.body), request);
            return controlReplyJson(action, reply);
          }),
      });
  }

  #watch(request: FastifyRequest, reply: FastifyReply): void {
    if (this.feed.size >= WATCHERS_MAX) throw tooMany();
    const client = this.#clientOf(request);
    const { names } = this.#parts.supervisor;
    const rights = () => JSON.stringify([audienceOf(this.#clientOf(request), names), this.#me(request)]);
    const before = rights();
    const ends = new DisposableStack();
    const stream = openEventStream(reply, () => ends.dispose());
    const me = eventOf("me", this.#me(request));
    stream.send(me, () => me);
    ends.defer(() => this.#parts.log.debug({ pages: this.feed.size }, "a page of the console is gone"));
    ends.defer(this.feed.join(client, stream));
    this.#parts.log.debug({ pages: this.feed.size }, "a page of the console is open");
    // The page comes back at once, with its new rights.
    const lost = () => reply.raw.destroy();
    const look = () => {
      if (rights() !== before) lost();
    };
    ends.defer(this.#parts.admission.watchOver(look, lost));
  }

  #call<M extends Action | "GetFailures" | "ReadEvidence">(
    rpc: M,
    asked: ControlMethods[M]["request"],
    request: FastifyRequest,
  ) {
    const metadata = new Metadata();
    metadata.set(REQUEST_ID, request.id);
    return this.#parts.calls(rpc, asked, () => this.#clientOf(request), metadata);
  }

  #look(request: FastifyRequest, picture: boolean): Promise<Seen> {
    const [key, role, tab] = [queryOf(request, "key"), queryOf(request, "role"), queryOf(request, "tab")];
    return this.#looks.at({ key, role, tab, picture }, this.#clientOf(request));
  }

  #clientOf(request: FastifyRequest) {
    return this.#admitted.clientOf(request);
  }

  #me(request: FastifyRequest): Me {
    const { name, control } = this.#clientOf(request);
    return { client: name, control };
  }

  #authorizationOf(request: FastifyRequest): string | undefined {
    const id = cookieOf(request);
    return id === undefined ? undefined : this.#logins.of(id);
  }
}

function queryOf({ query }: FastifyRequest, name: string): string {
  const value = isObject(query) ? query[name] : undefined;
  return typeof value === "string" ? value : "";
}

/** Returns the request of an action. */
function argumentsOf(action: Action, body: unknown): ControlMethods[Action]["request"] {
  const given = isObject(body) ? body : {};
  const text = (name: string) => {
    const value = given[name];
    if (typeof value === "string") return value;
    throw fail("INVALID_ARGUMENT", { argument: name, problem: `${name} is missing: a text` });
  };
  switch (action) {
    case "RestartRole":
      return { name: text("name") };
    case "CloseSession":
      return { session: text("session") };
    case "TakeOver":
    case "HandBack":
      return { session: text("session"), role: text("role") };
    case "ClearFailures":
      return { role: text("role") };
    case "DecideApproval":
      return { id: text("id"), deny: decision(given.deny) };
    case "Drain":
      return { ifUnused: false };
    case "ReloadConfig":
      return {};
  }
}

/** A decision is never a default. */
function decision(deny: unknown): boolean {
  if (typeof deny === "boolean") return deny;
  throw fail("INVALID_ARGUMENT", { argument: "deny", problem: "deny is missing: true or false" });
}

async function answered<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isTroupeError(error)) throw error;
    throw new Problem(STATUS[error.type] ?? 503, error);
  }
}

function tooMany(): Problem {
  const limit = `${WATCHERS_MAX} open pages of the console at once`;
  return new Problem(503, fail("BUSY", { limit, holders: [], retryAfterMs: RETRY_AFTER_MS }));
}
