// Input and pages that would not come back keep a session from hibernation, and are named.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, stage, type WorkerSession } from "../../harness/worker.ts";
import { keeper } from "./hibernation-keeper.ts";

const { worker, site } = await stage();
const { rest, records } = keeper(worker);

const CONTROLS = `<label><input type=checkbox> Agree</label>
  <label><input type=radio name=r checked> Slow</label><label><input type=radio name=r> Fast</label>
  <label>Size <select><option>Small<option>Large</select></label>
  <label>Code <input value=old></label><div contenteditable role=textbox aria-label=Note></div>
  <label><input type=checkbox checked> Given</label><button>Look</button>
  <script>document.querySelectorAll("input")[4].indeterminate = true</script>`;

test("a control that the session changed prevents hibernation, and is named as lost", async () => {
  const page = site.page(CONTROLS);
  const changes: [string, string, (ref: (name: string) => string, of: WorkerSession) => Promise<unknown>][] =
    [
      ["ticked", `checkbox "Agree"`, (ref, of) => of.do("browser_click", { ref: ref('checkbox "Agree"') })],
      ["chosen", `radio "Fast"`, (ref, of) => of.do("browser_click", { ref: ref('radio "Fast"') })],
      [
        "selected",
        `combobox "Size"`,
        (ref, of) => of.do("browser_select_option", { ref: ref('combobox "Size"'), values: ["Large"] }),
      ],
      [
        "emptied",
        `textbox "Code"`,
        (ref, of) => of.do("browser_type", { ref: ref('textbox "Code"'), text: "" }),
      ],
      [
        "edited",
        `textbox "Note"`,
        (ref, of) => of.do("browser_type", { ref: ref('textbox "Note"'), text: "so" }),
      ],
      [
        "ticked by key",
        `checkbox "Agree"`,
        async (_ref, of) => {
          await of.do("browser_press_key", { key: "Tab" });
          await of.do("browser_press_key", { key: "Space" });
        },
      ],
    ];
  for (const [what, name, change] of changes) {
    await using session = worker.session();
    const text = await session.open(page);
    await change((of) => refOf(text, of), session);
    assert.deepEqual(await rest(session), [name], what);
    assert.deepEqual(records.get(session.id)?.typed, [{ tab: "t1", field: name }], what);
  }
});

test("a control with its first state, or one that its page changed, is no loss", async () => {
  await using session = worker.session();
  const text = await session.open(site.page(CONTROLS));
  for (const name of ['checkbox "Agree"', 'checkbox "Agree"', 'textbox "Code"', 'button "Look"'])
    await session.do("browser_click", { ref: refOf(text, name) });
  assert.deepEqual(await rest(session), []);

  await using other = worker.session();
  await other.open(site.page(`${CONTROLS}<script>document.querySelector("input").checked = true</script>`));
  assert.deepEqual(await rest(other), []);
});

test("a popup without an address, a page on its way and an unfetched download prevent hibernation", async () => {
  await using writing = worker.session();
  const opener = await writing.open(
    site.page(
      `<button onclick="window.open('about:blank').document.write('<h1>Receipt</h1>')">Print</button>
       <button onclick="window.open('about:blank').document.body.innerHTML = '<h1>Label</h1>'">Show</button>`,
    ),
  );
  await writing.do("browser_click", { ref: refOf(opener, "Print") });
  await writing.do("browser_click", { ref: refOf(opener, "Show"), tab: "t1" });
  assert.deepEqual(await rest(writing), [
    "the content of tab t2, which has no address of its own",
    "the content of tab t3, which has no address of its own",
  ]);

  await using loading = worker.session();
  const asked = Promise.withResolvers<void>();
  const silent = site.route(() => asked.resolve());
  const leave = Promise.withResolvers<void>();
  const held = site.route((_request, response) => void leave.promise.then(() => response.end()));
  await loading.open(
    site.page(`<h1>Here</h1><script>fetch("${held}").then(() => { location = "${silent}" })</script>`),
  );
  leave.resolve();
  await asked.promise;
  assert.deepEqual(await rest(loading), ["the page or download on its way"]);

  await using saving = worker.session();
  const file = site.route((_request, response) => {
    response.writeHead(200, { "content-disposition": 'attachment; filename="report.csv"' });
    response.end("a,b");
  });
  const go = Promise.withResolvers<void>();
  const gate = site.route((_request, response) => void go.promise.then(() => response.end()));
  await saving.open(
    site.page(`<a href="${file}" download>Report</a><script>
      fetch("${gate}").then(() => document.querySelector("a").click())</script>`),
  );
  go.resolve();
  // The report alone closes nothing, so it is repeated until Chrome has announced the download.
  const losses = async () => (await worker.prepareRest(saving.id)).losses;
  while (!(await losses()).includes(`the download d1 of "report.csv"`));
});
