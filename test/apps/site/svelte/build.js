// Components are compiled while they are bundled.
import { readFile } from "node:fs/promises";
import { compile } from "svelte/compiler";

const components = {
  name: "svelte",
  setup: (build) =>
    build.onLoad({ filter: /\.svelte$/ }, async ({ path }) => {
      const { js } = compile(await readFile(path, "utf8"), { filename: path, css: "injected" });
      return { contents: js.code, loader: "js" };
    }),
};
export default { plugins: [components], conditions: ["svelte", "browser"] };
