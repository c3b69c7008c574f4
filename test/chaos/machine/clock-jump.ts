// Sets the machine's clock forward by hours and back again, while a daemon and workers work.
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { testClient } from "../../harness/daemon.ts";
import { tempDir } from "../../harness/temp-dir.ts";
import { sha256 } from "../../harness/tokens.ts";
import { within } from "../../harness/within.ts";
import { Agent } from "../scenario/agent.ts";
import { Bystander } from "../scenario/bystander.ts";
import type { Figure } from "../scenario/figures.ts";
import { type OwnDaemon, startOwnDaemon } from "../scenario/own-daemon.ts";

const HOUR_MS = 3_600_000;
const FORWARD_MS = 6 * HOUR_MS;
const IDLE_S = 30;
/** The largest error of a call's end in the journal. */
const TELLS_MS_MAX = 60_000;
const OPEN = "http://a.test/";
const TOKEN = "a-token-that-ends-in-an-hour";

export async function clockJump(interrupted: AbortSignal): Promise<Figure[]> {
  await using open = new AsyncDisposableStack();
  const { dir } = open.use(tempDir());
  const file = path.join(dir, "shift");
  const set = (shiftMs: number) => writeFile(file, String(shiftMs));
  await set(0);
  const preload = new URL(`shifted-clock.ts?file=${encodeURIComponent(file)}`, import.meta.url);
  const env = { NODE_OPTIONS: `--import ${preload.href}` };
  const daemon = open.use(await startOwnDaemon("standIn", configFor(Date.now()), interrupted, { dir, env }));
  const control = testClient(daemon.address);
  open.defer(() => control.close());
  const other = open.use(new Bystander({ address: daemon.address, role: "green", url: OPEN }));
  const lives = async (id: string) =>
    (await control.ask("ListSessions", {})).ok?.sessions.some((session) => session.id === id) === true;
  /** Begins a session that is used once, now. */
  const begin = async (name: string) => {
    const agent = open.use(new Agent({ address: daemon.address, role: "red", name }));
    for (let call = 0; call < 2; call++) await agent.call("browser_navigate", { url: OPEN });
    return performance.now();
  };
  const restartsBefore = await restarts(control);
  const tokens = [await mayEnter(daemon)];
  // The alarm for ends is set for the first session. The others are not yet due at that time.
  await begin("first");
  await seconds(IDLE_S / 2);
  await begin("early");
  await set(FORWARD_MS);
  const isAhead = await within(10_000, () => tells(control, FORWARD_MS));
  tokens.push(await mayEnter(daemon));
  await seconds(IDLE_S / 2 + 5);
  const early = await lives("early");
  const beganMs = await begin("late");
  await set(0);
  const isBack = await within(10_000, () => tells(control, 0));
  tokens.push(await mayEnter(daemon));
  const ended = await within((IDLE_S + 15) * 1000, async () => !(await lives("late")));
  const lastedS = ended ? (performance.now() - beganMs) / 1000 : Number.NaN;
  const durations = (await control.ask("ListCalls", { limit: 10_000 })).ok?.calls ?? [];
  const odd = durations.filter(({ durationMs }) => durationMs < 0 || durationMs > TELLS_MS_MAX);
  return [
    ...other.figures(),
    { name: "sessions lost before their time", value: early ? 0 : 1, bar: { most: 0 } },
    {
      name: "a session of 30 s ends after the clock went back",
      value: lastedS,
      unit: "s",
      bar: { most: IDLE_S + 10 },
    },
    { name: "  and not before", value: lastedS, unit: "s", bar: { least: IDLE_S - 1 } },
    {
      name: "workers that were started again",
      value: (await restarts(control)) - restartsBefore,
      bar: { most: 0 },
    },
    { name: "dates follow the clock", value: Number(isAhead) + Number(isBack), bar: { least: 2 } },
    {
      name: "a token's end is right: let in, not, let in again",
      value: tokens.join() === "200,401,200" ? 1 : 0,
      bar: { least: 1 },
      note: tokens.join(", "),
    },
    { name: "calls of an impossible length", value: odd.length, bar: { most: 0 } },
  ];
}

/** A configuration with a token that ends in an hour. */
function configFor(nowMs: number): object {
  return {
    http: "127.0.0.1:0",
    limits: { sessionIdle: `${IDLE_S}s` },
    tokens: [
      {
        name: "hourly",
        sha256: sha256(TOKEN),
        roles: ["red"],
        notAfter: new Date(nowMs + HOUR_MS).toISOString(),
      },
    ],
    roles: { red: { eager: true }, green: { eager: true } },
  };
}

/** Returns the status of a request at the HTTP door. */
async function mayEnter({ http }: OwnDaemon): Promise<number> {
  const { status } = await fetch(`${http}/v1/tools`, { headers: { authorization: `Bearer ${TOKEN}` } });
  return status;
}

type Control = ReturnType<typeof testClient>;

/** Returns true if the journal's newest call has a time of the shifted clock. */
async function tells(control: Control, shiftMs: number): Promise<boolean> {
  const { ok } = await control.ask("ListCalls", { limit: 1 });
  const seconds = Number(ok?.calls.at(-1)?.at?.seconds ?? 0);
  return Math.abs(seconds * 1000 - (Date.now() + shiftMs)) < TELLS_MS_MAX;
}

async function restarts(control: Control): Promise<number> {
  const { ok } = await control.ask("ListRoles", {});
  return ok?.roles.reduce((sum, role) => sum + role.restarts, 0) ?? Number.NaN;
}

/** No event marks the end of this time, so the test waits for it. */
async function seconds(many: number): Promise<void> {
  await once(AbortSignal.timeout(many * 1000), "abort");
}
