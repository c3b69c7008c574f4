import htmx from "htmx.org/dist/htmx.esm.js";

// The extension looks for it there.
window.htmx = htmx;
await import("htmx.org/dist/ext/hx-ws.js");
