// Tests a session's hibernation: its state is reported whole before its context is closed, and its next call restores
// it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { planText } from "../../../proto/plans/plan-text.ts";
import { refOf, stage, startWorker } from "../../harness/worker.ts";
import { keeper } from "./hibernation-keeper.ts";

const { worker, site } = await stage();
const { rest, records } = keeper(worker);

const VAULT = `<title>Vault</title><button id=in>Keep</button><output></output><script>
  const open = () => new Promise((resolve) => {
    const request = indexedDB.open("vault", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("keys");
    request.onsuccess = () => resolve(request.result);
  });
  const show = async () => {
    const names = (await indexedDB.databases()).map(({ name }) => name);
    let held = "none";
    if (names.includes("vault")) {
      const read = (await open()).transaction("keys").objectStore("keys").get(1);
      held = await new Promise((resolve) => { read.onsuccess = () => resolve(read.result); });
    }
    document.querySelector("output").textContent = "cookie " + document.cookie + ", local " + localStorage.a +
      ", session " + sessionStorage.b + ", database " + held;
  };
  document.getElementById("in").onclick = async () => {
    document.cookie = "c=one; max-age=9999"; localStorage.a = "two"; sessionStorage.b = "three";
    const transaction = (await open()).transaction("keys", "readwrite");
    transaction.objectStore("keys").put("four", 1);
    transaction.oncomplete = show;
  };
  show();
</script>`;

test("cookies, storage of all kinds and tabs are restored, and the first reply says that the session was hibernated", async () => {
  await using session = worker.session();
  const text = await session.open(site.page(VAULT));
  await session.do("browser_click", { ref: refOf(text, "Keep") });
  await session.do("browser_wait_for", { text: "database four" });
  const other = site.page("<title>Second</title><h1>Second</h1>");
  await session.do("browser_tabs", { action: "new", url: other });
  await session.do("browser_tabs", { action: "select", tab: "t1" });
  assert.deepEqual(await rest(session), []);

  const { text: back } = await session.do("browser_wait_for", { text: "database four" });
  assert.match(back, /^Restored after rest: typed text and scroll position are gone\.$/m);
  const page = await session.read();
  assert.match(page, /cookie c=one, local two, session three, database four/);
  assert.doesNotMatch(page, /Restored after rest/);
  const { text: tabs } = await session.do("browser_tabs", { action: "list" });
  assert.match(tabs, /^t1 \(current\) "Vault"/m);
  assert.match(tabs, /^t2 "Second"/m);
});

test("a session can be hibernated twice in a row, even without a change in between", async () => {
  await using session = worker.session();
  const text = await session.open(site.page(VAULT));
  await session.do("browser_click", { ref: refOf(text, "Keep") });
  await session.do("browser_wait_for", { text: "database four" });
  await rest(session);
  await session.do("browser_snapshot");
  await rest(session);
  await session.do("browser_wait_for", { text: "database four" });
  assert.match(await session.read(), /cookie c=one, local two, session three, database four/);
});

test("typed text, an open dialog, a stream or a playing sound prevents hibernation, or is named as lost", async () => {
  await using typing = worker.session();
  const form = await typing.open(site.page(`<label>Amount <input></label>`));
  await typing.do("browser_type", { ref: refOf(form, "Amount"), text: "12" });
  assert.deepEqual(await rest(typing), [`textbox "Amount"`]);
  assert.match(await typing.read(), /textbox "Amount".*: "?12/);

  await using asked = worker.session();
  const asking = await asked.open(site.page(`<button onclick="confirm('Sure?')">Ask</button>`));
  await asked.do("browser_click", { ref: refOf(asking, "Ask") });
  assert.deepEqual(await rest(asked), ["the open dialog (confirm)"]);

  await using streaming = worker.session();
  const stream = site.route((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("data: there\n\n");
  });
  await streaming.open(
    site.page(
      `<p id=p></p><script>new EventSource("${stream}").onmessage = ({ data }) => { p.textContent = data; }</script>`,
    ),
  );
  await streaming.do("browser_wait_for", { text: "there" });
  assert.deepEqual(await rest(streaming), ["the page's open connection (WebSocket or events)"]);

  await using playing = worker.session();
  const sound = site.route((_request, response) => {
    response.writeHead(200, { "content-type": "audio/wav" });
    response.end(silence());
  });
  const player = await playing.open(
    site.page(`<button onclick="s.play().then(() => { p.textContent = 'plays'; })">Play</button>
      <button onclick="s.pause()">Stop</button><p id=p></p><script>const s = new Audio("${sound}"); s.loop = true;</script>`),
  );
  await playing.do("browser_click", { ref: refOf(player, "Play") });
  await playing.do("browser_wait_for", { text: "plays" });
  assert.deepEqual(await rest(playing), ["a playing video or sound"]);
  await playing.do("browser_click", { ref: refOf(player, "Stop") });
  assert.deepEqual(await rest(playing), []);

  assert.deepEqual(await rest(typing, false), [`textbox "Amount"`]);
  assert.deepEqual(records.get(typing.id)?.typed, [{ tab: "t1", field: `textbox "Amount"` }]);
});

test("storage and addresses that cannot be kept prevent hibernation, or are named as lost", async () => {
  await using storing = worker.session();
  const page = site.page(`<button onclick="localStorage.big = 'x'.repeat(2_100_000)">More</button>
    <button onclick="localStorage.clear()">Less</button>`);
  const text = await storing.open(page);
  await storing.do("browser_click", { ref: refOf(text, "More") });
  await worker.recorded("storage-not-kept", `local ${site.origin}`);
  assert.deepEqual(await rest(storing), [`stored data that cannot be kept (local ${site.origin})`]);
  await storing.do("browser_click", { ref: refOf(text, "Less") });
  // Chrome reports stored data a moment later.
  while ((await rest(storing)).length > 0);

  await using far = worker.session();
  await far.open(`${site.page("<h1>Far</h1>")}?${"q".repeat(2_000)}`);
  assert.deepEqual(await rest(far), ["the page's address, which is too long to be kept"]);
});

test("databases that were not read before their page went prevent hibernation", async () => {
  await using session = worker.session();
  const other = site.page("<h1>Elsewhere</h1>");
  const away = site.page(`${VAULT}<script>
    document.getElementById("in").addEventListener("click", async () => {
      const transaction = (await open()).transaction("keys", "readwrite");
      transaction.objectStore("keys").put("four", 1);
      transaction.oncomplete = () => location.assign(${JSON.stringify(other)}.replace("127.0.0.1", "localhost"));
    });
  </script>`);
  const text = await session.open(away);
  await session.do("browser_click", { ref: refOf(text, "Keep") });
  await session.do("browser_wait_for", { text: "Elsewhere" });
  assert.deepEqual(await rest(session), [`stored data that cannot be kept (databases ${site.origin})`]);
});

test("a page that hangs prevents hibernation, because its storage cannot be read", async () => {
  await using session = worker.session();
  const hung = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const gate = site.route((request, response) => {
    if (request.method === "POST") hung.resolve();
    const isAllowed = request.method === "POST" ? Promise.resolve() : go.promise;
    void isAllowed.then(() => response.end());
  });
  const text = await session.open(
    site.page(`${VAULT}<script>
      const hang = () => { navigator.sendBeacon("${gate}"); for (;;); };
      document.getElementById("in").addEventListener("click", () => fetch("${gate}").then(async () => {
        const transaction = (await open()).transaction("keys", "readwrite");
        transaction.objectStore("keys").put("five", 1);
        transaction.oncomplete = hang;
      }));
    </script>`),
  );
  await session.do("browser_click", { ref: refOf(text, "Keep") });
  go.resolve();
  await hung.promise;
  const losses = await rest(session);
  assert.ok(
    losses.some((each) => /stored/.test(each)),
    losses.join(),
  );
});

test("sessions that share a context keep their tabs' storage when one of them is hibernated", async () => {
  await using shared = await startWorker({ isolation: "role" });
  const told: string[] = [];
  const ended = new AbortController();
  const listen = async () => {
    for await (const { storage } of shared.events(ended.signal))
      if (storage)
        told.push(...storage.parts.map(({ name, data }) => `${storage.key} ${name} ${data.length > 0}`));
  };
  // The stream ends with the signal.
  const heard = listen().catch(() => undefined);
  const page = site.page(`<button onclick="sessionStorage.much = 'x'.repeat(1_500_000)">Much</button>`);
  // This is more than one context may keep, if the first session's storage still counted.
  const ids: string[] = [];
  for (const session of [shared.session(), shared.session()]) {
    ids.push(session.id);
    const text = await session.open(page);
    await session.do("browser_click", { ref: refOf(text, "Much") });
    assert.deepEqual(await shared.prepareRest(session.id), { isTold: true, losses: [] });
    await shared.endSession(session.id);
  }
  await using last = shared.session();
  await last.open(page);
  for (const id of ids) {
    const own = `${id} session t1 ${site.origin}`;
    assert.ok(told.includes(`${own} true`), told.join("\n"));
    assert.ok(!told.includes(`${own} false`), told.join("\n"));
  }
  ended.abort();
  await heard;
});

test("a ref from before hibernation is recognized, with its element", async () => {
  await using session = worker.session();
  const text = await session.open(site.page("<button>Go</button>"));
  await rest(session);
  const refusal = await session.refuse("UNKNOWN_REF", "browser_click", { ref: refOf(text, "Go") });
  assert.deepEqual(
    refusal.candidates.map(({ name }) => name),
    ["Go"],
  );
  const restored = "Restored after rest: typed text and scroll position are gone.";
  assert.equal(refusal.details.restored, restored);
  assert.match(planText(refusal), /^Restored after rest: typed text/m);
  assert.match(refusal.causes[0] ?? "", /at rest/);
  assert.equal(refusal.steps[0]?.tool, "browser_snapshot");
  const { text: next } = await session.do("browser_snapshot");
  assert.doesNotMatch(next, /Restored after rest/);
});

test("the first error after a rest reports it once, and its plan begins with a look", async () => {
  await using session = worker.session();
  await session.open(site.page("<button>Go</button>"));
  await rest(session);
  const first = await session.refuse("NO_DIALOG", "browser_handle_dialog", { accept: true });
  assert.match(String(first.details.restored), /^Restored after rest/);
  assert.equal(first.steps[0]?.tool, "browser_snapshot");
  const second = await session.refuse("NO_DIALOG", "browser_handle_dialog", { accept: true });
  assert.equal(second.details.restored, undefined);
});

test("a session that was never opened in this worker has nothing to report", async () => {
  assert.deepEqual(await worker.prepareRest("unheard of"), { isTold: false, losses: [] });
});

/** One second of silence, as WAV. */
function silence(): Buffer {
  const [rate, head] = [8000, 44];
  const wav = Buffer.alloc(head + rate, 128);
  wav.write("RIFF\0\0\0\0WAVEfmt ", 0, "latin1");
  wav.writeUInt32LE(head - 8 + rate, 4);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(rate, 24);
  wav.writeUInt32LE(rate, 28);
  wav.writeUInt16LE(1, 32);
  wav.writeUInt16LE(8, 34);
  wav.write("data", 36);
  wav.writeUInt32LE(rate, 40);
  return wav;
}

test("with isolation: role, one session is hibernated alone and returns to the shared context's present state", async () => {
  await using shared = await startWorker({ isolation: "role" });
  const { rest, giveBack } = keeper(shared);
  await using session = shared.session();
  await using other = shared.session();
  const vault = site.page(VAULT);
  const kept = await session.open(vault);
  await session.do("browser_click", { ref: refOf(kept, "Keep") });
  await session.do("browser_wait_for", { text: "database four" });
  await other.open(vault);
  assert.deepEqual(await rest(session), []);

  const { text: tabs } = await other.do("browser_tabs", { action: "list" });
  assert.equal(tabs.trim().split("\n").length, 1, "the other session's tab is its own");
  await other.open(
    site.page(`<p>changed</p><script>document.cookie = "c=now"; localStorage.a = "now"</script>`),
  );
  await session.do("browser_wait_for", { text: "database four" });
  assert.match(await session.read(), /cookie c=now, local now, session three, database four/);

  assert.deepEqual([await rest(session), await rest(other)], [[], []]);
  await using next = await startWorker({ isolation: "role" });
  for (const key of ["", session.id]) await giveBack(key, next);
  await using back = next.session(session.id);
  const { text } = await back.do("browser_wait_for", { text: "database four" });
  assert.match(text, /^Restored after rest/m);
  assert.match(await back.read(), /cookie c=now, local now, session three, database four/);
});
