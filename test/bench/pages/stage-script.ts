/**
 * The script with which pages take part in a benchmark. It follows orders to navigate and change, and reports when they
 * are done.
 */

/** An order for a page. */
export type Order =
  | { n: number; go: string }
  /** `rows` get this price, and the checkbox of the first row is toggled. */
  | { n: number; rows: number[]; price: string; toggle: boolean };

/**
 * Returns the script element. `quietMs`: the time for which a page must leave its document alone after loading, until
 * it counts as shown. Pages that build themselves need it.
 */
export function stageScript({ quietMs = 0 } = {}): string {
  return `<script>(${takePart})(${quietMs});</script>`;
}

// It is plain text and not a function, because it belongs to the page and must run in any browser.
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
