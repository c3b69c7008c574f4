// A reply comes when the action is over: what it began has ended, or is named as still under way.
import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { test } from "node:test";
import { refOf, stage, type WorkerSession } from "./fixture.ts";

const { worker, site } = await stage();

/** What the site's slow answers take, as those of a real server do. */
const ANSWER_MS = 80;

const later = (response: ServerResponse, body: string) =>
  setTimeout(() => response.end(body), ANSWER_MS).unref();

/** An address that answers after a while with what `answer` makes of the request's body. */
function api(answer: (body: string) => string): string {
  return site.route((request, response) => {
    bodyOf(request).then(
      (body) => later(response, answer(body)),
      () => response.destroy(),
    );
  });
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of request) text += part;
  return text;
}

/** A page with a button "Go"; `go` runs when it is clicked, and may call `show(text)`. */
function page(go: string, content = ""): string {
  return site.page(`<button id=go>Go</button><div id=out></div>${content}<script>
    const show = (text) => { out.innerHTML = "<p>" + text + "</p>" };
    ${go}</script>`);
}

/** The reply of a click on the button of that name. */
async function clicked(session: WorkerSession, shown: string, name = "Go"): Promise<string> {
  return (await session.do("browser_click", { ref: refOf(shown, name) })).text;
}

/** Opens the page, clicks its button so many times, and holds each reply to its words; a look after each adds nothing. */
async function holds(url: string, ...expected: RegExp[]): Promise<void> {
  await using session = worker.session();
  const shown = await session.open(url);
  for (const words of expected) {
    const reply = await clicked(session, shown);
    assert.match(reply, words);
    const look = await session.read();
    for (const line of look.match(/(?<=paragraph: |dialog ).*/g) ?? [])
      assert.ok(reply.includes(line), `${line}\nis missing in\n${reply}`);
  }
}

test("a dialog that fades out is gone from the reply", async () => {
  await using session = worker.session();
  const shown = await session.open(
    page(
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

test("a part that a transition's end shows is in the reply, and what that one's transition shows", () =>
  holds(
    page(`go.onclick = () => {
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
    };`),
    /dialog "Name"[\s\S]*textbox "Name"/,
  ));

test("an animation inside a shadow root is waited for", () =>
  holds(
    page(
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
      `go.onclick = () => { show("clicked"); long.style.width = "0px"; };`,
      `<style>@keyframes pulse { to { opacity: .2 } }</style>
       <i style="animation: pulse .5s infinite alternate">live</i>
       <div id=long style="width: 200px; transition: width 20s linear">bar</div>`,
    ),
  );
  assert.match(await clicked(session, shown), /clicked/);
  assert.match(await clicked(session, shown), /Clicked/);
});

test("a worker's answer is in the reply, however long it computes", () =>
  holds(
    page(`const code = "onmessage = ({ data }) => { const end = Date.now() + data; while (Date.now() < end); postMessage('computed ' + data) }";
      const helper = new Worker(URL.createObjectURL(new Blob([code])));
      helper.onmessage = ({ data }) => show(data);
      let took = 100;
      go.onclick = () => helper.postMessage(took += 100);`),
    /computed 200/,
    /computed 300/,
  ));

test("a worker that begins with the click and asks its server is waited for, and costs no time when it is done", async () => {
  const data = api(() => "from the server");
  await holds(
    page(`go.onclick = () => {
      const code = "fetch('${data}').then((answer) => answer.text()).then((text) => postMessage(text))";
      new Worker(URL.createObjectURL(new Blob([code]))).onmessage = ({ data }) => show(data);
    };`),
    /from the server/,
  );
});

test("a worker whose script has to be loaded first is waited for", async () => {
  const script = site.route((_request, response) => {
    response.setHeader("content-type", "text/javascript");
    later(response, "onmessage = ({ data }) => postMessage(data * 2)");
  });
  await holds(
    page(`go.onclick = () => {
      const helper = new Worker("${script}");
      helper.onmessage = ({ data }) => show("double: " + data);
      helper.postMessage(21);
    };`),
    /double: 42/,
    /Clicked/,
  );
});

test("what comes over a request that the server held open is in the reply", async () => {
  const polls: ServerResponse[] = [];
  const poll = site.route((_request, response) => void polls.push(response));
  let sent = 0;
  const send = site.route((_request, response) => {
    response.end();
    sent++;
    setTimeout(() => polls.splice(0).map((each) => each.end(`echo ${sent}`)), ANSWER_MS).unref();
  });
  await using session = worker.session();
  const shown = await session.open(
    page(`const poll = async () => { show(await (await fetch("${poll}")).text()); poll() };
      poll();
      go.onclick = () => fetch("${send}", { method: "POST" });`),
  );
  assert.match(await clicked(session, shown), /echo 1/);
});

test("the fresh answer that follows a service worker's kept one is in the reply", async () => {
  let count = 0;
  const data = api(() => `answer ${++count}`);
  const script = site.route((_request, response) => {
    response.setHeader("content-type", "text/javascript");
    response.end(`onactivate = (event) => event.waitUntil(clients.claim());
      onfetch = (event) => {
        if (!event.request.url.endsWith("${new URL(data).pathname}")) return;
        const fresh = fetch(event.request).then((answer) => answer.text());
        event.waitUntil(fresh.then(async (text) => { for (const client of await clients.matchAll()) client.postMessage(text) }));
        event.respondWith(new Response("kept"));
      };`);
  });
  await using session = worker.session();
  const shown = await session.open(
    page(`navigator.serviceWorker.onmessage = ({ data }) => show(data);
      navigator.serviceWorker.oncontrollerchange = () => show("controlled");
      navigator.serviceWorker.register("${script}", { scope: "/" });
      go.onclick = async () => show(await (await fetch("${data}")).text());`),
  );
  await session.do("browser_wait_for", { text: "controlled" });
  assert.match(await clicked(session, shown), /answer 1/);
});

test("a message in several parts is told whole", async () => {
  const url = site.socket((socket) =>
    socket.onText(() => {
      setTimeout(() => socket.send("first"), ANSWER_MS).unref();
      setTimeout(() => socket.send("second"), ANSWER_MS + 60).unref();
    }),
  );
  await holds(
    page(`const socket = new WebSocket("${url}");
      socket.onmessage = ({ data }) => out.append(document.createElement("p").textContent = data + ". ");
      go.onclick = () => socket.send("go");`),
    /first\. second/,
  );
});

test("a region that scrolls smoothly has arrived", async () => {
  await using session = worker.session();
  const shown = await session.open(
    page(
      `box.onscroll = () => { place.textContent = "at " + Math.round(box.scrollTop) };
       go.onclick = () => box.scrollTo({ top: 4_000, behavior: "smooth" });`,
      `<div id=box style="height: 100px; overflow: auto"><div style="height: 4100px"></div></div><p id=place></p>`,
    ),
  );
  const [place] = (await clicked(session, shown)).match(/at (?:3999|4000)/) ?? [];
  assert.ok(place !== undefined && (await session.read()).includes(place));
});

test("a request that the same address answers differently each time is waited for each time", async () => {
  let count = 0;
  const graphql = api((body) => (body.includes("mutation") ? `${++count}` : `${count} in the cart`));
  const ask = (query: string) =>
    `fetch("${graphql}", { method: "POST", body: '${query}' }).then((r) => r.text())`;
  await holds(
    page(`go.onclick = async () => { await ${ask("mutation")}; show(await ${ask("query")}) };`),
    /1 in the cart/,
    /2 in the cart/,
    /3 in the cart/,
    /4 in the cart/,
  );
});

test("an address that the page polls is waited for where an action asks for it", async () => {
  let count = 0;
  const orders = api((body) => (body === "add" ? `${++count}` : `${count} orders`));
  await holds(
    page(`setInterval(() => fetch("${orders}"), 200);
      go.onclick = async () => {
        await fetch("${orders}", { method: "POST", body: "add" });
        show(await (await fetch("${orders}")).text());
      };`),
    /1 orders/,
    /2 orders/,
    /3 orders/,
  );
});

test("an answer over a WebSocket is in the reply", async () => {
  let count = 0;
  const url = site.socket((socket) =>
    socket.onText((text) => setTimeout(() => socket.send(`${text} ${++count}`), ANSWER_MS).unref()),
  );
  await holds(
    page(`const socket = new WebSocket("${url}");
      socket.onmessage = ({ data }) => show(data);
      go.onclick = () => socket.send("echo");`),
    /echo 1/,
    /echo 2/,
    /echo 3/,
  );
});

test("a socket that chatters does not hide the answer for ever, and one that never answers costs its bound once", async () => {
  const chatty = site.socket((socket) => {
    const tick = setInterval(() => socket.send("tick"), 20).unref();
    socket.onText((text) => setTimeout(() => socket.send(text), ANSWER_MS).unref());
    setTimeout(() => clearInterval(tick), 20_000).unref();
  });
  await holds(
    page(`const socket = new WebSocket("${chatty}");
      socket.onmessage = ({ data }) => data === "tick" || show(data);
      let sent = 0;
      go.onclick = () => socket.send("note " + ++sent);`),
    /note 1/,
    /note 2/,
  );
});

test("an answer over server-sent events is in the reply of the action that asked for it", async () => {
  const streams = new Set<ServerResponse>();
  const events = site.route((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(":\n\n");
    streams.add(response);
  });
  let count = 0;
  const command = site.route((_request, response) => {
    response.writeHead(202).end();
    setTimeout(() => {
      for (const stream of streams) stream.write(`data: done ${++count}\n\n`);
    }, ANSWER_MS).unref();
  });
  await holds(
    page(`new EventSource("${events}").onmessage = ({ data }) => show(data);
      go.onclick = () => fetch("${command}", { method: "POST" });`),
    /done 1/,
    /done 2/,
  );
  for (const stream of streams) stream.destroy();
});

test("a timer that picks up the answer is waited for", async () => {
  const data = api(() => "answered");
  await holds(
    page(`let answer;
      setInterval(() => { if (answer) show(answer), (answer = undefined) }, 50);
      go.onclick = () => fetch("${data}").then((r) => r.text()).then((text) => { answer = text + " " + performance.now() });`),
    /answered/,
    /answered/,
  );
});

test("a filter that waits for the typing to end is told by the typing", async () => {
  await using session = worker.session();
  const shown = await session.open(
    page(
      `let timer;
       field.oninput = () => { clearTimeout(timer); timer = setTimeout(() => show("found " + field.value), 300) };`,
      `<input id=field aria-label=Filter>`,
    ),
  );
  const { text } = await session.do("browser_type", { ref: refOf(shown, "Filter"), text: "ada" });
  assert.match(text, /found ada/);
});

test("timers that a click starts one after the other are waited for", () =>
  holds(page(`go.onclick = () => setTimeout(() => setTimeout(() => show("second"), 60), 60);`), /second/));

test("a page that fills itself after it has loaded is opened filled", async () => {
  await using session = worker.session();
  const first = api(() => "first");
  const second = api(() => "second");
  const shown = await session.open(
    site.page(`<div id=app aria-busy=true>Loading…</div><script type=module>
      setTimeout(async () => {
        await (await fetch("${first}")).text();
        const text = await (await fetch("${second}")).text();
        setTimeout(() => { app.removeAttribute("aria-busy"); app.textContent = "Orders: " + text }, 60);
      }, 60);</script>`),
  );
  assert.match(shown, /Orders: second/);
  assert.doesNotMatch(shown, /Loading/);
});

test("a page that a log-in leads to is told filled", async () => {
  const data = api(() => "36 orders");
  const target = site.page(`<h1>Home</h1><div id=app></div><script>
    addEventListener("load", () => setTimeout(async () => { app.textContent = await (await fetch("${data}")).text() }, 40));</script>`);
  await holds(page(`go.onclick = () => { location.href = "${target}" };`), /36 orders/);
});

test("a request that hangs is named with its age, holds one action only, and what it brings is told by the next look", async () => {
  await using session = worker.session();
  const held = site.hold();
  const path = new URL(held.url).pathname;
  const shown = await session.open(
    page(`let times = 0;
      go.onclick = () => { fetch("${held.url}?token=secret").then((r) => r.text()).then(show); go.title = ++times };`),
  );
  const first = await clicked(session, shown);
  assert.match(first, new RegExp(`still waiting for GET ${path}, 3\\.\\d s`));
  assert.doesNotMatch(first, /secret/);
  const began = performance.now();
  assert.match(await clicked(session, shown), /still waiting for GET/);
  const tookMs = performance.now() - began;
  assert.ok(tookMs < 2_900, `the second click took ${tookMs} ms`);
  held.release("<p>late</p>");
  assert.match((await session.do("browser_wait_for", { text: "late" })).text, /late/);
});

test("a poll that is held open does not hold what is done on its page", async () => {
  await using session = worker.session();
  const held = site.hold();
  const shown = await session.open(
    page(`let cursor = 0;
      const poll = () => fetch("${held.url}?cursor=" + ++cursor).then(poll);
      poll();
      go.onclick = () => show("clicked");`),
  );
  const path = new URL(held.url).pathname;
  assert.match(shown, new RegExp(`still waiting for GET ${path}`));
  const began = performance.now();
  assert.match(await clicked(session, shown), /clicked/);
  assert.ok(performance.now() - began < 2_900);
  held.release("", {});
});

test("a script that never comes does not keep the page: it is named, and the page can be worked with", async () => {
  await using session = worker.session();
  const held = site.hold();
  const url = site.page(`<h1>Shop</h1><button onclick="this.textContent = 'Bought'">Buy</button>
    <script src="${held.url}"></script><p>The rest</p>`);
  const { text } = await session.do("browser_navigate", { url });
  assert.match(text, /Shop/);
  assert.match(text, new RegExp(`still waiting for GET ${new URL(held.url).pathname}`));
  assert.match(await clicked(session, text, "Buy"), /Bought/);
  held.release("");
  assert.match((await session.do("browser_wait_for", { text: "The rest" })).text, /The rest/);
});
