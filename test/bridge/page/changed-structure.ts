// Runs in a page of Playwright. It changes the structure of a document by a seed.

/** Whatever the page's own programs go by stays: a redesign keeps its application working. */
export function changed(html: string, seed: number): string {
  let state = seed * 2_654_435_761 + 1;
  const random = () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0;
    return state / 2 ** 32;
  };
  const some = (likely: number) => random() < likely;
  const parsed = new DOMParser().parseFromString(html, "text/html");
  const hasProgram = html.includes("/page.js");
  const OWN = "dialog, template, select, svg, [role=dialog], .modal, .offcanvas, .toast-container, .dropdown";
  const isOwn = (el: Element) =>
    el.closest(OWN) !== null ||
    el.getAttributeNames().some((name) => /^(?:x-|hx-|ws-|sse-|data-bs|:|@|on)/.test(name));
  const all = (css = "*") => [
    ...parsed.body.querySelectorAll(`:is(${css}):not(script, style, template, option, svg *)`),
  ];
  const made = (tag: string, attributes: Record<string, string> = {}) => {
    const el = parsed.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) el.setAttribute(name, value);
    return el;
  };

  const renameClasses = () => {
    for (const el of all("[class]")) {
      if (!hasProgram && some(0.5)) el.setAttribute("class", "renamed");
      el.classList.add(`css-${Math.floor(random() * 1e9).toString(36)}`);
    }
  };
  const REFERENCES = ["id", "for", "list", "form", "aria-labelledby", "aria-describedby", "aria-controls"];
  const renameIds = () => {
    // The shop's scripts go by its ids.
    if (hasProgram || /\/(?:shop|order|payment)\.js/.test(html)) return;
    for (const { id } of all("[id]").filter(() => some(0.7)))
      for (const name of REFERENCES)
        for (const el of all(`[${name}="${CSS.escape(id)}"]`)) el.setAttribute(name, `${id}-renamed`);
  };
  const wrapAndInsert = () => {
    for (const el of all(
      "div, section, main, form, p, h1, h2, h3, ul, ol, table, nav, header, footer, label, button, a",
    )) {
      if (isOwn(el) || el.parentElement?.closest("ul, ol, table, tr, label") != null) continue;
      if (some(0.35)) {
        const wrapper = made(/^(?:A|BUTTON|LABEL)$/.test(el.tagName) ? "span" : "div");
        el.replaceWith(wrapper);
        wrapper.append(el);
      }
      const other = made("div");
      other.textContent = ["Sale ends soon", "New here?", "Sponsored"][Math.floor(random() * 3)] ?? "";
      if (some(0.2)) el.before(other);
    }
  };
  const TAGS: Record<string, [tag: string, attributes: Record<string, string>]> = {
    H1: ["div", { role: "heading", "aria-level": "1" }],
    H2: ["div", { role: "heading", "aria-level": "2" }],
    H3: ["div", { role: "heading", "aria-level": "3" }],
    NAV: ["div", { role: "navigation" }],
    MAIN: ["div", { role: "main" }],
    P: ["div", {}],
  };
  const swapTags = () => {
    for (const el of all(Object.keys(TAGS).join(", "))) {
      if (isOwn(el) || el.hasAttribute("role") || some(0.4)) continue;
      const [tag, attributes] = TAGS[el.tagName] ?? ["div", {}];
      const other = made(tag, {
        ...Object.fromEntries([...el.attributes].map((each) => [each.name, each.value])),
        ...attributes,
      });
      other.append(...el.childNodes);
      el.replaceWith(other);
    }
  };
  const reorder = () => {
    for (const list of all("ul, ol, tbody, nav, div")) {
      const children = [...list.children];
      const areAlike =
        children.length > 1 && children.every(({ tagName }) => tagName === children[0]?.tagName);
      if (areAlike && !isOwn(list) && !children.some(isOwn) && some(0.5)) list.append(...children.reverse());
    }
  };
  for (const change of [renameClasses, renameIds, wrapAndInsert, swapTags, reorder]) change();
  return `<!doctype html>${parsed.documentElement.outerHTML}`;
}

Object.assign(globalThis, { changed });
