/** The script with which pages take part in a benchmark: it goes and changes as it is told, and says when that is done. */

/** What a page is told. */
export type Order =
  | { n: number; go: string }
  /** `rows` get this price, and the first of them has its checkbox turned over. */
  | { n: number; rows: number[]; price: string; toggle: boolean };

/**
 * The script element. `quietMs`: how long a page must leave its document alone after loading until it counts as
 * shown; pages that build themselves need it.
 */
export function stageScript({ quietMs = 0 } = {}): string {
  return `<script>(${takePart})(${quietMs});</script>`;
}

// Plain text, not a function of ours: it is the page's, and written for any browser.
const takePart = `(quietMs) => {
  const stage = location.pathname.split("/").slice(0, 3).join("/");
  const visit = new URL(location.href).searchParams.get("visit");
  const done = (n) => fetch(stage + "/done?n=" + n, { method: "POST" });
  // Two frames: one to be painted in, one to know that it has been.
  const shown = (then) => requestAnimationFrame(() => requestAnimationFrame(then));
  const change = ({ rows, price, toggle }) => {
    for (const i of rows) document.querySelectorAll(".price")[i].textContent = price;
    if (toggle) {
      const box = document.querySelectorAll("input")[rows[0]];
      box.checked = !box.checked;
    }
  };
  const orders = new EventSource(stage + "/orders");
  orders.onmessage = ({ data }) => {
    const order = JSON.parse(data);
    if (order.go) return location.replace(order.go);
    change(order);
    shown(() => done(order.n));
  };
  const connected = new Promise((resolve) => { orders.onopen = resolve; });
  const loaded = new Promise((resolve) => {
    if (document.readyState === "complete") resolve();
    else addEventListener("load", resolve);
  });
  const quiet = () => new Promise((resolve) => {
    if (quietMs === 0) return resolve();
    const settle = () => { observer.disconnect(); resolve(); };
    let timer = setTimeout(settle, quietMs);
    const observer = new MutationObserver(() => { clearTimeout(timer); timer = setTimeout(settle, quietMs); });
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  });
  Promise.all([connected, loaded]).then(quiet).then(() => shown(() => done(visit)));
}`;
