// Tests that a reply comes once all motion has ended: transitions, animations, scrolling, timers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, stage } from "../../../harness/worker.ts";
import { api, clicked, holds, page } from "./slow-pages.ts";

const { worker, site } = await stage();

test("a dialog that fades out is gone from the reply", async () => {
  await using session = worker.session();
  const shown = await session.open(
    page(
      site,
      `go.onclick = () => {
        dialog.style.opacity = 0;
        dialog.addEventListener("transitionend", () => { dialog.remove(); show("agreed") });
      };`,
      `<div id=dialog role=dialog aria-label=Terms style="transition: opacity .3s">Terms <button>Close</button></div>`,
    ),
  );
  const reply = await clicked(session, shown);
  assert.match(reply, /agreed/);
  assert.match(reply, /removed.*dialog "Terms"/s);
});

test("a part that has faded out is gone from the reply, even if a timer removes it somewhat later", async () => {
  await using session = worker.session();
  const shown = await session.open(
    page(
      site,
      `go.onclick = () => {
        show("going");
        row.style.opacity = 0;
        setTimeout(() => row.remove(), 400);
      };`,
      `<p id=row style="transition: opacity .2s">Row</p>`,
    ),
  );
  assert.match(await clicked(session, shown), /removed.*paragraph "Row"/s);
});

test("a part shown by a transition's end is in the reply, and so is the next transition's", () =>
  holds(
    worker,
    page(
      site,
      `go.onclick = () => {
      const backdrop = document.createElement("div");
      backdrop.style.cssText = "opacity: 0; transition: opacity .15s";
      document.body.append(backdrop);
      backdrop.offsetTop;
      backdrop.style.opacity = 1;
      backdrop.addEventListener("transitionend", () => {
        const dialog = document.createElement("div");
        dialog.setAttribute("role", "dialog");
        dialog.setAttribute("aria-label", "Name");
        dialog.style.cssText = "transform: translateY(-50px); transition: transform .6s";
        document.body.append(dialog);
        dialog.offsetTop;
        dialog.style.transform = "none";
        dialog.addEventListener("transitionend", () => { dialog.innerHTML = "<input aria-label=Name>" });
      });
    };`,
    ),
    /dialog "Name"[\s\S]*textbox "Name"/,
  ));

test("an animation inside a shadow root is waited for", () =>
  holds(
    worker,
    page(
      site,
      `const root = host.attachShadow({ mode: "open" });
      root.innerHTML = "<div id=box style='transition: opacity .2s'></div>";
      go.onclick = () => {
        root.querySelector("div").style.opacity = 0;
        root.querySelector("div").addEventListener("transitionend", () => show("faded"));
      };`,
      "<div id=host></div>",
    ),
    /faded/,
  ));

test("an animation without an end, or a long one, is not waited for", async () => {
  await using session = worker.session();
  const shown = await session.open(
    page(
      site,
      `go.onclick = () => { show("clicked"); long.style.width = "0px"; };`,
      `<style>@keyframes pulse { to { opacity: .2 } }</style>
       <i style="animation: pulse .5s infinite alternate">live</i>
       <div id=long style="width: 200px; transition: width 20s linear">bar</div>`,
    ),
  );
  assert.match(await clicked(session, shown), /clicked/);
  assert.match(await clicked(session, shown), /Clicked/);
});

test("a region that scrolls smoothly has arrived in the reply", async () => {
  await using session = worker.session();
  const shown = await session.open(
    page(
      site,
      `box.onscroll = () => { place.textContent = "at " + Math.round(box.scrollTop) };
       go.onclick = () => box.scrollTo({ top: 4_000, behavior: "smooth" });`,
      `<div id=box style="height: 100px; overflow: auto"><div style="height: 4100px"></div></div><p id=place></p>`,
    ),
  );
  const reply = await clicked(session, shown);
  const [place = "nowhere"] = (await session.read()).match(/at \d+/) ?? [];
  assert.match(reply, new RegExp(`${place}$`, "m"));
});

test("a timer that fetches the answer is waited for", async () => {
  const data = api(site, () => "answered");
  await holds(
    worker,
    page(
      site,
      `let answer;
      setInterval(() => { if (answer) show(answer), (answer = undefined) }, 50);
      go.onclick = () => fetch("${data}").then((r) => r.text()).then((text) => { answer = text + " " + performance.now() });`,
    ),
    /answered/,
    /answered/,
  );
});

test("a filter that waits for the end of the typing shows its result in the reply", async () => {
  await using session = worker.session();
  const shown = await session.open(
    page(
      site,
      `let timer;
       field.oninput = () => { clearTimeout(timer); timer = setTimeout(() => show("found " + field.value), 300) };`,
      `<input id=field aria-label=Filter>`,
    ),
  );
  const { text } = await session.do("browser_type", { ref: refOf(shown, "Filter"), text: "ada" });
  assert.match(text, /found ada/);
});

test("timers that a click starts one after the other are waited for", () =>
  holds(
    worker,
    page(site, `go.onclick = () => setTimeout(() => setTimeout(() => show("second"), 60), 60);`),
    /second/,
  ));
