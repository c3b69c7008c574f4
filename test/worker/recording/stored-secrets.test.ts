// No stored step holds a secret's value, whatever the page makes of it. A page repeats what was typed in every way.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, startWorker } from "../../harness/worker.ts";
import { serveSite } from "../../site/serve.ts";

const CREDENTIAL = "correct horse/7731";
const TYPED = "hunter2 Geheim+1";

/** Repeats the field's value in names, ids, addresses, titles, options, messages and dialogs. */
const ECHO = `const v = f.value, b = document.createElement("button"), o = document.querySelector("option");
  b.textContent = "Go " + v; b.id = v; b.name = v; b.title = v; b.dataset.testid = v; b.onclick = () => alert(v);
  o.textContent = v; h.textContent = "Hello " + v; h.setAttribute("role", "alert"); document.title = v;
  document.querySelector("label").firstChild.data = "Field " + v + " ";
  history.replaceState(0, "", "?q=" + encodeURIComponent(v) + "#" + btoa(v)); document.body.append(b)`;

const page = (type: string) =>
  `<form onsubmit="return false"><label>Field <input id=f type=${type} oninput='${ECHO.replaceAll("'", "&#39;")}'></label>
   <label>Note <input name=note></label><select aria-label=Kind><option>None</select><h2 id=h></h2></form>`;

/** All ways in which a text may be written down. */
const spellings = (secret: string) => [
  secret,
  encodeURIComponent(secret),
  new URLSearchParams({ q: secret }).toString().slice(2),
  Buffer.from(secret).toString("base64"),
];

for (const [what, type, value, text] of [
  ["a credential", "text", CREDENTIAL, "{{tester.password}}"],
  ["a typed password", "password", TYPED, TYPED],
] as const)
  test(`${what} is in no stored step and no export, whatever the page repeats`, async () => {
    await using site = await serveSite();
    await using worker = await startWorker({
      credentials: [{ name: "password", origins: [site.origin], source: "file" }],
    });
    worker.givesCredentials(() => CREDENTIAL);
    const over = new AbortController();
    const parts: string[] = [];
    const last = Promise.withResolvers<void>();
    const listen = async () => {
      for await (const { storage } of worker.events(over.signal))
        for (const { name, data } of storage?.parts ?? [])
          if (name.startsWith("steps ")) {
            const part = Buffer.from(data).toString();
            parts.push(part);
            if (part.includes("browser_handle_dialog")) last.resolve();
          }
    };
    // The test itself ends the stream.
    const listening = listen().catch(() => undefined);
    await using session = worker.session();
    const form = await session.open(site.page(page(type)));
    await session.do("browser_fill_form", {
      fields: [
        { ref: refOf(form, "Field"), value: [text] },
        { ref: refOf(form, "Note"), value: ["a note"] },
      ],
    });
    await session.do("browser_type", { ref: refOf(form, "Field"), text });
    const now = await session.read();
    const values = [type === "text" ? "•••" : value];
    await session.call("browser_select_option", { ref: refOf(now, "Kind"), values });
    await session.do("browser_press_key", { key: "Tab" });
    await session.do("browser_click", { ref: refOf(now, "button") });
    await session.do("browser_handle_dialog", { accept: true });
    await worker.prepareRest(session.id, false);
    await last.promise;
    const exports: string[] = [];
    for (const as of ["playwright", "steps"])
      exports.push((await session.do("browser_export_test", { as })).text);
    over.abort();
    await listening;
    assert.ok(
      parts.some((part) => part.includes("a note")),
      "no step was stored",
    );
    for (const said of [...parts, ...exports])
      for (const spelling of spellings(value)) assert.ok(!said.includes(spelling), `${spelling} in\n${said}`);
    const [code = ""] = exports;
    const variable = type === "text" ? "TESTER_PASSWORD" : "TESTER_FIELD";
    assert.ok(code.includes(`secret("${variable}")`), code);
  });
