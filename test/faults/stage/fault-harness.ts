// The surroundings of faults: one daemon with roles for every purpose, a site, and any number of agents.
import { randomUUID } from "node:crypto";
import type { Profile } from "../../../proto/tools/read-tools.ts";
import type { JsonObject } from "../../../proto/wire/struct.ts";
import { testClient } from "../../harness/daemon.ts";
import { freePort } from "../../harness/free-port.ts";
import { McpSession } from "../../harness/mcp/mcp-session.ts";
import { reaches } from "../../harness/role-states.ts";
import { startTroupe, type Troupe } from "../../harness/troupe.ts";
import { type Site, serveSite } from "../../site/serve.ts";
import type { Caller, Heard } from "./literal-agent.ts";

/** An agent with a session of its own, over MCP. */
export interface StageAgent extends Caller {
  session: string;
  role: string;
  /** Resolves with the reply's text. Throws if the tool failed. */
  text(tool: string, args?: JsonObject): Promise<string>;
  /** Opens a page with this HTML. Resolves with the reply's text. */
  open(html: string): Promise<string>;
  end(): Promise<void>;
}

/** The surroundings of one fault. It ends with all that the fault opened. */
export interface Stage {
  troupe: Troupe;
  site: Site;
  /** The site's login page. The roles `member-…` know it. */
  loginUrl: string;
  /** `role` is the role of its calls. `address` is for another daemon than the stage's own. */
  agent(options?: { role?: string; profile?: Profile; address?: string }): Promise<StageAgent>;
  /** Returns the agent with little time for its next call. */
  inHaste(agent: StageAgent): Promise<Caller>;
  /** Resolves with a ready role whose worker and browser no other fault uses, and an agent in it. */
  ownRole(): Promise<{ role: string; agent: StageAgent }>;
  /** Returns a role that is attached to a browser at this port. None runs there yet. */
  attachedRole(): AttachedRole;
  /** Closes an object at the fault's end. */
  use<T extends AsyncDisposable | Disposable>(opened: T): T;
  defer(close: () => void | Promise<void>): void;
  /** Returns an address that counts the page's requests, for pages that report an action. */
  beacon(): Beacon;
}

export interface AttachedRole {
  role: string;
  port: number;
}

/** Records reports of pages. */
export interface Beacon {
  url: string;
  /** A script that sends a report. */
  tell: string;
  /** Returns true if exactly one report came. */
  toldOnce(): boolean;
  /** Returns true if no report came. */
  untold(): boolean;
}

/** A daemon and a site, with a stage for each fault. */
export interface FaultHarness extends AsyncDisposable {
  /** The paths that the agents themselves have named. */
  own: readonly string[];
  /** Plays a fault on a stage of its own, which is cleared at the end. */
  play<T>(scene: (stage: Stage) => Promise<T>): Promise<T>;
}

/** The most faults that need a role of their own. */
const OWN_ROLES = 36;
/** The most faults that need a role with an attached browser. */
const ATTACHED_ROLES = 3;
const READY_MS_MAX = 60_000;
/** The timeout in milliseconds of a call that must run out of time. */
const HASTE_MS = 10_000;

export async function openFaultHarness(): Promise<FaultHarness> {
  await using open = new AsyncDisposableStack();
  const site = open.use(await serveSite());
  const loginUrl = site.page("<title>Log in</title><h1>Log in</h1>");
  const own = Array.from({ length: OWN_ROLES }, (_, index) => `own-${index + 1}`);
  const attached = await Promise.all(
    Array.from({ length: ATTACHED_ROLES }, async (_, index) => ({
      role: `attached-${index + 1}`,
      port: await freePort(),
    })),
  );
  const troupe = open.use(
    await startTroupe({
      settings: { limits: { queueWait: "300ms" } },
      roles: {
        site: { startUrl: site.page("<title>Start</title><h1>Start</h1>"), sessions: 50 },
        ...Object.fromEntries(own.map((name) => [name, {}])),
        ...Object.fromEntries(
          attached.map(({ role, port }) => [role, { browser: { connect: `http://127.0.0.1:${port}` } }]),
        ),
        walled: { startUrl: `${site.origin}/`, allow: [site.origin] },
        narrow: { sessions: 1 },
        asking: { approve: [`submit:${site.origin}/*`], sessions: 50 },
        debugged: { debugger: true, sessions: 50 },
        // One for each fault, because the role reads its file at the start.
        ...Object.fromEntries(
          ["member-fresh", "member-stale"].map((name) => [
            name,
            { auth: `auth/${name}.json`, authCheck: { loginUrl }, startUrl: `${site.origin}/` },
          ]),
        ),
        "login-lost": { auth: "auth/lost.json", authRequired: true },
        "browser-brittle": { browser: { executable: "browser-brittle" } },
        "browser-lost": { browser: { executable: "no-such-browser" } },
      },
    }),
  );
  await warm(troupe, site);
  const parts = open.move();
  return {
    own: [troupe.address],
    play: (scene) => play(scene, { site, troupe, own, attached, loginUrl }),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** A browser's first start may take longer than a call, beside other tests. */
async function warm(troupe: Troupe, site: Site): Promise<void> {
  const agent = await stageAgent(troupe.address, "site", "core", site);
  await isReady(troupe, agent);
  await agent.end();
}

/** Resolves when the agent's role takes calls. The first one starts it. */
async function isReady({ address }: Troupe, { role, call }: StageAgent): Promise<void> {
  const client = testClient(address);
  try {
    await call("browser_snapshot");
    await reaches(client, role, "ROLE_STATE_READY", READY_MS_MAX);
  } finally {
    client.close();
  }
}

async function play<T>(
  scene: (stage: Stage) => Promise<T>,
  { site, troupe, own, attached, loginUrl }: SceneParts,
): Promise<T> {
  await using opened = new AsyncDisposableStack();
  const enter: Stage["agent"] = async ({
    role = "site",
    profile = "core",
    address = troupe.address,
  } = {}) => {
    const agent = await stageAgent(address, role, profile, site);
    opened.defer(agent.end);
    return agent;
  };
  return await scene({
    troupe,
    site,
    loginUrl,
    agent: enter,
    inHaste: async (agent) => {
      const hasty = await stageAgent(troupe.address, agent.role, "core", site, agent.session);
      opened.defer(hasty.end);
      let isFirst = true;
      const next = () => {
        const chosen = isFirst ? hasty : agent;
        isFirst = false;
        return chosen;
      };
      return { call: (tool, args) => next().call(tool, args) };
    },
    ownRole: async () => {
      const role = own.shift();
      if (!role) throw new Error("more faults want a role of their own than there are");
      const agent = await enter({ role });
      await isReady(troupe, agent);
      return { role, agent };
    },
    attachedRole: () => {
      const found = attached.shift();
      if (!found) throw new Error("more faults want an attached role than there are");
      return found;
    },
    beacon: () => beaconOn(site),
    use: (part) => opened.use(part),
    defer: (close) => opened.defer(close),
  });
}

interface SceneParts {
  site: Site;
  troupe: Troupe;
  own: string[];
  attached: AttachedRole[];
  loginUrl: string;
}

function beaconOn(site: Site): Beacon {
  const url = site.page("heard");
  return {
    url,
    tell: `fetch('${url}')`,
    toldOnce: () => site.count(url) === 1,
    untold: () => site.count(url) === 0,
  };
}

/** `inHaste` is the session of another agent, for calls with little time. */
async function stageAgent(
  address: string,
  role: string,
  profile: Profile,
  site: Site,
  inHaste?: string,
): Promise<StageAgent> {
  const session = inHaste ?? randomUUID();
  const haste = inHaste === undefined ? { own: true } : { deadlineMs: HASTE_MS };
  const mcp = await McpSession.start(address, { id: session, profile, role, ...haste });
  const call = async (tool: string, args: JsonObject = {}): Promise<Heard> => {
    const { content, isError, _meta } = await mcp.call(tool, args);
    const texts = content.map((each) => (each.type === "text" ? each.text : ""));
    const error = _meta?.["troupe.v1/error"] as Heard["error"];
    return { text: texts.join("\n"), isError: isError === true, error };
  };
  const text = async (tool: string, args: JsonObject = {}) => {
    const reply = await call(tool, args);
    if (reply.isError) throw new Error(`${tool} failed:\n${reply.text}`);
    return reply.text;
  };
  return {
    session,
    role,
    call,
    text,
    open: (html) => text("browser_navigate", { url: site.page(html) }),
    end: () => mcp[Symbol.asyncDispose](),
  };
}
