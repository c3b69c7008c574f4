// Tests that pictures show no credential: two pages that differ in it alone give the same picture.
import assert from "node:assert/strict";
import { test } from "node:test";
import { shared } from "../../harness/shared.ts";
import { refOf, startWorker, type WorkerSession } from "../../harness/worker.ts";
import { serveSite } from "../../site/serve.ts";

/** They have the same width in a font of one width. */
const SECRETS: Record<string, string> = { one: "AAAA-bbbb-1111", other: "xyzw-QRST-9870" };
const site = shared(await serveSite());
const worker = shared(
  await startWorker({
    credentials: Object.keys(SECRETS).map((name) => ({
      name,
      origins: [site.origin],
      source: `the file ${name}`,
    })),
  }),
);
worker.givesCredentials((name) => SECRETS[name]);

const STYLE =
  "<style>* { font: 16px monospace; caret-color: transparent } p::before { content: attr(data-typed) }</style>";
/** The ways in which a page draws what was typed. */
const ECHOES: Record<string, string> = {
  "a text": `out.textContent = "typed " + value + " so far"`,
  "a text with a shadow and a stroke": `out.innerHTML = "<b style='text-shadow: 40px 0 red; -webkit-text-stroke: 1px red; -webkit-text-fill-color: red !important; color: red !important'></b>"; out.firstChild.textContent = value`,
  letters: `out.innerHTML = [...value].map((each) => "<span>" + each + "</span>").join("")`,
  "letters in boxes": `out.innerHTML = [...value].map((each) => "<button>" + each + "</button>").join("")`,
  "upper case by style": `out.style.textTransform = "uppercase"; out.textContent = value`,
  "a field": `const copy = document.createElement("input"); copy.value = value; out.append(copy)`,
  "a textarea": `const copy = document.createElement("textarea"); copy.value = value; out.append(copy)`,
  "a placeholder": `const copy = document.createElement("input"); copy.placeholder = value; out.append(copy)`,
  "a button": `const copy = document.createElement("input"); copy.type = "button"; copy.value = value; out.append(copy)`,
  "an option": `const list = document.createElement("select"); list.append(new Option(value)); out.append(list)`,
  "a style sheet's text": `out.dataset.typed = value`,
  "an open list's option": `const list = document.createElement("select"); list.size = 3; list.append(new Option(value)); out.append(list)`,
  "text that moves slowly to each style": `const slow = document.createElement("style"); slow.textContent = "*:not(input), ::before { transition: all 60s allow-discrete }"; document.head.append(slow); out.getBoundingClientRect(); out.textContent = value`,
  "a part of a drawing's text": `out.innerHTML = "<svg width=400 height=40><text y=20>So <tspan></tspan></text></svg>"; out.querySelector("tspan").textContent = value`,
  "text of an element without a box": `out.innerHTML = "<b style='display: contents'></b>"; out.firstChild.textContent = value`,
  "text in a modal dialog": `out.innerHTML = "<dialog><b></b></dialog>"; out.querySelector("b").textContent = value; out.firstChild.showModal()`,
  "a drawing's text": `out.innerHTML = "<svg width=400 height=40><text y=20></text></svg>"; out.querySelector("text").textContent = value`,
  "an open shadow root": `out.attachShadow({ mode: "open" }).innerHTML = "<i></i>"; out.shadowRoot.firstChild.textContent = value`,
  "a closed shadow root": `const root = out.attachShadow({ mode: "closed" }); root.innerHTML = "<i></i>"; root.firstChild.textContent = value`,
  "its upside": `out.textContent = [...value].reverse().join("")`,
};

async function pictureOf(
  session: WorkerSession,
  script: string,
  name: string,
  args: object,
): Promise<string> {
  const page = await session.open(
    site.page(`${STYLE}<label>Password <input type=password id=field></label><p id=out></p>
      <script>field.addEventListener("input", () => { const { value } = field; field.value = ""; ${script} })</script>`),
  );
  await session.do("browser_type", { ref: refOf(page, "Password"), text: `{{tester.${name}}}` });
  const { image } = await session.do("browser_take_screenshot", { ...args });
  return String(image);
}

for (const [how, script] of Object.entries(ECHOES)) {
  test(`a picture does not show a secret that the page draws as ${how}`, async () => {
    await using session = worker.session();
    for (const args of [{}, { fullPage: true }]) {
      const [one, other] = [
        await pictureOf(session, script, "one", args),
        await pictureOf(session, script, "other", args),
      ];
      assert.ok(one === other, `${JSON.stringify(args)}: the pictures differ`);
    }
  });
}

test("other texts are drawn, and stay as they are after the picture", async () => {
  await using session = worker.session();
  const pictures: string[] = [];
  for (const words of ["Hello", "Adieu"])
    pictures.push(await pictureOf(session, `out.textContent = "${words} " + value`, "one", {}));
  assert.notEqual(pictures[0], pictures[1]);
  const { text } = await session.do("browser_snapshot", { full: true });
  assert.match(text, /Adieu •••/);
  const { text: again } = await session.do("browser_snapshot");
  assert.match(again, /unchanged/);
});

/** The work of a frame that has drawn the secret. A picture has a busy frame's last drawing, without newer covers. */
const AFTERWARDS: Record<string, string> = {
  shows: "",
  "shows, and then is busy,":
    "setInterval(() => { const end = performance.now() + 600; while (performance.now() < end); })",
  "shows, and then hangs,": "setTimeout(() => { for (;;); })",
};
for (const [what, then] of Object.entries(AFTERWARDS)) {
  test(`a frame of another site that ${what} a secret is covered, too`, async () => {
    const frame = site.page(`${STYLE}<p id=out></p><script>
      const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      addEventListener("message", async ({ data }) => {
        out.textContent = "framed " + data;
        await drawn();
        parent.postMessage("drawn", "*");
        ${then}
      })</script>`);
    const script = `const inner = document.createElement("iframe"); inner.src = "${site.elsewhere(frame)}"; inner.title = "Echo";
      inner.onload = () => inner.contentWindow.postMessage(value, "*");
      addEventListener("message", () => { document.body.append("It is drawn") }); out.append(inner)`;
    const pictures: string[] = [];
    for (const name of ["one", "other"]) {
      // A frame that hangs would keep its process from the next one.
      await using session = worker.session();
      await pictureOf(session, script, name, {});
      await session.do("browser_wait_for", { text: "It is drawn" });
      pictures.push(String((await session.do("browser_take_screenshot")).image));
    }
    assert.ok(pictures[0] === pictures[1]);
  });
}

/** Scripts that choose the element `at`. The page shows its secret there and changes that text all the time. */
const CHANGING: Record<string, string> = {
  "in its body": "let at = out",
  "in a modal dialog": `out.innerHTML = "<dialog></dialog>"; let at = out.firstChild; at.showModal()`,
  "in a popover of a shadow root": `const root = out.attachShadow({ mode: "open" }); root.innerHTML = "<p popover></p>"; let at = root.firstChild; at.showPopover()`,
};
for (const [where, script] of Object.entries(CHANGING)) {
  test(`a page that never stops changing its text is hidden where it shows a secret ${where}`, async () => {
    await using session = worker.session();
    const changing = `${script}; let count = 0; const tick = () => { at.textContent = value + " " + count++; requestAnimationFrame(tick) }; tick()`;
    const pictures: string[] = [];
    for (const name of ["one", "other"]) pictures.push(await pictureOf(session, changing, name, {}));
    assert.ok(pictures[0] === pictures[1]);
  });
}

test("a call that comes while an operator's picture hides a secret meets the page as it is", async () => {
  await using session = worker.session();
  await pictureOf(
    session,
    `out.innerHTML = "<button onclick='this.ariaPressed = true'></button>"; out.firstChild.textContent = value`,
    "one",
    {},
  );
  const { text } = await session.do("browser_snapshot", { full: true });
  const button = refOf(text, "button");
  let pictures = 0;
  let isOver = false;
  const look = async () => {
    while (!isOver) if ((await worker.picture(session.id)).length > 0) pictures++;
  };
  const looking = look();
  // The end of the test hears of it.
  looking.catch(() => undefined);
  try {
    for (let round = 0; round < 25; round++) {
      await session.do("browser_click", { ref: button });
      assert.match((await session.do("browser_snapshot", { full: true })).text, /button "•••" \[pressed\]/);
    }
  } finally {
    isOver = true;
    await looking;
  }
  assert.ok((await worker.picture(session.id)).length > 0, `${pictures} pictures before`);
});

for (const [what, script, isSeen] of [
  ["does not show its secret", "", true],
  ["shows its secret", "out.textContent = value", false],
] as const)
  test(`an operator sees a page that ${what} ${isSeen ? "during" : "only between"} calls`, async () => {
    await using session = worker.session();
    await pictureOf(session, script, "one", {});
    const waiting = session.call("browser_wait_for", { text: "never there", time: 8 });
    // The picture's first questions come after the call, which has its turn by then.
    await session.call("browser_snapshot", {}, { deadlineMs: 1_000 });
    assert.equal((await worker.picture(session.id)).length > 0, isSeen);
    await waiting;
    assert.ok((await worker.picture(session.id)).length > 0);
  });

/** Scripts of pages that come to their printed style in different ways. */
const PRINTED: Record<string, string> = {
  "that stands still": "",
  "that moves slowly to each style": `document.head.append(Object.assign(document.createElement("style"), { textContent: "p, p::before { transition: all 60s allow-discrete }" })); out.getBoundingClientRect();`,
};
for (const [how, first] of Object.entries(PRINTED)) {
  test(`a PDF of a page ${how} has no text of a secret, though its other texts`, async () => {
    await using session = worker.session();
    const printed: string[] = [];
    for (const name of ["one", "other"]) {
      // A PDF has the title, and the caret of a shown field in some moments.
      const script = `${first} out.textContent = "typed " + value + " so far"; field.hidden = true; document.title = "Echo"`;
      await pictureOf(session, script, name, {});
      const { file } = await session.do("browser_pdf_save");
      const { content } = file as { content: Uint8Array };
      printed.push(
        Buffer.from(content)
          .toString("latin1")
          .replaceAll(/D:\d{14}/g, ""),
      );
    }
    assert.match(printed[0] ?? "", /^%PDF/);
    assert.ok(printed[0] === printed[1], "the PDFs differ in more than their dates");
    assert.match((await session.do("browser_snapshot", { full: true })).text, /typed ••• so far/);
  });
}
