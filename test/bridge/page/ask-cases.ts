// Runs in the bridge's world. It asks the bridge about one case after the other, each alone on the page.

import type { Said } from "../conformance/case.ts";

interface World {
  __troupe: {
    refOf(element: Element): string;
    resolve(ref: string): { state: string; element: { role: string; name: string } };
    tree(options: object): { text: string };
  };
}

/** The element in question has the attribute `@` in each markup. */
export function askCases(markups: readonly string[]): Said[] {
  const bridge = (globalThis as unknown as World).__troupe;
  return markups.map((html) => {
    document.body.setHTMLUnsafe(html.replace(/(<[^>]*\s)@(?=[\s>])/, "$1data-case"));
    const el = document.querySelector("[data-case]");
    if (el === null) throw new Error(`no element is meant in ${html}`);
    const ref = bridge.refOf(el);
    const { role, name } = bridge.resolve(ref).element;
    // An element without meaning and name is named by its text.
    const isText = role === "generic" && name === (el.textContent ?? "").replace(/\s+/g, " ").trim();
    const { text } = bridge.tree({});
    const line = text.split("\n").find((each) => each.includes(`[ref=${ref}]`));
    return { role, name: isText ? "" : name, line: line?.trim() };
  });
}

Object.assign(globalThis, { askCases });
