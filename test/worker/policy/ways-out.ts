// Lists as many ways as a page has to reach another origin, each under a path that names it.

/** The ways to a place that pages should not reach. */
export interface Ways {
  /** The page that tries them all, and shows "All tried" at the end. */
  page(forbidden: string, port: number): string;
  /** The page's resources: workers and documents of its own site. */
  scripts: Record<string, { type: string; body(forbidden: string): string }>;
}

/** A server's headers that make the page send requests. */
export const headersOf = (forbidden: string): Record<string, string> => ({
  link: `<${forbidden}/header-preload>; rel=preload; as=image, <${forbidden}>; rel=preconnect, <${forbidden}/header-style>; rel=stylesheet`,
  "content-security-policy-report-only": `font-src 'none'; report-uri ${forbidden}/csp-report`,
  "reporting-endpoints": `default="${forbidden}/report"`,
});

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
    "events.js": {
      type: JS,
      body: (to) => `const s = new EventSource("${to}/worker-events");
        const w = new Worker(URL.createObjectURL(new Blob(["fetch('${to}/nested-worker').catch(() => 0).then(() => postMessage(1))"])));
        Promise.all([new Promise((over) => { s.onopen = s.onerror = () => { s.close(); over(); }; }),
          new Promise((over) => { w.onmessage = w.onerror = over; })]).then(() => postMessage("over"));`,
    },
    "worklet.js": { type: JS, body: (to) => `import "${to}/worklet-import";` },
    "sheet.xml": {
      type: "text/xml",
      body: (to) => `<?xml version="1.0"?><?xml-stylesheet type="text/css" href="${to}/xml-style"?><a>A</a>`,
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
    <iframe src="/refreshed"></iframe><iframe src="/sheet.xml"></iframe><frameset><frame src="${to}/frameset-frame"></frameset>
    <iframe srcdoc="<iframe src='${to}/srcdoc-frame'></iframe><script>fetch('${to}/srcdoc-fetch', { mode: 'no-cors' }); new WebSocket('${socketOf(to)}/srcdoc-socket')</script>"></iframe>
    <iframe src="javascript:'<img src=${to}/javascript-image>'"></iframe><iframe id=blobbed></iframe><iframe src="view-source:${to}/view-source"></iframe>
    <object type=text/html data="${to}/html-object"></object><embed type=text/html src="${to}/html-embed"><iframe name=kept></iframe><a id=saved download target=kept href="${to}/download">d</a>
    <svg><filter><feImage href="${to}/filter-image"/></filter></svg><p style="cursor: url(${to}/cursor), auto; background: image-set('${to}/image-set' 1x)">p</p>
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
    const hidden = new URL(to).hostname;
    // Each under a label of its own where the place has a name.
    const host = (label) => (/^[0-9.]+$/.test(hidden) ? hidden : label + "." + hidden);
    const turn = (urls) => ({ urls, username: "a", credential: "b" });
    const ice = async () => {
      const peer = new RTCPeerConnection({ iceServers: [{ urls: "stun:" + host("stun") + ":${port}" }, turn("turn:" + host("turn") + ":${port}"),
        turn("turn:" + host("turn-tcp") + ":${port}?transport=tcp"), turn("turns:" + host("turns") + ":${port}?transport=tcp")] });
      peer.createDataChannel("a");
      await peer.setLocalDescription(await peer.createOffer());
      while (peer.iceGatheringState !== "complete") await over(peer, "icegatheringstatechange");
    };
    const candidates = async () => {
      const [peer, other] = [new RTCPeerConnection(), new RTCPeerConnection()];
      peer.createDataChannel("a");
      await peer.setLocalDescription(await peer.createOffer());
      await other.setRemoteDescription(peer.localDescription);
      await other.setLocalDescription(await other.createAnswer());
      await peer.setRemoteDescription(other.localDescription);
      for (const [end, kind] of [["", "udp"], ["", "tcp"], [".local", "udp"]])
        await peer.addIceCandidate({ candidate: "candidate:1 1 " + kind + " 2122260223 " + host("candidate-" + kind) + end + " ${port} typ host" +
          (kind === "tcp" ? " tcptype passive" : ""), sdpMid: "0" });
      await over(peer, "iceconnectionstatechange");
      await new Promise((done) => { peer.oniceconnectionstatechange = () => peer.iceConnectionState === "failed" && done(); });
    };
    const tries = { fetch: () => fetch(to + "/fetch"), opaque: () => fetch(to + "/no-cors", { mode: "no-cors" }),
      kept: () => fetch(to + "/keepalive", { keepalive: true, method: "POST", body: "a" }), preflight: () => fetch(to + "/preflight", { method: "PUT" }),
      redirected: () => fetch("/to/redirected-fetch", { mode: "no-cors" }), xhr, stream, beacon: () => navigator.sendBeacon(to + "/beacon", "a"),
      dynamic: () => import(to + "/dynamic-import"), socket: () => socket(to.replace("http", "ws") + "/socket"),
      worker: () => worker(new Worker("/worker.js")), module: () => worker(new Worker("/module.js", { type: "module" })), shared, service, transport, ice, candidates,
      blob: () => worker(new Worker(URL.createObjectURL(new Blob(["fetch('" + to + "/blob-worker').catch(() => 0).then(() => postMessage(1))"])))),
      made: () => over(Object.assign(new Image(), { src: to + "/made-image" }), "load", "error"),
      events: () => worker(new Worker("/events.js")), worklet: () => new OfflineAudioContext(1, 1, 44100).audioWorklet.addModule("/worklet.js"),
      face: () => new FontFace("g", "url(" + to + "/face)").load(), saved: () => saved.click(),
      blobbed: () => { blobbed.src = URL.createObjectURL(new Blob(["<img src='" + to + "/blob-image'>"], { type: "text/html" })); return over(blobbed, "load"); },
      apart: () => window.open(to + "/unasked-apart", "_blank", "noopener"), later: () => fetchLater(to + "/later", { activateAfter: 0 }),
      form: () => form.submit(), targeted: () => targeted.click(), pinged: () => pinged.click(),
      report: () => fetch("/reporting"), popup: () => window.open(to + "/unasked-popup"), stack: () => new PaymentRequest([{ supportedMethods: to + "/payment" }], { total: { label: "a", amount: { currency: "EUR", value: "1" } } }).canMakePayment() };
    const bounded = (trying) => Promise.race([trying, new Promise((done) => setTimeout(done, 2500))]);
    onload = () => Promise.allSettled(Object.values(tries).map((one) => bounded((async () => one())())))
      .then(() => document.body.append("All tried"));
    </script>`,
};
