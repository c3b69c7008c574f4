// The styles and the script of an exported page of evidence. The script shows one call at a time.

/** All colours have the contrast of WCAG 2.2 AA in both themes. */
export const STYLE = `
:root { color-scheme: light dark; --back: #fff; --text: #1c1e21; --soft: #55595f; --line: #c9ccd1; --mark: #0b57d0; --bad: #b3261e; --field: #f3f4f6 }
@media (prefers-color-scheme: dark) { :root { --back: #16181b; --text: #e9eaec; --soft: #b3b8bf; --line: #43474d; --mark: #8ab4f8; --bad: #ff9a90; --field: #202327 } }
* { box-sizing: border-box }
body { margin: 0; padding: 1rem; background: var(--back); color: var(--text); font: 1rem/1.5 system-ui, sans-serif }
h1 { font-size: 1.5rem; margin: 0 } h2 { font-size: 1.2rem; margin: 0 } h3 { font-size: 1rem; margin: 1rem 0 .25rem }
h1, h2, dd, li, figcaption, p { overflow-wrap: anywhere }
p { margin: .25rem 0 } .soft { color: var(--soft) } .bad { color: var(--bad); font-weight: 600 }
a { color: var(--mark) }
article { border-top: 1px solid var(--line); padding: 1rem 0; scroll-margin-top: 5rem }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: .5rem 0 } dt { color: var(--soft) } dd { margin: 0 }
pre { margin: 0; padding: .75rem; max-height: 28rem; overflow: auto; background: var(--field); border: 1px solid var(--line); white-space: pre-wrap; overflow-wrap: anywhere; font-size: .875rem }
.pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: 1rem }
figure { margin: 0 } figcaption { color: var(--soft) } img { display: block; max-width: 100%; border: 1px solid var(--line) }
.scrub { display: none; position: sticky; top: 0; z-index: 1; gap: .5rem; align-items: center; background: var(--back); padding: .5rem 0; border-bottom: 1px solid var(--line) }
.scrub input { flex: 1; min-width: 8rem; min-height: 24px } button { font: inherit; min-height: 2rem; padding: 0 .75rem }
nav ol { padding-left: 2.5rem } nav a { display: inline-block; min-height: 24px }
:focus-visible { outline: 3px solid var(--mark); outline-offset: 2px }
.scripted .scrub { display: flex; flex-wrap: wrap } .scripted article:not(.shown) { display: none }
`;

/** It makes no element of any text, and asks nothing of the network. */
export const SCRIPT = `
"use strict";
const calls = [...document.querySelectorAll("article")];
const slider = document.querySelector("#at");
const place = document.querySelector("#place");
let at = -1;
function show(index) {
  const next = Math.min(Math.max(index, 0), calls.length - 1);
  if (next === at || next < 0) return;
  calls[at]?.classList.remove("shown");
  at = next;
  const call = calls[at];
  call.classList.add("shown");
  slider.value = String(at + 1);
  slider.setAttribute("aria-valuetext", call.querySelector("h2").textContent);
  place.textContent = at + 1 + " of " + calls.length;
  for (const link of document.querySelectorAll("nav a")) link.removeAttribute("aria-current");
  document.querySelector('nav a[href="#' + call.id + '"]')?.setAttribute("aria-current", "true");
  history.replaceState(null, "", "#" + call.id);
}
function fromHash() { show(Math.max(0, calls.findIndex(({ id }) => "#" + id === location.hash))); }
for (const picture of document.querySelectorAll("img[data-as]"))
  picture.src = document.getElementById(picture.dataset.as).src;
document.body.classList.add("scripted");
slider.max = String(calls.length);
slider.addEventListener("input", () => show(Number(slider.value) - 1));
document.querySelector("#back").addEventListener("click", () => show(at - 1));
document.querySelector("#on").addEventListener("click", () => show(at + 1));
addEventListener("hashchange", fromHash);
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target === slider || event.target.tagName === "PRE") return;
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: calls.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  show(to);
});
fromHash();
`;
