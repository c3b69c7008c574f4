// A daemon is killed after a credential was typed. The next one restores the page, which still shows it.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { connect } from "../../client/sdk/index.ts";
import { type RunningProgram, startProgram } from "../harness/program.ts";
import { shared } from "../harness/shared.ts";
import { tempDir } from "../harness/temp-dir.ts";
import { refOf } from "../harness/troupe.ts";
import { serveSite } from "../site/serve.ts";

const DAEMON = fileURLToPath(new URL("../../daemon/main.ts", import.meta.url));
const SECRET = "printed-by-a-command/4d1";

const { dir } = shared(tempDir());
const config = path.join(dir, "troupe.yaml");
const site = shared(await serveSite());
const startUrl = site.page(`<label>Password <input id=field></label><p id=out></p><script>
  const show = () => { out.textContent = "typed " + (localStorage.typed ?? "nothing"); };
  field.addEventListener("input", () => { localStorage.typed = field.value; show(); });
  show();
</script>`);
writeFileSync(path.join(dir, "printed"), SECRET);
writeFileSync(
  config,
  JSON.stringify({
    http: "off",
    roles: { customer: { startUrl, credentials: { key: { command: ["cat", "printed"] } } } },
  }),
);

async function daemon(): Promise<{ program: RunningProgram; address: string }> {
  const state = path.join(dir, "state");
  const program = startProgram([DAEMON, "--config", config, "--state-dir", state], { timeoutMs: 120_000 });
  await program.said(/is ready/);
  const { addresses } = JSON.parse(readFileSync(path.join(state, "daemon.json"), "utf8"));
  return { program, address: addresses[0] };
}

test("a restored page's secret stays masked, although a command printed it for an earlier daemon", async () => {
  const first = await daemon();
  await using one = await connect({ address: first.address, session: "one", role: "customer" });
  const { text } = await one.session.snapshot();
  const typed = await one.session.type({ ref: refOf(text, "textbox", "Password"), text: "{{customer.key}}" });
  assert.match(typed.text, /typed •••/);
  first.program.child.kill("SIGKILL");
  await first.program.exited;
  const second = await daemon();
  await using again = await connect({ address: second.address, session: "one", role: "customer" });
  const restored = await again.session.snapshot().catch((error: Error) => ({ text: error.message }));
  const shown = await again.session.snapshot({ full: true });
  assert.match(shown.text, /typed •••/);
  assert.doesNotMatch(JSON.stringify([restored, shown]), new RegExp(SECRET));
  second.program.child.kill("SIGTERM");
  await second.program.ended;
});
