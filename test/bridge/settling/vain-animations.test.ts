// An animation whose end brings nothing is waited for until that is known; one whose end brings something, always.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openBridge } from "../fixture.ts";

const bridge = await openBridge();
after(() => bridge.close());

const STYLE = `<style>
  @keyframes ripple { from { opacity: .3 } to { opacity: 0 } }
  .ripple { animation: ripple .8s }
  .fade { transition: opacity .8s }
</style><div id=box></div><p id=out></p>`;

/** Does what the script does, as an action; whether all that moves was over then. */
async function isWaitedFor(script: string): Promise<boolean> {
  await bridge.call("beginReaction");
  const beganAtMs = performance.now();
  await bridge.run(script);
  const sinceMs = performance.now() - beganAtMs;
  const input = { cause: "input", unheard: false, scrolls: false, timeMs: 3_000 } as const;
  await bridge.call("reacted", { ...input, sinceCauseMs: sinceMs, sinceActionMs: sinceMs });
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

/** Moves a card to a place; what happens at the end. */
const move = (
  to: number,
  atEnd = "",
) => `card.style.transition = "none"; card.style.left = "${9 - to}px"; card.offsetTop;
  card.style.transition = ""; card.style.left = "${to}px"; card.ontransitionend = () => { ${atEnd} }`;

test("one that brought something is waited for from then on, whatever it brings", async () => {
  await bridge.open(
    `${STYLE}<style>#card { transition: left .8s; position: relative }</style><div id=card>Card</div>`,
  );
  assert.equal(await isWaitedFor(move(9, "out.textContent += 'over '")), true);
  for (let times = 0; times < 3; times++) assert.equal(await isWaitedFor(move(9)), true);
});

test("a part with words has to move twice for nothing, and to come is another thing than to go", async () => {
  await bridge.open(
    `${STYLE}<style>#card { transition: left .8s; position: relative }</style><div id=card>Card</div>`,
  );
  const waited: boolean[] = [];
  for (let times = 0; times < 3; times++) waited.push(await isWaitedFor(move(9)));
  assert.deepEqual(waited, [true, true, false]);
  assert.equal(await isWaitedFor(move(0)), true);
});

test("words that fade out are waited for each time: a timer may remove them later", async () => {
  await bridge.open(`${STYLE}<div id=card class=fade>Card</div>`);
  const fade = `card.style.transition = "none"; card.style.opacity = 1; card.offsetTop;
    card.style.transition = ""; card.style.opacity = 0`;
  for (let times = 0; times < 4; times++) assert.equal(await isWaitedFor(fade), true);
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
  await bridge.open(`${STYLE}<div id=card style="transition: visibility .8s">Card</div>`);
  for (let times = 0; times < 4; times++)
    assert.equal(await isWaitedFor("card.style.visibility = card.style.visibility ? '' : 'hidden'"), true);
});
