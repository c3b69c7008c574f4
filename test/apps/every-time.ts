/** The applications that `npm test` plays. It installs their libraries, so these are few, and small where they can be. */
export const everyTime = ["alpine", "codemirror", "flatpickr", "graphql", "svelte", "tiptap", "turbo"];
