// A role whose browser dies at each start: it is given up, tried again at times, and works once it is repaired.
import { chmod, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { findBrowser } from "../../../worker/chrome/find-browser.ts";
import { testClient } from "../../harness/daemon.ts";
import { tempDir } from "../../harness/temp-dir.ts";
import { within } from "../../harness/within.ts";
import { serveSite } from "../../site/serve.ts";
import { Agent, typesOf } from "../scenario/agent.ts";
import { Bystander } from "../scenario/bystander.ts";
import type { Figure } from "../scenario/figures.ts";
import { startOwnDaemon } from "../scenario/own-daemon.ts";
import { ProcessAudit } from "../scenario/process-audit.ts";

/** The period is long, so that the deaths count as a row even on a slow machine. */
const RESTART = { max: 5, within: "10m" };
/** The waits between the starts are 0.25 s to 4 s. */
const GIVEN_UP_MS_MAX = 150_000;
/** The first try of a role that was given up comes within 30 s. */
const WELL_MS_MAX = 45_000;
/** Calls do not wait for a role that was given up. */
const REFUSED_MS_MAX = 1000;
const CALLS = 20;

export async function crashLoop(interrupted: AbortSignal): Promise<Figure[]> {
  await using open = new AsyncDisposableStack();
  const { dir } = open.use(tempDir());
  const browser = await brittleBrowser(dir);
  const site = open.use(await serveSite());
  const url = site.page("<title>Served</title><h1>Served</h1>");
  const roles = { red: { browser: { executable: browser.executable } }, green: { eager: true } };
  const daemon = open.use(await startOwnDaemon("real", { roles, restart: RESTART }, interrupted));
  const audit = new ProcessAudit();
  const control = testClient(daemon.address);
  open.defer(() => control.close());
  const state = async () => (await control.ask("GetRole", { name: "red" })).ok?.role?.state;
  const other = open.use(new Bystander({ address: daemon.address, role: "green", url }));
  const agent = open.use(new Agent({ address: daemon.address, role: "red", name: "unlucky" }));
  const beganMs = performance.now();
  const isGivenUp = async () => {
    audit.look(daemon.pid);
    if ((await state()) === "ROLE_STATE_FAILED") return true;
    await agent.call("browser_navigate", { url });
    return false;
  };
  await within(GIVEN_UP_MS_MAX, isGivenUp);
  const givenUpMs = performance.now() - beganMs;
  const starts = await browser.starts();
  const before = agent.outcomes.length;
  for (let call = 0; call < CALLS; call++) await agent.call("browser_navigate", { url });
  const refused = agent.outcomes.slice(before);
  const refusedMs = refused.map((each) => each.endedMs - each.beganMs).sort((one, two) => one - two);
  const startsMeanwhile = (await browser.starts()) - starts;
  await browser.mend();
  const mendedMs = performance.now();
  const isWell = async () => (await agent.call("browser_navigate", { url })).answer === "ok";
  const well = await within(WELL_MS_MAX, isWell);
  const wellMs = performance.now() - mendedMs;
  const left = await audit.leftOver(daemon.pid);
  const odd = agent.outcomes.filter(({ type, answer }) => answer !== "ok" && type !== "WORKER_UNAVAILABLE");
  return [
    ...other.figures(),
    { name: "given up after", value: givenUpMs, unit: "ms", bar: { most: GIVEN_UP_MS_MAX } },
    { name: "starts until then", value: starts, bar: { most: RESTART.max + 1 } },
    {
      name: "calls refused while it is given up",
      value: refused.filter(({ type }) => type === "WORKER_UNAVAILABLE").length,
      bar: { least: CALLS },
    },
    {
      name: "  half of them within",
      value: refusedMs[CALLS / 2] ?? Number.NaN,
      unit: "ms",
      bar: { most: REFUSED_MS_MAX },
    },
    { name: "  starts that they caused", value: startsMeanwhile, bar: { most: 1 } },
    { name: "other errors of the role's calls", value: odd.length, bar: { most: 0 }, note: typesOf(odd) },
    {
      name: "well by itself after it was mended",
      value: well ? wellMs : Number.NaN,
      unit: "ms",
      bar: { most: WELL_MS_MAX },
    },
    { name: "orphans", value: left.orphans.length, bar: { most: 0 } },
    { name: "zombies", value: left.zombies.length, bar: { most: 0 } },
  ];
}

/** A browser that can print its version and dies at each start, until it is repaired. It counts its starts. */
async function brittleBrowser(dir: string) {
  const { executable, env = {} } = await findBrowser({ env: process.env });
  const [own, mended, starts] = ["browser", "mended", "starts"].map((name) => path.join(dir, name)) as [
    string,
    string,
    string,
  ];
  const whole = `exec '${executable}' "$@"`;
  const lines = [
    "#!/bin/sh",
    ...Object.entries(env).map(([name, value]) => `export ${name}='${value}'`),
    `[ "$1" = --version ] && ${whole}`,
    `echo start >> '${starts}'`,
    `[ -e '${mended}' ] || exit 1`,
    whole,
  ];
  // If the daemon runs as root, another user runs the browser.
  await chmod(dir, 0o755);
  await writeFile(starts, "");
  await chmod(starts, 0o666);
  await writeFile(own, lines.join("\n"), { mode: 0o755 });
  return {
    executable: own,
    mend: () => writeFile(mended, ""),
    starts: async () => (await readFile(starts, "utf8")).split("\n").length - 1,
  };
}
