// Tests that a reply comes once workers, sockets and server-sent events have brought the action's result.
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import { stage } from "../../../harness/worker.ts";
import { ANSWER_MS, api, clicked, holds, later, ONCE_CONNECTED, page } from "./slow-pages.ts";

const { worker, site } = await stage();

test("a worker's answer is in the reply, however long it computes", () =>
  holds(
    worker,
    page(
      site,
      `const code = "onmessage = ({ data }) => { const end = Date.now() + data; while (Date.now() < end); postMessage('computed ' + data) }";
      const helper = new Worker(URL.createObjectURL(new Blob([code])));
      helper.onmessage = ({ data }) => show(data);
      let took = 100;
      go.onclick = () => helper.postMessage(took += 100);`,
    ),
    /computed 200/,
    /computed 300/,
  ));

test("a shared worker's answer is in the reply", async () => {
  const script = site.route((_request, response) => {
    response.setHeader("content-type", "text/javascript");
    response.end(`onconnect = ({ ports: [port] }) => {
      port.onmessage = ({ data }) => { const end = Date.now() + data; while (Date.now() < end); port.postMessage('computed ' + data) };
    }`);
  });
  await holds(
    worker,
    page(
      site,
      `const { port } = new SharedWorker("${script}");
      port.onmessage = ({ data }) => show(data);
      let took = 100;
      go.onclick = () => port.postMessage(took += 100);`,
    ),
    /computed 200/,
    /computed 300/,
  );
});

test("a worker that starts with the click and asks its server is waited for, and costs no time afterwards", async () => {
  const data = api(site, () => "from the server");
  await holds(
    worker,
    page(
      site,
      `go.onclick = () => {
      const code = "fetch('${data}').then((answer) => answer.text()).then((text) => postMessage(text))";
      new Worker(URL.createObjectURL(new Blob([code]))).onmessage = ({ data }) => show(data);
    };`,
    ),
    /from the server/,
  );
});

test("a worker whose script has to be loaded first is waited for", async () => {
  const script = site.route((_request, response) => {
    response.setHeader("content-type", "text/javascript");
    later(response, "onmessage = ({ data }) => postMessage(data * 2)");
  });
  await holds(
    worker,
    page(
      site,
      `go.onclick = () => {
      const helper = new Worker("${script}");
      helper.onmessage = ({ data }) => show("double: " + data);
      helper.postMessage(21);
    };`,
    ),
    /double: 42/,
    /Clicked/,
  );
});

test("news over a request that the server held open is in the reply", async () => {
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
    page(
      site,
      `const poll = async () => { show(await (await fetch("${poll}")).text()); poll() };
      poll();
      go.onclick = () => fetch("${send}", { method: "POST" });`,
    ),
  );
  assert.match(await clicked(session, shown), /echo 1/);
});

test("a message that is posted to the address of an open poll is answered over that poll", async () => {
  const polls: ServerResponse[] = [];
  let sent = 0;
  const address = site.route((request, response) => {
    if (request.method === "GET") return void polls.push(response);
    response.end("ok");
    sent++;
    setTimeout(() => polls.splice(0).map((each) => each.end(`echo ${sent}`)), 4 * ANSWER_MS).unref();
  });
  await using session = worker.session();
  const shown = await session.open(
    page(
      site,
      `const poll = async () => { show(await (await fetch("${address}?turn=" + Math.random())).text()); poll() };
      poll();
      go.onclick = () => {
        const request = new XMLHttpRequest();
        request.open("POST", "${address}");
        request.onload = () => show("sent");
        request.send();
      };`,
    ),
  );
  assert.match(await clicked(session, shown), /echo 1/);
  assert.match(await clicked(session, shown), /echo 2/);
});

test("the fresh answer after a service worker's cached one is in the reply", async () => {
  let count = 0;
  const data = api(site, () => `answer ${++count}`);
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
    page(
      site,
      `navigator.serviceWorker.onmessage = ({ data }) => show(data);
      navigator.serviceWorker.oncontrollerchange = () => show("controlled");
      navigator.serviceWorker.register("${script}", { scope: "/" });
      go.onclick = async () => show(await (await fetch("${data}")).text());`,
    ),
  );
  await session.do("browser_wait_for", { text: "controlled" });
  assert.match(await clicked(session, shown), /answer 1/);
});

test("a message in several parts is shown whole", async () => {
  const url = site.socket((socket) =>
    socket.onText(() => {
      setTimeout(() => socket.send("first"), ANSWER_MS).unref();
      setTimeout(() => socket.send("second"), ANSWER_MS + 60).unref();
    }),
  );
  await holds(
    worker,
    page(
      site,
      `const socket = new WebSocket("${url}");
      ${ONCE_CONNECTED}
      ${ONCE_CONNECTED}
      socket.onmessage = ({ data }) => out.append(document.createElement("p").textContent = data + ". ");
      go.onclick = () => socket.send("go");`,
    ),
    /first\. second/,
  );
});

test("an answer over a WebSocket is in the reply", async () => {
  let count = 0;
  const url = site.socket((socket) =>
    socket.onText((text) => setTimeout(() => socket.send(`${text} ${++count}`), ANSWER_MS).unref()),
  );
  await holds(
    worker,
    page(
      site,
      `const socket = new WebSocket("${url}");
      ${ONCE_CONNECTED}
      ${ONCE_CONNECTED}
      socket.onmessage = ({ data }) => show(data);
      go.onclick = () => socket.send("echo");`,
    ),
    /echo 1/,
    /echo 2/,
    /echo 3/,
  );
});

test("a chattering socket does not hide the answer for ever, and a silent one costs its bound once", async () => {
  const chatty = site.socket((socket) => {
    const tick = setInterval(() => socket.send("tick"), 20).unref();
    socket.onText((text) => setTimeout(() => socket.send(text), ANSWER_MS).unref());
    setTimeout(() => clearInterval(tick), 20_000).unref();
  });
  await holds(
    worker,
    page(
      site,
      `const socket = new WebSocket("${chatty}");
      let sent = 0, ticks = 0;
      // The page is clicked once it is known to chatter.
      go.disabled = true;
      socket.onmessage = ({ data }) => data === "tick" ? go.disabled = ++ticks < 5 : show(data);
      go.onclick = () => socket.send("note " + ++sent);`,
    ),
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
    worker,
    page(
      site,
      `new EventSource("${events}").onmessage = ({ data }) => show(data);
      go.onclick = () => fetch("${command}", { method: "POST" });`,
    ),
    /done 1/,
    /done 2/,
  );
  for (const stream of streams) stream.destroy();
});
