/** The applications that `npm test` plays. It installs their libraries, so these are few, and small where they can be. */
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
