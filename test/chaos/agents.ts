// Thirty agents over one MCP connection, in turn with thirty connections: whose pages they see, and how fast.
import path from "node:path";
import { type Era, mcpUrl } from "../daemon/http/mcp/mcp-url.ts";
import { replyOf, startTroupe, type Troupe } from "../harness/troupe.ts";
import { serveSite } from "../site/serve.ts";
import { CrewMember, type CrewSettings, workTogether } from "./scenario/crew.ts";
import type { Figure } from "./scenario/figures.ts";
import type { Scenario } from "./scenario/scenario.ts";
import { ROLES } from "./scenario/stage.ts";
import { type TokenSite, tokenSite } from "./scenario/token-site.ts";

const EACH = 10;
const CALLS = 10_000;
/** The two crews work in turns, so that both meet the same machine. */
const ROUNDS_A_TURN = 4;
/** The crew of many connections, which is there for comparison alone, takes one turn in so many. */
const TURNS_PER_COMPARISON = 3;
const SHARE_MIN = 0.9;

type Connection = CrewSettings["connection"] & AsyncDisposable;

/** The doors for MCP clients, each with a new connection of that name. */
const DOORS: Readonly<Record<string, (troupe: Troupe, name: string) => Promise<Connection>>> = {
  stdio: (troupe) => troupe.agent(),
  "the URL until 2025": (troupe, name) => byUrl(troupe, "older", name),
  "the URL since 2026": (troupe, name) => byUrl(troupe, "newer", name),
};

async function byUrl({ http, stateDir }: Troupe, era: Era, name: string): Promise<Connection> {
  const client = await mcpUrl(http, path.join(stateDir, "token")).connect(era, { name });
  return {
    call: async (tool, args) => replyOf(await client.call(tool, args)),
    async [Symbol.asyncDispose]() {
      await client.terminate();
      await client[Symbol.asyncDispose]();
    },
  };
}

interface Crew {
  members: readonly CrewMember[];
  ms: number;
  calls: number;
}

export const agents: Scenario = {
  name: "agents",
  about: `${EACH * ROLES.length} agents over one MCP connection, beside as many connections`,
  async *play({ say, part = "", interrupted }) {
    await using site = await serveSite();
    await using troupe = await startTroupe({
      roles: Object.fromEntries(ROLES.map((role) => [role, { eager: true, sessions: 2 * EACH + 2 }])),
    });
    // The program ends at once, and its daemon must not outlive it.
    interrupted.addEventListener("abort", () => troupe.daemon.kill("SIGKILL"), { once: true });
    const pages = tokenSite(site);
    for (const [door, connect] of Object.entries(DOORS)) {
      const title = `${CALLS} interleaved calls over ${door}`;
      if (!title.includes(part)) continue;
      say(`${title}: the crews begin…`);
      await using open = new AsyncDisposableStack();
      const opened = async (name: string) => open.use(await connect(troupe, name));
      const connection = await opened("shared");
      const shared = await crewOf("shared", pages, () => Promise.resolve(connection), true);
      const apart = await crewOf("apart", pages, opened, false);
      for (let turn = 0; callsOf(shared) < CALLS; turn++) {
        await takeTurn(shared);
        if (turn % TURNS_PER_COMPARISON === 1) await takeTurn(apart);
        say(`${callsOf(shared)} calls over one connection, ${callsOf(apart)} over ${EACH * ROLES.length}`);
      }
      yield { title, figures: figuresOf(shared, apart) };
    }
  },
};

async function crewOf(
  kind: string,
  site: TokenSite,
  connect: (name: string) => Promise<Connection>,
  isNamed: boolean,
): Promise<Crew> {
  const members: CrewMember[] = [];
  for (const role of ROLES)
    for (let index = 0; index < EACH; index++) {
      const name = `${kind}_${role}_${index}`;
      members.push(new CrewMember({ connection: await connect(name), role, name, isNamed, site }));
    }
  // The first page of a session costs more than any later one, so they open one after another.
  for (const member of members) {
    await member.begin();
    await member.round();
  }
  return { members, ms: 0, calls: 0 };
}

async function takeTurn(crew: Crew): Promise<void> {
  const before = callsOf(crew);
  crew.ms += await workTogether(crew.members, ROUNDS_A_TURN);
  crew.calls += callsOf(crew) - before;
}

function callsOf({ members }: Crew): number {
  return members.reduce((sum, { calls }) => sum + calls, 0);
}

function figuresOf(shared: Crew, apart: Crew): Figure[] {
  const both = [...shared.members, ...apart.members];
  const [wrong, errors] = [both.flatMap((member) => member.wrong), both.flatMap((member) => member.errors)];
  const rate = ({ calls, ms }: Crew) => (calls / ms) * 1000;
  return [
    { name: "agents over one connection", value: shared.members.length },
    { name: "calls over one connection", value: callsOf(shared), bar: { least: CALLS } },
    { name: "calls over as many connections", value: callsOf(apart) },
    {
      name: "replies from a wrong page",
      value: wrong.length,
      bar: { most: 0 },
      ...(wrong[0] && { note: wrong[0].slice(0, 300) }),
    },
    {
      name: "errors",
      value: errors.length,
      bar: { most: 0 },
      ...(errors[0] && { note: errors[0].slice(0, 300) }),
    },
    { name: "calls a second over one connection", value: rate(shared) },
    { name: "calls a second over as many connections", value: rate(apart) },
    { name: "share of their throughput", value: rate(shared) / rate(apart), bar: { least: SHARE_MIN } },
  ];
}
