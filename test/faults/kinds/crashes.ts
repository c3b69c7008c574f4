// Processes that die: a role's worker and its browser, between calls and during one.
import { chmod, writeFile } from "node:fs/promises";
import path from "node:path";
import { findBrowser } from "../../../worker/chrome/find-browser.ts";
import { refOf } from "../../harness/troupe.ts";
import { clickOf } from "../stage/choices.ts";
import { type Fault, type Situation, shows } from "../stage/fault.ts";
import type { Stage } from "../stage/fault-harness.ts";
import type { Choice, Heard } from "../stage/literal-agent.ts";
import { browserOf, kill, killWorker, workerOf } from "../stage/processes.ts";
import { opening } from "./opening.ts";
import { doneWhen } from "./pages.ts";

export const crashes: Fault[] = [
  {
    name: "a worker that died since the last call, before a look",
    type: "WORKER_RESTARTED",
    recovers: "yes",
    async arrange(stage) {
      const { role, agent } = await stage.ownRole();
      await agent.open("<h1>Back again</h1>");
      await killWorker(stage, role);
      return { agent, tool: "browser_snapshot", args: {}, reached: shows("Back again") };
    },
  },
  {
    name: "a worker that died since the last call, before a key is pressed in a field",
    type: "WORKER_RESTARTED",
    recovers: "asks",
    async arrange(stage) {
      const { role, agent } = await stage.ownRole();
      const [typed, pressed] = [stage.beacon(), stage.beacon()];
      // The same key has another effect outside the field.
      const page = await agent.open(
        `<input aria-label=Word onkeydown="event.stopPropagation(); ${typed.tell}"><script>addEventListener("keydown", () => ${pressed.tell})</script>`,
      );
      await agent.text("browser_click", { ref: refOf(page, "textbox", "Word") });
      await killWorker(stage, role);
      const args = { key: "d" };
      const intent: Choice[] = [clickOf("textbox", "Word"), () => ["browser_press_key", args]];
      const reached = typed.toldOnce;
      return { agent, tool: "browser_press_key", args, intent, reached, unharmed: pressed.untold };
    },
  },
  {
    name: "a worker that died since the last call, before an element is waited for",
    type: "WORKER_RESTARTED",
    recovers: "yes",
    async arrange(stage) {
      const { role, agent } = await stage.ownRole();
      const ref = refOf(await agent.open("<button>Save</button>"), "button", "Save");
      await killWorker(stage, role);
      const reached = ({ isError }: Heard) => !isError;
      return { agent, tool: "browser_wait_for", args: { ref, state: "enabled" }, reached };
    },
  },
  {
    name: "a worker that died since the last call, before a click",
    type: "WORKER_RESTARTED",
    recovers: "yes",
    async arrange(stage) {
      const { role, agent } = await stage.ownRole();
      const saved = stage.beacon();
      const ref = refOf(await agent.open(`<button onclick="${saved.tell}">Save</button>`), "button", "Save");
      await killWorker(stage, role);
      return { agent, tool: "browser_click", args: { ref }, reached: saved.toldOnce };
    },
  },
  {
    name: "a worker that dies while something is waited for",
    type: "WORKER_RESTARTED",
    recovers: "yes",
    arrange: (stage) => waiting(stage, (role) => workerOf(stage.troupe, role).pid),
  },
  {
    name: "a worker that dies in the middle of a click",
    type: "WORKER_RESTARTED",
    recovers: "asks",
    async arrange(stage) {
      const { role, agent } = await stage.ownRole();
      const held = stage.site.hold();
      const page = await agent.open(`<button onclick="location = '${held.url}'">Save</button>`);
      const during = async () => {
        await held.asked();
        kill(workerOf(stage.troupe, role).pid);
      };
      const args = { ref: refOf(page, "button", "Save") };
      const intent = [clickOf("button", "Save")];
      return {
        agent,
        tool: "browser_click",
        args,
        during,
        failed: () => held.release("<h1>Saved</h1>"),
        intent,
        reached: shows("Saved"),
      };
    },
  },
  {
    name: "a browser that dies while something is waited for",
    type: "BROWSER_CRASHED",
    recovers: "yes",
    arrange: (stage) => waiting(stage, (role) => browserOf(stage.troupe, role)),
  },
  {
    name: "a browser that dies while a page is opened",
    type: "BROWSER_CRASHED",
    recovers: "yes",
    async arrange(stage) {
      const { role, agent } = await stage.ownRole();
      return await opening(stage, agent, () => kill(browserOf(stage.troupe, role)));
    },
  },
  {
    name: "a role whose browser dies while it starts, and starts the next time",
    type: "WORKER_UNAVAILABLE",
    recovers: "yes",
    async arrange(stage) {
      const mend = await brittleBrowser(stage.troupe.dir);
      const agent = await stage.agent({ role: "browser-brittle" });
      const url = stage.site.page("<h1>Served after all</h1>");
      const reached = () => stage.site.count(url) === 1;
      return { agent, tool: "browser_navigate", args: { url }, failed: mend, reached };
    },
  },
  {
    name: "a role whose browser cannot be started",
    type: "WORKER_UNAVAILABLE",
    recovers: "no",
    async arrange(stage) {
      return { agent: await stage.agent({ role: "browser-lost" }), tool: "browser_snapshot", args: {} };
    },
  },
];

/** Waits for an event of the page that the server holds back. Meanwhile the process that `victim` names dies. */
async function waiting(stage: Stage, victim: (role: string) => number): Promise<Situation> {
  const { role, agent } = await stage.ownRole();
  const held = stage.site.hold();
  await agent.open(`<p id=out></p>${doneWhen(held)}`);
  return {
    agent,
    tool: "browser_wait_for",
    args: { text: "Done" },
    during: () => kill(victim(role)),
    failed: () => held.release(),
    reached: shows("Done"),
  };
}

/** A browser that dies at each start, until the test calls the resolved function. */
async function brittleBrowser(dir: string): Promise<() => Promise<void>> {
  const { executable, env = {} } = await findBrowser({ env: process.env });
  const settings = Object.entries(env).map(([name, value]) => `export ${name}='${value}'`);
  const mended = path.join(dir, "mended");
  const whole = `exec '${executable}' "$@"`;
  const lines = [
    "#!/bin/sh",
    ...settings,
    `[ "$1" = --version ] && ${whole}`,
    `[ -e '${mended}' ] || exit 1`,
    whole,
  ];
  // If the daemon runs as root, another user runs the browser.
  await chmod(dir, 0o755);
  await writeFile(path.join(dir, "browser-brittle"), lines.join("\n"), { mode: 0o755 });
  return () => writeFile(mended, "");
}
