// Measures the memory and the processor time of a real daemon: its parts, a session in each state, and a call.
import { once } from "node:events";
import { statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { testClient } from "../../harness/daemon.ts";
import { cpuSeconds, pssMiB } from "../../harness/proc.ts";
import { startTroupe, type Troupe } from "../../harness/troupe.ts";
import { until } from "../../harness/within.ts";
import { listHtml } from "../pages/list-page.ts";
import { elapsed } from "./elapsed.ts";

/** A value for the daemon, the role's worker, and its browser. */
export interface Parts {
  daemon: number;
  worker: number;
  browser: number;
}

export interface Footprint {
  /** MiB of the daemon before its first role starts. */
  daemonMiB: number;
  /** MiB of a role without sessions. */
  roleMiB: Parts;
  /** MiB that each awake session adds, by its page's rows. */
  awakeMiB: Record<PageRows, Parts>;
  /** Milliseconds of processor time in a second of an unused awake session, before and after its freeze. */
  idleMs: { awake: number; frozen: number };
  /** A session at rest: KiB in the daemon's memory and in its store, and milliseconds of processor time in a second. */
  resting: { memoryKiB: number; storeKiB: number; idleMs: number };
  /** Milliseconds of processor time of each call. */
  callMs: Record<CallName, Parts>;
}

export const PAGE_ROWS = [10, 1250] as const;
export type PageRows = (typeof PAGE_ROWS)[number];
export const CALL_NAMES = ["look", "click", "navigate", "begin", "wake"] as const;
export type CallName = (typeof CALL_NAMES)[number];

const AWAKE = 8;
const RESTING = 100;
const CALLS = 100;
const WATCHED_S = 20;
const DEADLINE_MS = 60_000;
/** Chrome gives memory back, and Node compiles, for a while after work. */
const CALM_MS = 5_000;
/** The browser collects the garbage of its pages for almost a minute after the last call. */
const UNUSED_MS = 60_000;
const FREEZE_MS = 2_000;

type Client = ReturnType<typeof testClient>;

export async function measureFootprint(): Promise<Footprint> {
  await using site = await servePages();
  const { daemonMiB, roleMiB } = await ofParts(site.url);
  const small = await ofAwake(`${site.url}/10`, { sessions: AWAKE });
  const large = await ofAwake(`${site.url}/1250`, { sessions: AWAKE });
  const frozen = await ofFrozen(site.url);
  const { resting, begin, wake } = await ofResting(site.url);
  const callMs = { ...(await ofCalls(site.url)), begin, wake };
  return {
    daemonMiB,
    roleMiB,
    awakeMiB: { 10: small.added, 1250: large.added },
    idleMs: { awake: total(small.idleMs) / AWAKE, frozen },
    resting,
    callMs,
  };
}

async function ofParts(url: string) {
  await using troupe = await started({});
  await elapsed(CALM_MS);
  const daemonMiB = memoryOf(troupe).daemon;
  const client = testClient(troupe.address);
  await open(client, `${url}/10`, "first");
  await client.ask("CloseSession", { session: "first" });
  await elapsed(CALM_MS);
  client.close();
  return { daemonMiB, roleMiB: memoryOf(troupe) };
}

export interface Awake {
  /** MiB that each session after the first adds. */
  added: Parts;
  /** MiB with all sessions. */
  all: Parts;
  /** Milliseconds of processor time in a second, of all sessions together, none of which is used. */
  idleMs: Parts;
}

/** Measures sessions that all show one page. `browser`, `cli`: the programs; without them, the usual ones. */
export async function ofAwake(
  url: string,
  { sessions, ...programs }: { sessions: number } & Programs,
): Promise<Awake> {
  const role = { sessions, freezeAfter: "never", hibernateAfter: "never" };
  await using troupe = await started(role, programs);
  const client = testClient(troupe.address);
  await open(client, url, "s0");
  await elapsed(CALM_MS);
  const before = memoryOf(troupe);
  for (let each = 1; each < sessions; each++) await open(client, url, `s${each}`);
  await elapsed(CALM_MS);
  const all = memoryOf(troupe);
  const added = divided(difference(all, before), sessions - 1);
  await elapsed(UNUSED_MS);
  const idleMs = divided(await timeDuring(troupe, () => elapsed(WATCHED_S * 1000)), WATCHED_S);
  client.close();
  return { added, all, idleMs };
}

async function ofFrozen(url: string): Promise<number> {
  await using troupe = await started({
    sessions: AWAKE,
    freezeAfter: `${FREEZE_MS / 1000}s`,
    hibernateAfter: "never",
  });
  const client = testClient(troupe.address);
  for (let each = 0; each < AWAKE; each++) await open(client, `${url}/10`, `s${each}`);
  await elapsed(FREEZE_MS + CALM_MS);
  const idle = await timeDuring(troupe, () => elapsed(WATCHED_S * 1000));
  client.close();
  return total(idle) / AWAKE / WATCHED_S;
}

async function ofResting(url: string) {
  await using troupe = await started({ sessions: AWAKE, hibernateAfter: "1s" });
  const client = testClient(troupe.address);
  const ids = Array.from({ length: RESTING }, (_, index) => `s${index}`);
  await open(client, `${url}/10`, "first");
  await rested(troupe, 1);
  const before = memoryOf(troupe).daemon;
  const bytesBefore = storeBytes(troupe);
  const begin = await timeDuring(troupe, async () => {
    for (const id of ids) await open(client, `${url}/10`, id);
    await rested(troupe, RESTING + 1);
  });
  await elapsed(CALM_MS);
  const memoryKiB = ((memoryOf(troupe).daemon - before) * 1024) / RESTING;
  const storeKiB = (storeBytes(troupe) - bytesBefore) / 1024 / RESTING;
  const idle = await timeDuring(troupe, () => elapsed(WATCHED_S * 1000));
  const wake = await timeDuring(troupe, async () => {
    for (const id of ids) await look(client, id);
    await rested(troupe, RESTING + 1);
  });
  client.close();
  return {
    resting: { memoryKiB, storeKiB, idleMs: total(idle) / RESTING / WATCHED_S },
    begin: divided(begin, RESTING),
    wake: divided(wake, RESTING),
  };
}

async function ofCalls(url: string): Promise<Record<"look" | "click" | "navigate", Parts>> {
  await using troupe = await started({});
  const client = testClient(troupe.address);
  const text = await open(client, `${url}/125`, "s0");
  const ref = /checkbox "Select 0" \[ref=(\w+)\]/.exec(text)?.[1] ?? "";
  const calls: Record<"look" | "click" | "navigate", (round: number) => Promise<unknown>> = {
    look: () => look(client, "s0"),
    click: () => asked(client.tool("Click", { ref }, GIVEN)),
    navigate: (round) => open(client, `${url}/125?${round}`, "s0"),
  };
  const callMs: Partial<Record<CallName, Parts>> = {};
  for (const [name, call] of Object.entries(calls) as [
    keyof typeof calls,
    (round: number) => Promise<unknown>,
  ][]) {
    // The first calls compile.
    for (let round = 0; round < CALLS / 4; round++) await call(-round);
    const time = await timeDuring(troupe, async () => {
      for (let round = 0; round < CALLS; round++) await call(round);
    });
    callMs[name] = divided(time, CALLS);
  }
  client.close();
  return callMs as Record<"look" | "click" | "navigate", Parts>;
}

const GIVEN = { session: "s0", role: "measured", deadlineMs: DEADLINE_MS };

async function open(client: Client, url: string, session: string): Promise<string> {
  const { text } = await asked(client.tool("Navigate", { url }, { ...GIVEN, session }));
  return text;
}

function look(client: Client, session: string): Promise<unknown> {
  return asked(client.tool("Find", { text: "Catalogue" }, { ...GIVEN, session }));
}

async function asked<T>(reply: Promise<{ ok?: T; status?: Error }>): Promise<T> {
  const { ok, status } = await reply;
  if (!ok) throw status ?? new Error("no reply");
  return ok;
}

interface Programs {
  browser?: string;
  cli?: string;
}

function started(role: object, { browser, cli }: Programs = {}): Promise<Troupe> {
  const env = browser === undefined ? {} : { TROUPE_BROWSER: browser };
  return startTroupe({ roles: { measured: { memory: "8GiB", ...role } }, env, ...(cli && { cli }) });
}

/** Resolves when so many sessions are at rest. */
async function rested(troupe: Troupe, count: number): Promise<void> {
  const isRested = async () => {
    const text = await (await fetch(`${troupe.http}/metrics`)).text();
    return text.includes(`troupe_sessions{role="measured",state="resting"} ${count}\n`);
  };
  await until(isRested, `${count} sessions at rest`, DEADLINE_MS);
}

function storeBytes({ stateDir }: Troupe): number {
  return ["sessions.db", "sessions.db-wal"]
    .map((name) => statSync(path.join(stateDir, name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, each) => sum + each, 0);
}

/** Returns the MiB of the parts now. */
export function memoryOf(troupe: Troupe): Parts {
  return summed(troupe, pssMiB);
}

/** Returns the milliseconds of processor time that the parts take meanwhile. */
export async function timeDuring(troupe: Troupe, work: () => Promise<unknown>): Promise<Parts> {
  const before = summed(troupe, cpuSeconds);
  await work();
  return divided(difference(summed(troupe, cpuSeconds), before), 1 / 1000);
}

/** The browser is all that the worker has started. */
function summed(troupe: Troupe, measure: (pid: number) => number): Parts {
  const parts: Parts = { daemon: 0, worker: 0, browser: 0 };
  for (const { pid, command } of troupe.processes()) {
    const isWorker = /worker\/main\.[jt]s/.test(command);
    const name = pid === troupe.daemon.pid ? "daemon" : isWorker ? "worker" : "browser";
    parts[name] += measure(pid);
  }
  return parts;
}

function difference(after: Parts, before: Parts): Parts {
  return {
    daemon: after.daemon - before.daemon,
    worker: after.worker - before.worker,
    browser: after.browser - before.browser,
  };
}

function divided({ daemon, worker, browser }: Parts, by: number): Parts {
  return { daemon: daemon / by, worker: worker / by, browser: browser / by };
}

export function total({ daemon, worker, browser }: Parts): number {
  return daemon + worker + browser;
}

/** Serves lists by their number of rows, such as /10. */
export async function servePages() {
  const server = createServer((request, response) => {
    const rows = Number(/\d+/.exec(request.url ?? "")?.[0] ?? 10);
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.setHeader("set-cookie", `visit=${"x".repeat(100)}`);
    response.end(listHtml(rows, 0, "<script>localStorage.setItem('seen', 'x'.repeat(1000))</script>"));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
