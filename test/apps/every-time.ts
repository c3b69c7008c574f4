/** The applications that `npm test` plays. It installs their libraries, so they are few, and small if possible. */
export const everyTime = [
  "alpine",
  "bootstrap",
  "codemirror",
  "flatpickr",
  "forms",
  "graphql",
  "htmx",
  "leaflet",
  "lexical",
  "offline",
  "radix",
  "socketio",
  "svelte",
  "tanstack",
  "tiptap",
  "turbo",
];
