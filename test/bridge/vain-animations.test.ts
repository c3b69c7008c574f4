// An animation whose end brings nothing is waited for until that is known; one whose end brings something, always.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openBridge } from "./fixture.ts";

const bridge = await openBridge();
after(() => bridge.close());

const INPUT = {
  cause: "input",
  unheard: false,
  scrolls: false,
  sinceCauseMs: 0,
  sinceActionMs: 0,
  timeMs: 3_000,
} as const;

const STYLE = `<style>
  @keyframes ripple { from { opacity: .3 } to { opacity: 0 } }
  .ripple { animation: ripple .2s }
  .fade { transition: opacity .2s }
</style><div id=box></div><p id=out></p>`;

/** Does what the script does, as an action; whether all that moves was over then. */
async function isWaitedFor(script: string): Promise<boolean> {
  await bridge.call("beginReaction");
  await bridge.run(script);
  await bridge.call("reacted", INPUT);
  const isOver = await bridge.run("document.getAnimations().length === 0");
  await bridge.call("endReaction");
  // The next one begins from the same state.
  await bridge.run("Promise.allSettled(document.getAnimations().map(({ finished }) => finished))");
  return isOver === true;
}

const ripple = (atEnd: string) => `{
  const span = document.createElement("span");
  span.className = "ripple";
  span.onanimationend = () => { ${atEnd} };
  box.append(span);
}`;

test("a ripple is waited for once, what shows something at its end each time", async () => {
  await bridge.open(STYLE);
  assert.equal(await isWaitedFor(ripple("span.remove()")), true);
  assert.equal(await isWaitedFor(ripple("span.remove()")), false);
  await bridge.open(STYLE);
  for (let times = 0; times < 3; times++)
    assert.equal(await isWaitedFor(ripple("span.remove(); out.textContent += 'over '")), true);
});

test("one that brought nothing twice and then something is waited for from then on", async () => {
  await bridge.open(`${STYLE}<div id=card class=fade>Card</div>`);
  const fade = (atEnd: string) => `card.style.transition = "none"; card.style.opacity = 1; card.offsetTop;
    card.style.transition = ""; card.style.opacity = 0; card.ontransitionend = () => { ${atEnd} }`;
  assert.equal(await isWaitedFor(fade("out.textContent += 'over '")), true);
  for (let times = 0; times < 3; times++) assert.equal(await isWaitedFor(fade("")), true);
});

test("a part with words has to fade twice for nothing, and to fade in is another thing than to fade out", async () => {
  await bridge.open(`${STYLE}<div id=card class=fade>Card</div>`);
  const waited: boolean[] = [];
  for (let times = 0; times < 3; times++) {
    waited.push(await isWaitedFor("card.style.opacity = 0"));
    if (times === 2) break;
    await isWaitedFor(
      "card.style.transition = 'none'; card.style.opacity = 1; card.offsetTop; card.style.transition = ''",
    );
  }
  assert.deepEqual(waited, [true, true, false]);
  await isWaitedFor(
    "card.style.transition = 'none'; card.style.opacity = 0; card.offsetTop; card.style.transition = ''",
  );
  assert.equal(await isWaitedFor("card.style.opacity = 1"), true);
});

for (const [what, atEnd] of [
  [
    "leads to another animation",
    "span.className = 'ripple'; span.style.animationName = 'other'; span.onanimationend = () => { out.textContent += 'over ' }",
  ],
  ["starts a timer", "setTimeout(() => { out.textContent += 'over ' }, 10)"],
  ["moves the focus", "document.activeElement === field ? field.blur() : field.focus()"],
  ["styles what has words", "out.className += 'x'"],
] as const)
  test(`one whose end ${what} is waited for each time`, async () => {
    await bridge.open(
      `${STYLE}<style>@keyframes other { to { left: 0 } }</style><input id=field><p>Words</p>`,
    );
    await bridge.run("out.textContent = 'Words '");
    for (let times = 0; times < 3; times++) assert.equal(await isWaitedFor(ripple(atEnd)), true);
  });

test("what ends by showing something itself is waited for each time", async () => {
  await bridge.open(`${STYLE}<div id=card style="transition: visibility .2s">Card</div>`);
  for (let times = 0; times < 4; times++)
    assert.equal(await isWaitedFor("card.style.visibility = card.style.visibility ? '' : 'hidden'"), true);
});
