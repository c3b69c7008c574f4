// A session's storage outlives its worker and its daemon, and no file holds it in clear.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { afterFileChanges } from "../harness/events/after-events.ts";
import { shared } from "../harness/shared.ts";
import { type Agent, type Process, refOf, startTroupe, type Troupe } from "../harness/troupe.ts";
import { type Site, serveSite } from "../site/serve.ts";

/** Browser processes start several times, beside other tests on two cores. */
const DEADLINE = { timeout: 120_000 };
/** The secrets, by where they are stored. */
const SECRETS = {
  cookie: "cookie-7f3a91",
  local: "local-c04d22",
  session: "session-91be07",
  database: "database-5ad3f8",
};

const site = shared(await serveSite());
const vault = vaultOf(site);

/** A page that stores a secret in each way, and shows what it finds. */
function vaultOf({ route }: Site): string {
  const login = route((_request, response) => {
    response.writeHead(204, { "set-cookie": `login=${SECRETS.cookie}; HttpOnly; Path=/; Max-Age=86400` });
    response.end();
  });
  return route((request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end(`<title>Vault</title><p>cookie: ${request.headers.cookie ?? "none"}</p>
      <button id=in>Log in</button><output></output>
      <script>
        const open = () => new Promise((resolve, reject) => {
          const request = indexedDB.open("vault", 2);
          request.onupgradeneeded = () => request.result.createObjectStore("keys", { keyPath: "id" });
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error);
        });
        const asked = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
        const show = async () => {
          const names = (await indexedDB.databases()).map(({ name }) => name);
          const held = names.includes("vault")
            ? await asked((await open()).transaction("keys").objectStore("keys").get(1)) : undefined;
          document.querySelector("output").textContent = "local: " + localStorage.token +
            ", session: " + sessionStorage.step + ", database: " + held?.secret + ", " + (held?.at instanceof Date);
        };
        document.getElementById("in").onclick = async () => {
          await fetch("${login}", { method: "POST" });
          localStorage.token = "${SECRETS.local}";
          sessionStorage.step = "${SECRETS.session}";
          const transaction = (await open()).transaction("keys", "readwrite");
          transaction.objectStore("keys").put({ id: 1, secret: "${SECRETS.database}", at: new Date() });
          transaction.oncomplete = show;
        };
        show();
      </script>`);
  });
}

const ALL = new RegExp(
  `login=${SECRETS.cookie}.*local: ${SECRETS.local}, session: ${SECRETS.session}, database: ${SECRETS.database}, true`,
  "s",
);

async function logIn(agent: Agent): Promise<void> {
  const page = await agent.text("browser_navigate", { url: vault });
  assert.match(page, /cookie: none.*local: undefined, session: undefined, database: undefined/s);
  await agent.text("browser_click", { ref: refOf(page, "button", "Log in") });
  await agent.text("browser_wait_for", { text: SECRETS.database });
}

const workerOf = (troupe: Troupe, role: string): Process => {
  const found = troupe
    .processes()
    .find(({ command }) => command.includes("worker/main.ts") && command.includes(role));
  assert.ok(found, `no worker of ${role}`);
  return found;
};

/** Returns every byte of the state folder as text. */
function stateText({ stateDir }: Troupe): string {
  return readdirSync(stateDir, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => readFileSync(path.join(stateDir, name), "latin1"))
    .join("\n");
}

/** Databases are read while the session is idle, so the stored part grows once more. */
async function kept(troupe: Troupe): Promise<void> {
  const isKept = () => stateText(troupe).includes("databases http://");
  await afterFileChanges(troupe.stateDir, isKept, "the database is kept");
}

async function troupeFor(t: TestContext, settings = {}): Promise<Troupe> {
  const troupe = await startTroupe({ settings });
  t.after(() => troupe[Symbol.asyncDispose]());
  return troupe;
}

/** The first call reports the restart. The page is requested again, with what the browser has stored. */
async function toldOnce(agent: Agent): Promise<string> {
  const told = await agent.call("browser_snapshot");
  assert.deepEqual(
    [told.error?.type, told.error?.details.effect],
    ["WORKER_RESTARTED", "none"],
    `${told.text}`,
  );
  await agent.text("browser_wait_for", { text: "database:" });
  return await agent.text("browser_snapshot", { full: true });
}

test(
  "kill -9 of a worker leaves cookies and all storage as they were, and other sessions get none of it",
  DEADLINE,
  async (t) => {
    const troupe = await troupeFor(t);
    await using agent = await troupe.agent("--role", "visitor", "--session", "kept");
    await using other = await troupe.agent("--role", "visitor", "--session", "other");
    await logIn(agent);
    await other.text("browser_navigate", { url: vault });
    await kept(troupe);
    process.kill(workerOf(troupe, "visitor").pid, "SIGKILL");
    assert.match(await toldOnce(agent), ALL);
    assert.match(
      await toldOnce(other),
      /cookie: none.*local: undefined, session: undefined, database: undefined/s,
    );
    // The same again, with restored storage that has not changed since.
    process.kill(workerOf(troupe, "visitor").pid, "SIGKILL");
    assert.match(await toldOnce(agent), ALL);
  },
);

for (const signal of ["SIGKILL", "SIGTERM"] as const) {
  test(`a daemon that is ended by ${signal} and started again has its sessions`, DEADLINE, async (t) => {
    const troupe = await troupeFor(t);
    await using agent = await troupe.agent("--role", "visitor", "--session", "kept");
    await logIn(agent);
    await agent.text("browser_tabs", { action: "new", url: `${troupe.shopUrl}/cart` });
    await agent.text("browser_tabs", { action: "select", tab: "t1" });
    await kept(troupe);
    const text = stateText(troupe);
    for (const secret of Object.values(SECRETS)) assert.ok(!text.includes(secret), secret);
    troupe.daemon.kill(signal);
    await once(troupe.daemon, "exit");
    await troupe.again();
    assert.match(await toldOnce(agent), ALL);
    const tabs = await agent.text("browser_tabs", { action: "list" });
    assert.match(tabs, /^t1 \(current\) "Vault"/m);
    assert.match(tabs, /^t2 ".*" .*\/cart$/m);
    const after = stateText(troupe);
    for (const secret of Object.values(SECRETS)) assert.ok(!after.includes(secret), secret);
  });
}
