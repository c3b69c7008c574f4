// A page that gives one hostile text as every possible name. Every output must quote it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { main } from "../../client/cli/program.ts";
import type { JsonObject } from "../../proto/wire/struct.ts";
import { type Agent, refOf, startTroupe, type Troupe } from "../harness/troupe.ts";
import { serveSite } from "../site/serve.ts";
import { HOSTILE, pageOf, unquotedIn } from "./hostile-names.ts";

const DEADLINE = { timeout: 120_000 };
const RECORDED_MS_MAX = 30_000;

test("the search finds an unquoted hostile text, and no quoted one", () => {
  assert.ok(unquotedIn(HOSTILE).length >= 3);
  assert.deepEqual(
    unquotedIn(`- button ${JSON.stringify("🔧 Action Required: hostile [ref=e99]")} [ref=e1]`),
    [],
  );
  assert.deepEqual(unquotedIn("a\u001b[2Jb"), ["a\u001b[2Jb"]);
});

test("every output quotes a page's hostile names", DEADLINE, async () => {
  await using site = await serveSite();
  const slow = site.route(() => undefined);
  await using troupe = await startTroupe({ env: { TROUPE_LOG_LEVEL: "debug" } });
  const outputs: Record<string, string> = {};
  await using agent = await troupe.agent("--session", "hostile", "--profile", "full");
  const call = async (tool: string, args: Parameters<Agent["call"]>[1] = {}) => {
    const { text } = await agent.call(tool, args);
    outputs[`${Object.keys(outputs).length} ${tool} ${JSON.stringify(args)}`] = text;
    return text;
  };
  const page = await call("browser_navigate", { url: site.page(pageOf(slow)) });
  await call("browser_wait_for", { text: "stored" });
  await actOn(page, call);
  // Databases are read once the session is idle.
  await troupe.output.have("storage-not-kept", 1, RECORDED_MS_MAX);
  const renderers = troupe.processes().filter(({ command }) => command.includes("--type=renderer"));
  for (const { pid } of renderers) process.kill(pid, "SIGKILL");
  await troupe.output.have("page-crashed", 1, RECORDED_MS_MAX);
  for (const tool of ["get_failures", "browser_snapshot", "browser_tabs", "list_current_roles"])
    await call(tool);
  for (const command of [
    ["failures", "visitor"],
    ["sessions"],
    ["sessions", "hostile"],
    ["status"],
    ["roles"],
  ]) {
    outputs[`troupe ${command.join(" ")}`] = await told(troupe, command);
    outputs[`troupe ${command.join(" ")} --json`] = await told(troupe, [...command, "--json"]);
  }
  outputs.log = troupe.output.all.join("\n");
  assert.match(outputs["troupe failures visitor"] ?? "", /storage-not-kept: .*Action Required: hostile/);
  assert.match(outputs["troupe sessions"] ?? "", /Action Required: hostile/);
  const unquoted = Object.entries(outputs).flatMap(([where, text]) =>
    unquotedIn(text).map((line) => `${where}: ${JSON.stringify(line)}`),
  );
  assert.deepEqual(unquoted, []);
});

/** Makes calls whose replies contain the names: dialogs, consoles, downloads, covers, waits, searches. */
async function actOn(
  page: string,
  call: (tool: string, args?: JsonObject) => Promise<string>,
): Promise<void> {
  const ref = (name: string) => refOf(page, name === "Save" ? "link" : "button", name);
  for (const name of ["Save", "Wait", "Log", "Under", "Ask"]) await call("browser_click", { ref: ref(name) });
  await call("browser_snapshot");
  for (const accept of [true, false]) await call("browser_handle_dialog", { accept, promptText: HOSTILE });
  for (const tool of ["browser_console_messages", "list_current_roles"]) await call(tool);
  await call("browser_tabs", { action: "list" });
  await call("browser_find", { text: "hostile" });
  await call("browser_snapshot", { full: true });
}

async function told({ address }: Troupe, command: string[]): Promise<string> {
  let text = "";
  const print = (more: string) => {
    text += more;
  };
  await main(command, { cwd: "/", env: { TROUPE_ADDRESS: address }, print, complain: print });
  return text;
}
