// Tests frames of this and other sites that come, go, hang or never answer.
import assert from "node:assert/strict";
import { test } from "node:test";
import { freePort } from "../../harness/free-port.ts";
import { refOf, stage } from "../../harness/worker.ts";

const { worker, site } = await stage();

const telling = (name: string) =>
  `<button onclick="out.textContent='${name} clicked'">${name}</button><output id=out></output>`;

test("frames of every kind are part of the tree, and each one's refs work", async () => {
  await using session = worker.session();
  const same = site.page(telling("Same"));
  const other = site.elsewhere(site.page(telling("Other")));
  const page = await session.open(
    site.page(
      `<iframe title=same src="${same}"></iframe><iframe title=other src="${other}"></iframe><iframe title=doc srcdoc="${telling("Doc").replaceAll('"', "&quot;")}"></iframe><iframe title=sandbox sandbox=allow-scripts src="${same}"></iframe><iframe title=blank></iframe>`,
    ),
  );
  for (const name of ["Same", "Other", "Doc"]) {
    const { text } = await session.do("browser_click", { ref: refOf(page, `button "${name}"`) });
    assert.match(text, new RegExp(`${name} clicked`));
  }
  assert.match(page, /iframe "sandbox" \[ref=e\d+\]:\n {2}- button "Same"/);
  assert.match(page, /iframe "blank" \[ref=e\d+\]$/m);
});

test("structural queries and searches reach into frames", async () => {
  await using session = worker.session();
  const inner = site.elsewhere(site.page(`<section id=card><h2>Lamp</h2>${telling("Buy")}</section>`));
  const page = await session.open(site.page(`<iframe title=F src="${inner}"></iframe>`));
  const ref = refOf(page, "Buy");
  const container = await session.do("resolve_container", { ref });
  assert.match(container.text, new RegExp(`level 1: <section> id="card".*refs inside: \\[ref=${ref}\\]`));
  const found = await session.do("browser_find", { text: "lamp" });
  assert.match(found.text, /heading "Lamp" \[level=2\] \[ref=f1_e\d+\]/);
});

test("a removed frame takes its refs with it, and another frame gets another number", async () => {
  await using session = worker.session();
  const inner = site.page(telling("Inside"));
  const page = await session.open(
    site.page(
      `<div id=box><iframe title=F src="${inner}"></iframe></div><button onclick="box.innerHTML=''">Remove</button><button onclick="box.innerHTML='<iframe title=G src=${inner}></iframe>'">Add</button>`,
    ),
  );
  const ref = refOf(page, "Inside");
  assert.equal(ref, "f1_e1");
  await session.do("browser_click", { ref: refOf(page, "Remove") });
  const refusal = await session.refuse("FRAME_DETACHED", "browser_click", { ref });
  assert.equal(refusal.details.frame, "f1");
  const added = await session.do("browser_click", { ref: refOf(page, "Add") });
  assert.equal(refOf(added.text, "Inside"), "f2_e1");
  await session.refuse("FRAME_DETACHED", "browser_click", { ref });
});

test("a frame that navigates keeps its number, and its earlier refs are refused", async () => {
  await using session = worker.session();
  const next = site.elsewhere(site.page(telling("Next")));
  const inner = site.page(`<a href="${next}">Leave</a>`);
  const page = await session.open(site.page(`<iframe title=F src="${inner}"></iframe>`));
  const ref = refOf(page, "Leave");
  assert.equal(ref, "f1_e1");
  const { text } = await session.do("browser_click", { ref });
  assert.equal(refOf(text, "Next"), "f1_e1");
  assert.match((await session.do("browser_click", { ref: "f1_e1" })).text, /Next clicked/);
});

test("a frame whose server never answers delays nothing", async () => {
  await using session = worker.session();
  const never = site.hold();
  const text = await session.open(
    site.page(`<h1>Page</h1><iframe title=F src="${site.elsewhere(never.url)}"></iframe>${telling("Go")}`),
  );
  assert.match(text, /heading "Page"/);
  assert.match(text, /iframe "F" .*:\n {2}- … not reachable: timeout: its server has not answered yet/);
  assert.match(text, /Warnings:/);
  assert.match((await session.do("browser_click", { ref: refOf(text, "Go") })).text, /Go clicked/);
  // Once it answers after all, it is part of the page and no longer warns.
  const waiting = session.do("browser_wait_for", { text: "Late words" });
  never.release("<p>Late words</p>");
  assert.doesNotMatch((await waiting).text, /Warnings/);
  assert.match(await session.read(), /iframe "F" .*:\n {2}- paragraph: Late words/);
});

test("a frame whose server was slow gets as much time to be read as any other", async () => {
  await using session = worker.session();
  const slow = site.hold();
  const page = await session.open(
    site.page(`<h1>Page</h1><iframe title=F src="${site.elsewhere(slow.url)}"></iframe>`),
  );
  assert.match(page, /its server has not answered yet/);
  const begun = site.hold();
  slow.release(
    `<p>Late words</p><script>fetch("${begun.url}"); for (const end = performance.now() + 500; performance.now() < end; );</script>`,
  );
  await begun.asked();
  begun.release("");
  const { text } = await session.do("browser_snapshot", { ref: refOf(page, 'iframe "F"') });
  assert.match(text, /Late words/);
});

test("a frame without a document gives the reason and a warning", async () => {
  await using session = worker.session();
  const text = await session.open(
    site.page(
      `<h1>Page</h1><iframe title=F src="http://127.0.0.1:${await freePort()}/"></iframe>${telling("Go")}`,
    ),
  );
  assert.match(
    text,
    /iframe "F" .*:\n {2}- … not reachable: its server refused the connection \(ERR_CONNECTION_REFUSED\)$/m,
  );
  assert.match(text, /Warnings:\n- 1 iframe/);
  assert.match((await session.do("browser_click", { ref: refOf(text, "Go") })).text, /Go clicked/);
  const secure = site.page(
    `<meta http-equiv="content-security-policy" content="frame-src 'none'"><iframe title=F src="${site.page("<p>In</p>")}"></iframe>`,
  );
  assert.match(await session.open(secure), /not reachable: .*ERR_BLOCKED_BY_CSP/);
  // Failures of a page that was left are no longer current.
  assert.doesNotMatch(await session.open(site.page("<h1>Other</h1>")), /Warnings/);
});

test("a frame of another site that hangs is a warning with its reason, and the rest works", async () => {
  await using session = worker.session();
  const hanging = site.elsewhere(
    site.page(`${telling("Trap")}<script>onmessage = () => { for (;;); }</script>`),
  );
  const page = await session.open(
    site.page(
      `<h1>Page</h1><iframe id=f title=F src="${hanging}"></iframe><button onclick="f.contentWindow.postMessage('hang', '*'); out.textContent='sent'">Hang</button><output id=out></output>`,
    ),
  );
  assert.match(page, /Trap/);
  const { text, page: info } = await session.do("browser_click", { ref: refOf(page, "Hang") });
  assert.match(text, /status: sent/);
  assert.match(text, /… not reachable: timeout/);
  assert.match(text, /Warnings:\n- 1 iframe\(s\) inaccessible \(0 detached\)/);
  assert.equal(info?.warnings?.partialContent, true);
  const found = await session.do("browser_find", { text: "Page" });
  assert.match(found.text, /Not searched, as they do not answer: frames f1/);
  await session.refuse("FRAME_INJECTION_FAILED", "browser_snapshot", { ref: refOf(page, 'iframe "F"') });
  const failures = await worker.failures();
  assert.equal(failures.frameExpansionFailures.filter(({ current }) => current).length, 1);
  // Failures of an earlier document no longer warn.
  assert.doesNotMatch(await session.open(site.page("<h1>Other</h1>")), /Warnings/);
});

test("frames that come during a wait for a text are watched too", async () => {
  await using session = worker.session();
  const late = site.hold();
  const page = await session.open(
    site.page(
      `<div id=box></div><button onclick="setTimeout(() => box.innerHTML='<iframe title=F src=${site.elsewhere(late.url)}></iframe>')">Add</button>`,
    ),
  );
  const clicked = session.do("browser_click", { ref: refOf(page, "Add") }, { deadlineMs: 3_000 });
  await late.asked();
  await clicked;
  const waiting = session.do("browser_wait_for", { text: "Late words" });
  late.release("<p>Late words</p>");
  assert.match((await waiting).text, /Late words/);
});

test("frames that load on scrolling, or whose address holds their document, are part of the tree", async () => {
  await using session = worker.session();
  const lazy = site.elsewhere(site.page(telling("Lazy")));
  const data = `data:text/html,${encodeURIComponent(telling("Data"))}`;
  const svg = `data:image/svg+xml,${encodeURIComponent("<svg xmlns='http://www.w3.org/2000/svg'><a href='#x'><text>Map</text></a></svg>")}`;
  const page = await session.open(
    site.page(
      `<iframe title=data src="${data}"></iframe><iframe title=blank src=about:blank></iframe><object title=object data="${site.page(telling("Object"))}"></object>
      <embed title=svg src="${svg}"><div style="height:9000px"></div><iframe title=lazy loading=lazy src="${lazy}"></iframe>
      <script>document.querySelector("[title=blank]").contentDocument.body.innerHTML = "<p>Written</p>"</script>`,
    ),
  );
  for (const name of ["Data", "Object"]) {
    const { text } = await session.do("browser_click", { ref: refOf(page, `button "${name}"`) });
    assert.match(text, new RegExp(`${name} clicked`));
  }
  assert.match(page, /iframe "blank" \[ref=e\d+\]:\n {2}- paragraph: Written/);
  assert.match(page, /link "Map"/);
  assert.match(
    page,
    /iframe "lazy" \[ref=e\d+\]:\n {2}- … not loaded before it is scrolled to \[load with browser_scroll ref=e\d+ direction=down\]$/m,
  );
  assert.doesNotMatch(page, /Warnings/);
  await session.do("browser_scroll", {
    ref: refOf(page, 'iframe "lazy"'),
    direction: "down",
  });
  await session.do("browser_wait_for", { text: "Lazy" });
  const { text } = await session.do("browser_click", { ref: refOf(await session.read(), 'button "Lazy"') });
  assert.match(text, /Lazy clicked/);
});

test("a frame that shows nothing for ever gives the reason", async () => {
  await using session = worker.session();
  const nothing = site.route((_request, response) => response.writeHead(204).end());
  const page = await session.open(
    site.page(
      `<iframe title=local src="file:///etc/hostname"></iframe><iframe title=nothing src="${nothing}"></iframe>`,
    ),
  );
  assert.match(
    page,
    /iframe "local" \[ref=e\d+\]:\n {2}- … not loaded: a web page may not show local files \(file:\)$/m,
  );
  assert.match(
    page,
    /iframe "nothing" \[ref=e\d+\]:\n {2}- … empty: its server answered without a document$/m,
  );
});

test("three sites deep, actions, queries and changes work as in the page itself", async () => {
  await using session = worker.session();
  const inmost = site.page(
    `<section id=card><h2>Lamp</h2><label>Amount <input></label><select aria-label=Size><option>S<option>L</select>${telling("Buy")}</section>`,
  );
  const middle = site.elsewhere(site.page(`<h3>Middle</h3><iframe title=Inmost src="${inmost}"></iframe>`));
  const page = await session.open(
    site.page(
      `<div style="transform:scale(.8)"><iframe title=Outer src="${middle}" width=600 height=400></iframe></div>`,
    ),
  );
  const amount = refOf(page, 'textbox "Amount"');
  assert.match(amount, /^f2_e\d+$/);
  const typed = await session.do("browser_type", { ref: amount, text: "3" });
  assert.match(typed.text, new RegExp(`~ - textbox "Amount" \\[active\\] \\[ref=${amount}\\]: 3`));
  await session.do("browser_select_option", { ref: refOf(page, 'combobox "Size"'), values: ["L"] });
  const buy = refOf(page, 'button "Buy"');
  const clicked = await session.do("browser_click", { ref: buy });
  assert.match(clicked.text, /^changed since snapshot/m);
  assert.match(clicked.text, /status: Buy clicked/);
  const container = await session.do("resolve_container", { ref: buy });
  assert.match(container.text, /<section> id="card"/);
  const pattern = await session.do("inspect_pattern", { ref: buy, ancestorLevel: 1 });
  assert.match(pattern.text, /Lamp/);
  const anchors = await session.do("extract_anchors", { ref: buy, ancestorLevel: 1 });
  assert.match(anchors.text, /<h2> "Lamp"/);
  const found = await session.do("browser_find", { regex: "^L.mp$" });
  assert.match(found.text, /heading "Lamp" \[level=2\] \[ref=f2_e\d+\]/);
  const full = await session.read();
  assert.match(full, /iframe "Outer" .*:\n {2}- heading "Middle".*\n {2}- iframe "Inmost" .*:\n {4}- /);
  assert.match((await session.do("browser_snapshot", {})).text, /^unchanged since|^Page/);
});

test("frames that are removed and rebuilt all the time delay nothing", async () => {
  await using session = worker.session();
  const inner = site.page("<p>Inside</p>");
  const page = await session.open(
    site.page(
      `${telling("Go")}<div id=near></div><div id=far></div><script>
      setInterval(() => { near.innerHTML = "<iframe title=F src=${inner}></iframe><iframe title=G></iframe>" }, 40);
      setInterval(() => { far.innerHTML = "<iframe title=H src=${site.elsewhere(inner)}></iframe>" }, 400);
      </script>`,
    ),
  );
  const ref = refOf(page, 'button "Go"');
  assert.match((await session.do("browser_click", { ref })).text, /Go clicked/);
  for (let look = 0; look < 3; look++) assert.match(await session.read(), /button "Go"/);
});

test("a frame without scripts of its own is read and clicked like others", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(
      `<iframe title=F sandbox srcdoc="<details><summary>More</summary><p>Words</p></details><input type=checkbox aria-label=Box>"></iframe>`,
    ),
  );
  const opened = await session.do("browser_click", { ref: refOf(page, "More") });
  assert.match(opened.text, /paragraph: Words/);
  const checked = await session.do("browser_click", { ref: refOf(page, "Box") });
  assert.match(checked.text, /checkbox "Box" \[checked\]/);
});

test("a page shown whole after many changes shows its frames whole too, changed or not", async () => {
  await using session = worker.session();
  const inner = site.page("<h1>Inside</h1><button onclick='parent.change()'>Change</button>");
  const rows = Array.from({ length: 200 }, (_, at) => `<li><button>b${at}</button>`).join("");
  const script = "function change() { list.innerHTML += '' }";
  const page = await session.open(
    site.page(
      `<script>${script}</script><button onclick="change()">Change</button><iframe title=F src="${inner}"></iframe><ul id=list>${rows}</ul>`,
    ),
  );
  for (const ref of [refOf(page, "Change"), refOf(page, "[ref=f1_e1]")]) {
    const { text } = await session.do("browser_click", { ref });
    assert.match(text, /iframe "F" .*:\n {2}- heading "Inside".*\n {2}- button "Change" .*\[ref=f1_e1\]/);
  }
});

test("refs that a search or a change delivers first work beside frames of the same process", async () => {
  await using session = worker.session();
  const told = `said.textContent = event.target.textContent`;
  const adding = `add.insertAdjacentHTML("afterend", "<button>New</button><iframe srcdoc=Words></iframe>")`;
  const page = await session.open(
    site.page(
      `<output id=said></output><p>Words</p><button id=add>Add</button><iframe title=F src="${site.page(telling("Same"))}"></iframe><iframe hidden src=about:blank></iframe><script>addEventListener("click", (event) => { ${told} }); add.onclick = () => { ${adding} }</script>`,
    ),
  );
  const found = await session.do("browser_find", { text: "Words" });
  assert.match(
    (await session.do("browser_click", { ref: refOf(found.text, "Words") })).text,
    /status: Words/,
  );
  const added = await session.do("browser_click", { ref: refOf(page, "Add") });
  assert.match((await session.do("browser_click", { ref: refOf(added.text, "New") })).text, /status: New/);
});
