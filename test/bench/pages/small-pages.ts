/** The small pages: the waiting page, the page for actions, and the target of navigations. */

/** The page on which a browser waits for its orders. */
export function waitingHtml(script: string): string {
  return `<!doctype html><html lang="en"><title>Waiting</title><h1>Waiting</h1>${script}</html>`;
}

/** A button that changes the page at once, a field, and links around them. */
export function actionsHtml(script: string): string {
  const links = Array.from({ length: 100 }, (_, i) => `<li><a href="x${i}">Link ${i}</a></li>`).join("");
  return (
    `<!doctype html><html lang="en"><title>Act</title><h1>Act</h1>` +
    `<button type="button" id="add">Add one</button><p id="count">0 added</p><input aria-label="Name">` +
    `<ul>${links}</ul>` +
    `<script>{ let n = 0; document.getElementById("add").onclick = () => {` +
    ` document.getElementById("count").textContent = ++n + " added"; }; }</script>${script}</html>`
  );
}

/** Returns the page's text after n clicks. */
export const afterClicks = (n: number) => `${n} added`;

/** A small page, another one at each visit. */
export function smallHtml(n: number): string {
  const links = Array.from({ length: 20 }, (_, i) => `<li><a href="y${i}">Link ${i} of ${n}</a></li>`).join(
    "",
  );
  return `<!doctype html><html lang="en"><title>Page ${n}</title><h1>Page ${n}</h1><ul>${links}</ul></html>`;
}
