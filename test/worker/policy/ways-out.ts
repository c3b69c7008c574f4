// As many ways as a page has to ask something of another origin, each under a path that names it.

/** Every request and connection to a place that pages should not reach. */
export interface Ways {
  /** The page that tries them all, and says "All tried" when it has. */
  page(forbidden: string, port: number): string;
  /** What the page needs beside it: workers and documents of its own site. */
  scripts: Record<string, { type: string; body(forbidden: string): string }>;
}

/** A server's redirects: `/to/NAME` leads to NAME at the forbidden place. */
export const REDIRECTS = ["redirected-fetch", "redirected-image", "redirected-frame", "redirected-script"];

const JS = "text/javascript";
const socketOf = (forbidden: string) => forbidden.replace("http", "ws");

export const ways: Ways = {
  scripts: {
    "worker.js": {
      type: JS,
      body: (to) => `
        const tries = [() => fetch("${to}/worker-fetch"), () => importScripts("${to}/worker-import"),
          () => new Promise((over) => { const s = new WebSocket("${socketOf(to)}/worker-socket"); s.onopen = s.onerror = over; })];
        Promise.allSettled(tries.map(async (one) => one())).then(() => postMessage("over"));`,
    },
    "module.js": {
      type: JS,
      body: (to) => `import("${to}/worker-module").catch(() => 0).then(() => postMessage("over"));`,
    },
    "shared.js": {
      type: JS,
      body: (to) => `onconnect = ({ ports: [port] }) => Promise.allSettled([fetch("${to}/shared-fetch"),
        new Promise((over) => { const s = new WebSocket("${socketOf(to)}/shared-socket"); s.onopen = s.onerror = over; })])
        .then(() => port.postMessage("over"));`,
    },
    "service.js": {
      type: JS,
      body: (to) => `try { importScripts("${to}/service-import"); } catch (error) { self.failed = error; }
        oninstall = (event) => event.waitUntil(Promise.allSettled([fetch("${to}/service-fetch"),
          new Promise((over) => { const s = new WebSocket("${socketOf(to)}/service-socket"); s.onopen = s.onerror = over; })]));`,
    },
  },
  page: (to, port) => `<title>Ways</title><h1>Ways</h1>
    <link rel=icon href="${to}/favicon"><link rel=stylesheet href="${to}/style"><link rel=preload as=image href="${to}/preload">
    <link rel=modulepreload href="${to}/modulepreload"><link rel=prefetch href="${to}/prefetch"><link rel=preconnect href="${to}">
    <link rel=dns-prefetch href="${to}"><link rel=prerender href="${to}/prerender"><link rel=manifest href="${to}/manifest">
    <style>@import "${to}/css-import"; @font-face { font-family: f; src: url("${to}/font") } h1 { font-family: f; background: url("${to}/css-image") }</style>
    <script type=speculationrules>{"prerender":[{"source":"list","urls":["${to}/speculated"]}],"prefetch":[{"source":"list","urls":["${to}/speculated-prefetch"]}]}</script>
    <img src="${to}/image"><img srcset="${to}/srcset 1x"><picture><source srcset="${to}/picture"><img></picture>
    <img src="/to/redirected-image"><input type=image src="${to}/input"><video src="${to}/video" poster="${to}/poster"></video>
    <audio src="${to}/audio"></audio><video><track default src="${to}/track" kind=captions></video><object data="${to}/object"></object>
    <embed src="${to}/embed"><svg><image href="${to}/svg-image"></image><use href="${to}/svg-use#a"></use></svg>
    <iframe src="${to}/frame"></iframe><iframe src="/to/redirected-frame"></iframe>
    <iframe srcdoc="<img src='${to}/srcdoc-image'>"></iframe><iframe sandbox src="data:text/html,<img src='${to}/data-image'>"></iframe>
    <iframe srcdoc="<meta http-equiv=refresh content='0;url=${to}/refresh'>"></iframe>
    <iframe name=posted></iframe><form id=form method=post target=posted action="${to}/form"></form>
    <iframe name=got></iframe><a id=targeted target=got href="${to}/targeted">t</a><a id=pinged href="#" ping="${to}/ping">p</a>
    <script src="${to}/script"></script><script src="/to/redirected-script"></script><script type=module src="${to}/module"></script>
    <button id=go onclick="window.open('${to}/popup')">Popup</button>
    <script>
    const to = "${to}";
    const over = (target, ...names) => new Promise((done) => { for (const name of names) target.addEventListener(name, done); });
    const socket = (url) => over(new WebSocket(url), "open", "error");
    const xhr = () => { const x = new XMLHttpRequest(); x.open("GET", to + "/xhr"); x.send(); return over(x, "loadend"); };
    const stream = async () => { const s = new EventSource(to + "/event-source"); await over(s, "open", "error"); s.close(); };
    const worker = (w) => over(w, "message", "error");
    const shared = () => { const w = new SharedWorker("/shared.js"); w.port.start(); return Promise.race([over(w.port, "message"), over(w, "error")]); };
    const service = async () => { const r = await navigator.serviceWorker.register("/service.js"); const w = r.installing; if (w) await over(w, "statechange"); };
    const transport = async () => { const t = new WebTransport(to.replace("http", "https") + "/transport"); await t.ready; };
    const ice = async () => {
      const peer = new RTCPeerConnection({ iceServers: [{ urls: "stun:" + location.hostname.replace(/.$/, "2") + ":${port}" },
        { urls: "turn:127.0.0.2:${port}?transport=tcp", username: "a", credential: "b" }, { urls: "turn:127.0.0.2:${port}", username: "a", credential: "b" }] });
      peer.createDataChannel("a");
      const gathered = over(peer, "icegatheringstatechange");
      await peer.setLocalDescription(await peer.createOffer());
      while (peer.iceGatheringState !== "complete") await over(peer, "icegatheringstatechange");
    };
    const tries = { fetch: () => fetch(to + "/fetch"), opaque: () => fetch(to + "/no-cors", { mode: "no-cors" }),
      kept: () => fetch(to + "/keepalive", { keepalive: true, method: "POST", body: "a" }), preflight: () => fetch(to + "/preflight", { method: "PUT" }),
      redirected: () => fetch("/to/redirected-fetch", { mode: "no-cors" }), xhr, stream, beacon: () => navigator.sendBeacon(to + "/beacon", "a"),
      dynamic: () => import(to + "/dynamic-import"), socket: () => socket(to.replace("http", "ws") + "/socket"),
      worker: () => worker(new Worker("/worker.js")), module: () => worker(new Worker("/module.js", { type: "module" })), shared, service, transport, ice,
      blob: () => worker(new Worker(URL.createObjectURL(new Blob(["fetch('" + to + "/blob-worker').catch(() => 0).then(() => postMessage(1))"])))),
      made: () => over(Object.assign(new Image(), { src: to + "/made-image" }), "load", "error"),
      form: () => form.submit(), targeted: () => targeted.click(), pinged: () => pinged.click(),
      report: () => fetch("/reporting"), popup: () => window.open(to + "/unasked-popup"), stack: () => new PaymentRequest([{ supportedMethods: to + "/payment" }], { total: { label: "a", amount: { currency: "EUR", value: "1" } } }).canMakePayment() };
    const bounded = (trying) => Promise.race([trying, new Promise((done) => setTimeout(done, 2500))]);
    onload = () => Promise.allSettled(Object.values(tries).map((one) => bounded((async () => one())())))
      .then(() => document.body.append("All tried"));
    </script>`,
};
