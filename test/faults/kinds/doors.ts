// The same faults at every other door: the shim's process over stdio, the command line, the typed session over gRPC.
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { parseAddress } from "../../../client/connection/address.ts";
import { CallError } from "../../../client/connection/call-error.ts";
import { credentialsOf } from "../../../client/connection/credentials.ts";
import { DaemonLink } from "../../../client/connection/daemon-link.ts";
import { Session } from "../../../client/session/session.ts";
import { stateFiles } from "../../../proto/machine/locations.ts";
import { planText } from "../../../proto/plans/plan-text.ts";
import { testDaemon } from "../../harness/daemon.ts";
import { sha256 } from "../../harness/tokens.ts";
import { refOf } from "../../harness/troupe.ts";
import type { Fault, Situation } from "../stage/fault.ts";
import type { Stage } from "../stage/fault-harness.ts";
import type { Caller, Heard } from "../stage/literal-agent.ts";

const CLI = fileURLToPath(new URL("../../../client/cli.ts", import.meta.url));
const run = promisify(execFile);
/** A session closes once its last call has ended, which takes a while on a busy machine. */
const CLOSE_MS_MAX = 30_000;

/** The way that an agent connects. */
type Door = (stage: Stage) => Promise<Pick<Situation, "agent" | "profile">>;

const stdio: Door = async (stage) => ({ agent: await stage.troupe.agent("--role", "site") });

const commandLine: Door = async ({ troupe }) => {
  const session = randomUUID();
  const agent: Caller = {
    call: async (tool, args = {}) => {
      const { role = "site", ...others } = args;
      const words = ["call", tool, JSON.stringify(others), "--role", String(role), "--session", session];
      const ended = run(process.execPath, [CLI, ...words, "--address", troupe.address, "--json"]);
      const { stdout } = await ended.catch((failed: { stdout: string }) => failed);
      const { success, text, error } = JSON.parse(stdout);
      return { text, isError: !success, error };
    },
  };
  // A person has every tool.
  return { agent, profile: "debug" };
};

const http: Door = async ({ troupe }) => {
  const token = (await readFile(path.join(troupe.stateDir, "token"), "utf8")).trim();
  const session = randomUUID();
  const agent: Caller = {
    call: async (tool, args = {}) => {
      const { role = "site", ...others } = args;
      const answer = await fetch(`${troupe.http}/v1/tools/${tool}`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          "x-troupe-session": session,
          "x-troupe-role": String(role),
        },
        body: JSON.stringify(others),
      });
      const { success, text, error } = (await answer.json()) as Omit<Heard, "isError"> & {
        success?: boolean;
      };
      return { text, isError: success !== true, error };
    },
  };
  return { agent };
};

const typed: Door = async (stage) => ({ agent: typedAgent(stage) });

/** `signal` cancels its calls. `address` and `token` are for another daemon than the stage's own. */
function typedAgent(
  stage: Stage,
  signal?: AbortSignal,
  { address = stage.troupe.address, token }: { address?: string; token?: string } = {},
): Caller {
  const files = stateFiles({ cwd: "/", env: {} });
  const access = credentialsOf({ token }, {}, "/");
  const link = new DaemonLink({ addresses: () => [parseAddress(address, "/", files)], access });
  const session = new Session({ link, id: randomUUID(), profile: "core", role: "site", own: true });
  stage.defer(async () => {
    await session.close(AbortSignal.timeout(CLOSE_MS_MAX));
    link.close();
  });
  return {
    call: async (tool, args = {}): Promise<Heard> => {
      try {
        return { text: (await session.call(tool, args, signal)).text, isError: false, error: undefined };
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        return { text: planText(error.detail), isError: true, error: error.detail };
      }
    },
  };
}

export const doors: Fault[] = [
  ...Object.entries({
    "the shim's stdio": stdio,
    "the command line": commandLine,
    "the REST door": http,
    "the typed session": typed,
  }).flatMap(([name, door]) => [staleAt(name, door), misspeltAt(name, door)]),
  {
    name: "a call that its caller gives up",
    type: "CANCELLED",
    recovers: "no",
    async arrange(stage) {
      const held = stage.site.hold();
      const given = new AbortController();
      void held.asked().then(() => given.abort());
      const agent = typedAgent(stage, given.signal);
      return { agent, tool: "browser_navigate", args: { url: held.url } };
    },
  },
  {
    name: "a token that the daemon does not know",
    type: "UNAUTHENTICATED",
    recovers: "no",
    arrange: (stage) => asClient(stage, "another-token", "site"),
  },
  {
    name: "a role that the token is not for",
    type: "PERMISSION_DENIED",
    recovers: "no",
    arrange: (stage) => asClient(stage, "a-token", "office"),
  },
];

/** A daemon with one token, and a client of it. */
async function asClient(stage: Stage, token: string, role: string): Promise<Situation> {
  const digest = sha256("a-token");
  const { daemon } = stage.use(
    await testDaemon({
      listen: ["127.0.0.1:0"],
      tokens: [{ name: "ci", sha256: digest, roles: ["site"] }],
      roles: { site: {}, office: {} },
    }),
  );
  const agent = typedAgent(stage, undefined, { address: daemon.addresses[0] ?? "", token });
  return { agent, tool: "browser_navigate", args: { url: "http://shop.example/", role } };
}

function staleAt(name: string, door: Door): Fault {
  return {
    name: `at ${name}: a button that the page has rendered anew`,
    type: "STALE_REF",
    recovers: "yes",
    async arrange(stage) {
      const { agent, profile } = await door(stage);
      const saved = stage.beacon();
      const html = `<div id=box><button onclick="${saved.tell}">Save</button></div>
        <button onclick="box.innerHTML = box.innerHTML">Render</button>`;
      const page = await agent.call("browser_navigate", { url: stage.site.page(html) });
      await agent.call("browser_click", { ref: refOf(page.text, "button", "Render") });
      const args = { ref: refOf(page.text, "button", "Save") };
      return { agent, profile, tool: "browser_click", args, reached: saved.toldOnce };
    },
  };
}

function misspeltAt(name: string, door: Door): Fault {
  return {
    name: `at ${name}: an argument's name is misspelt`,
    type: "INVALID_ARGUMENT",
    recovers: "yes",
    async arrange(stage) {
      const { agent, profile } = await door(stage);
      const url = stage.site.page("<h1>Here</h1>");
      return {
        agent,
        profile,
        tool: "browser_navigate",
        args: { urll: url },
        reached: () => stage.site.count(url) === 1,
      };
    },
  };
}
