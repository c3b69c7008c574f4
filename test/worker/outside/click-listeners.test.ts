// Tests that every clickable element has a working ref, however the page listens and however the element is drawn.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, stage } from "../../harness/worker.ts";

const { worker, site } = await stage();

test("elements with click listeners can be clicked, each part for itself", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<div id=app><p><a id=a>Prev</a> <a id=b>Next</a></p><div id=c>Card</div><p>Words</p><ul id=d><li>Item</li></ul>
      <table><tr id=e><td>Row</td><td><button>Open</button></td></tr></table></div><output id=out></output><script>
      for (const id of ["a", "b", "c", "e"]) document.getElementById(id).addEventListener("click", () => { out.textContent = id; });
      app.onclick = () => {};
      </script>`),
  );
  assert.match(page, /generic \[ref=(e\d+)\]: Prev\n.*generic \[ref=(e\d+)\]: Next\n/);
  assert.match(page, /- row \[ref=e\d+\]:/);
  // The outer element listens for all of these, and a list without a listener has no ref.
  assert.match(page, /^- paragraph:/m);
  assert.match(page, /^- list:/m);
  for (const [text, id] of [
    ["Prev", "a"],
    ["Next", "b"],
    ["Card", "c"],
  ] as const) {
    const { text: reply } = await session.do("browser_click", { ref: refOf(page, `: ${text}`) });
    assert.match(reply, new RegExp(`status: ${id}`));
  }
});

test("a listener that comes or goes without any other change shows in the next snapshot", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<p id=p>Words</p><button id=b>Listen</button><script>
      const said = () => { document.title = "pressed"; };
      let on = false;
      b.onclick = () => { on = !on; p[on ? "addEventListener" : "removeEventListener"]("click", said); };
      </script>`),
  );
  assert.match(page, /^- paragraph: Words$/m);
  const listen = refOf(page, "Listen");
  const came = await session.do("browser_click", { ref: listen });
  assert.match(came.text, /- paragraph \[ref=e\d+\]: Words/);
  const pressed = await session.do("browser_click", { ref: refOf(came.text, "Words") });
  assert.match(pressed.text, /Page "pressed"/);
  const went = await session.do("browser_click", { ref: listen });
  assert.match(went.text, /- paragraph: Words/);
  assert.match((await session.do("browser_snapshot")).text, /^unchanged|paragraph: Words/m);
});

test("listeners in frames and open shadow roots are found too", async () => {
  await using session = worker.session();
  const inner = site.page(
    `<p id=p>Same</p><script>p.onclick = () => { p.textContent = "Same pressed"; }</script>`,
  );
  const other = site.elsewhere(
    site.page(`<p id=p>Other</p><script>p.onclick = () => { p.textContent = "Other pressed"; }</script>`),
  );
  const page = await session.open(
    site.page(`<iframe title=F src="${inner}"></iframe><iframe title=G src="${other}"></iframe><div id=host></div><script>
      const root = host.attachShadow({ mode: "open" });
      root.innerHTML = "<p>Shadow</p>";
      root.firstChild.onclick = ({ target }) => { target.textContent = "Shadow pressed"; };
      </script>`),
  );
  for (const name of ["Same", "Other", "Shadow"]) {
    const { text } = await session.do("browser_click", { ref: refOf(page, `: ${name}`) });
    assert.match(text, new RegExp(`${name} pressed`));
  }
});

test("a checkbox out of sight is shown by its label, with role, state and ref", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<style>.btn-check { position: absolute; clip: rect(0 0 0 0); pointer-events: none } .gone { display: none }</style>
      <input type=radio class=btn-check name=size id=s checked><label for=s>Small</label>
      <input type=radio class=btn-check name=size id=l><label for=l>Large</label>
      <label><input type=checkbox class=gone id=news> News <a href="#terms">terms</a></label>
      <input type=radio class=gone name=kind id=k1 checked><label for=k1>One</label>
      <input type=radio class=gone name=kind id=k2><label for=k2>Two</label>`),
  );
  assert.match(page, /radio "Small" \[checked\] \[ref=e\d+\]\n- radio "Large" \[ref=e\d+\]/);
  assert.match(page, /- checkbox "News terms" \[ref=e\d+\]:\n {2}- link "terms"/);
  assert.match(page, /radio "One" \[checked\] \[ref=e\d+\]\n- radio "Two" \[ref=e\d+\]/);
  for (const name of ["Large", "Two", "News terms"]) {
    const { text } = await session.do("browser_click", { ref: refOf(page, `"${name}"`) });
    assert.match(text, new RegExp(`"${name}" \\[checked\\]`));
  }
  assert.match(await session.read(), /radio "Small" \[ref=/);
});

test("among many listening controls, an element without another sign has its ref in the first snapshot", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<ul id=list></ul><output id=out></output><script>
      const said = ({ target }) => { out.textContent = target.textContent; };
      for (let n = 0; n < 2500; n++) {
        const item = list.appendChild(document.createElement("li"));
        const control = item.appendChild(document.createElement("button"));
        control.textContent = "Open " + n;
        control.addEventListener("click", said);
      }
      const last = document.body.appendChild(document.createElement("div"));
      last.textContent = "All of them";
      last.addEventListener("click", said);
      </script>`),
  );
  assert.match(page, /Open 0/);
  const { text } = await session.do("browser_snapshot", { full: true, maxTokens: 0 });
  const { text: reply } = await session.do("browser_click", { ref: refOf(text, ": All of them") });
  assert.match(reply, /status: All of them/);
});

test("click listeners are found, however many listeners earlier pages have left behind", async () => {
  await using session = worker.session();
  for (let visit = 0; visit < 2; visit++)
    await session.open(
      site.page(`<p>Visit ${visit}</p><script>
        for (let n = 0; n < 12_000; n++)
          document.body.appendChild(document.createElement("i")).addEventListener("click", () => {});
        </script>`),
    );
  const page = await session.open(
    site.page(
      `<div id=card>Card</div><script>card.addEventListener("click", () => { document.title = "pressed"; })</script>`,
    ),
  );
  const { text } = await session.do("browser_click", { ref: refOf(page, ": Card") });
  assert.match(text, /Page "pressed"/);
});

test("the areas of an image map are clicked at their place", async () => {
  await using session = worker.session();
  const picture = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='200' height='100'/>";
  const page = await session.open(
    site.page(`<div style="height:3000px"></div><img usemap=#m src="${picture}" alt=Plan style="padding:10px"><map name=m>
      <area shape=rect coords=0,0,100,100 href=#a alt=Left><area shape=circle coords=150,50,40 href=#b alt=Right>
      <area shape=poly coords=100,0,120,0,100,20 href=#c alt=Corner></map><p id=out></p>
      <script>onclick = ({ target }) => { out.textContent = target.alt + " pressed" }</script>`),
  );
  for (const name of ["Right", "Left", "Corner"]) {
    const { text } = await session.do("browser_click", { ref: refOf(page, `link "${name}"`) });
    assert.match(text, new RegExp(`${name} pressed`));
  }
});
