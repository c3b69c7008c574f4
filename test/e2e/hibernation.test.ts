// More sessions than slots, with real browsers. Each hibernates while it is idle, and comes back with its page and
// cookies.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { shared } from "../harness/shared.ts";
import { refOf, startTroupe } from "../harness/troupe.ts";
import { serveSite } from "../site/serve.ts";

/** The time allows for other tests on two cores. */
const DEADLINE = { timeout: 180_000 };
const SESSIONS = 6;
const PLACES = 2;

const site = shared(await serveSite());
const troupe = shared(
  await startTroupe({
    roles: { desk: { sessions: PLACES, hibernateAfter: "1s" } },
    settings: { limits: { queueWait: "1m", callTimeout: "2m" } },
    env: { TROUPE_LOG_LEVEL: "debug" },
  }),
);

interface Answer {
  success: boolean;
  text: string;
  error?: { type: string; details: Record<string, unknown> };
}

/** Sends no header that says that the session was used before. */
async function rest(tool: string, body: object, session: string): Promise<Answer> {
  const response = await fetch(`${troupe.http}/v1/tools/${tool}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${readFileSync(path.join(troupe.stateDir, "token"), "utf8").trim()}`,
      "x-troupe-session": session,
      "x-troupe-role": "desk",
    },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Answer;
}

async function metric(line: string): Promise<boolean> {
  return (await (await fetch(`${troupe.http}/metrics`)).text()).includes(line);
}

const pageOf = () =>
  site.route((request, response) => {
    const name = new URL(request.url ?? "", site.origin).searchParams.get("name");
    response.writeHead(200, {
      "content-type": "text/html",
      ...(name && { "set-cookie": `name=${name}; Path=/; Max-Age=9999` }),
    });
    response.end(`<title>Desk</title><h1>Cookie ${request.headers.cookie ?? "none"}</h1>`);
  });

test(
  "more sessions than slots, each called in turn, all come back with page and cookies",
  DEADLINE,
  async () => {
    const page = pageOf();
    const ids = Array.from({ length: SESSIONS }, (_, index) => `turn-${index}`);
    for (const id of ids) {
      await rest("browser_navigate", { url: `${page}?name=${id}` }, id);
      await rest("browser_navigate", { url: page }, id);
    }
    // The log has a line for each session that is put to rest.
    await troupe.output.after(
      () => metric(`troupe_sessions{role="desk",state="resting"} ${SESSIONS}`),
      "all of them rest",
      60_000,
    );
    for (const id of ids) {
      const { success, text } = await rest("browser_snapshot", { full: true }, id);
      assert.ok(success, text);
      assert.match(text, /^Restored after rest: typed text and scroll position are gone\.$/m);
      assert.match(text, new RegExp(`heading "Cookie name=${id}"`));
    }
  },
);

test("typed text is lost only if another session waits, and the loss is reported", DEADLINE, async () => {
  const form = site.page(`<label>Amount <input></label>`);
  const [one, two] = ["typing-1", "typing-2"];
  for (const id of [one, two]) {
    const { text } = await rest("browser_navigate", { url: form }, id);
    await rest("browser_type", { ref: refOf(text, "textbox", "Amount"), text: "12" }, id);
  }
  const third = await rest("browser_navigate", { url: form }, "third");
  assert.ok(third.success, third.text);
  const told = await rest("browser_press_key", { key: "Enter" }, one);
  assert.equal(told.error?.type, "WORKER_RESTARTED", told.text);
  assert.deepEqual(told.error?.details.lost, [`textbox "Amount"`]);
  assert.match((await rest("browser_snapshot", {}, one)).text, /textbox "Amount"/);
});

test("a closed session is reported once over REST, with its last address", DEADLINE, async () => {
  const page = pageOf();
  await using agent = await troupe.agent("--role", "desk", "--session", "closing");
  await agent.text("browser_navigate", { url: page });
  await rest("browser_snapshot", {}, "closing");
  const { spawnSync } = await import("node:child_process");
  const cli = path.join(import.meta.dirname, "../../client/cli.ts");
  spawnSync(process.execPath, [cli, "sessions", "closing", "--close", "--address", troupe.address]);
  const told = await rest("browser_snapshot", {}, "closing");
  assert.equal(told.error?.type, "SESSION_EXPIRED", told.text);
  assert.equal(told.error?.details.url, page);
  assert.ok((await rest("browser_navigate", { url: page }, "closing")).success);
});
