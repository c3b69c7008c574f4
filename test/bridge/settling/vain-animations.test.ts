// An animation that ends without effect is awaited until that is known. An animation with an effect is always awaited.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openBridge } from "../../harness/page.ts";

const bridge = await openBridge();

const STYLE = `<style>
  @keyframes ripple { from { opacity: .3 } to { opacity: 0 } }
  .ripple { animation: ripple .8s }
  .fade { transition: opacity .8s }
</style><div id=box></div><p id=out></p>`;

/** Runs the script as an action. Returns true if everything that moves had ended by then. */
async function isWaitedFor(script: string, { hearsTransitions = false } = {}): Promise<boolean> {
  await bridge.call("beginReaction");
  const beganAtMs = performance.now();
  await bridge.run(script);
  const sinceMs = performance.now() - beganAtMs;
  const input = { cause: "input", unheard: false, scrolls: false, timeMs: 3_000 } as const;
  const since = { sinceCauseMs: sinceMs, sinceActionMs: sinceMs };
  await bridge.call("reacted", { ...input, ...since, hearsTransitions });
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

test("a ripple is awaited once, and an animation that ends by showing something each time", async () => {
  await bridge.open(STYLE);
  assert.equal(await isWaitedFor(ripple("span.remove()")), true);
  assert.equal(await isWaitedFor(ripple("span.remove()")), false);
  await bridge.open(STYLE);
  for (let times = 0; times < 3; times++)
    assert.equal(await isWaitedFor(ripple("span.remove(); out.textContent += 'over '")), true);
});

/** Moves a card to a position, and runs a script at the end. */
const move = (
  to: number,
  atEnd = "",
) => `card.style.transition = "none"; card.style.left = "${9 - to}px"; card.offsetTop;
  card.style.transition = ""; card.style.left = "${to}px"; card.ontransitionend = () => { ${atEnd} }`;

test("an animation that once had an effect is always awaited from then on", async () => {
  await bridge.open(
    `${STYLE}<style>#card { transition: left .8s; position: relative }</style><div id=card>Card</div>`,
  );
  assert.equal(await isWaitedFor(move(9, "out.textContent += 'over '")), true);
  for (let times = 0; times < 3; times++) assert.equal(await isWaitedFor(move(9)), true);
});

test("a part with words must move twice without effect, and coming and going are two kinds", async () => {
  await bridge.open(
    `${STYLE}<style>#card { transition: left .8s; position: relative }</style><div id=card>Card</div>`,
  );
  const waited: boolean[] = [];
  for (let times = 0; times < 3; times++) waited.push(await isWaitedFor(move(9)));
  assert.deepEqual(waited, [true, true, false]);
  assert.equal(await isWaitedFor(move(0)), true);
});

test("fading words are awaited each time, because a timer may remove them later", async () => {
  await bridge.open(`${STYLE}<div id=card class=fade>Card</div>`);
  const fade = `card.style.transition = "none"; card.style.opacity = 1; card.offsetTop;
    card.style.transition = ""; card.style.opacity = 0`;
  for (let times = 0; times < 4; times++) assert.equal(await isWaitedFor(fade), true);
});

for (const [what, atEnd] of [
  [
    "leads to another animation",
    "span.className = 'ripple'; span.style.animation = 'other .4s'; span.onanimationend = () => { out.textContent += 'over ' }",
  ],
  [
    "leads to another animation, on a busy page,",
    `span.className = 'ripple'; span.style.animation = 'other .4s'; span.onanimationend = () => { out.textContent += 'over ' };
    for (const untilMs = performance.now() + 150; performance.now() < untilMs; );`,
  ],
  ["starts a timer", "setTimeout(() => { out.textContent += 'over ' }, 10)"],
  ["moves the focus", "document.activeElement === field ? field.blur() : field.focus()"],
  ["styles what has words", "out.className += 'x'"],
] as const)
  test(`an animation whose end ${what} is waited for each time`, async () => {
    await bridge.open(
      `${STYLE}<style>@keyframes other { to { left: 0 } }</style><input id=field><p>Words</p>`,
    );
    await bridge.run("out.textContent = 'Words '");
    for (let times = 0; times < 3; times++) assert.equal(await isWaitedFor(ripple(atEnd)), true);
  });

test("an animation whose own end shows something is awaited each time", async () => {
  await bridge.open(`${STYLE}<div id=card style="transition: visibility .8s">Card</div>`);
  for (let times = 0; times < 4; times++)
    assert.equal(await isWaitedFor("card.style.visibility = card.style.visibility ? '' : 'hidden'"), true);
});

const COLOURED = `<style>.on { background-color: red; color: blue; box-shadow: 0 0 9px } .far { left: 9px !important }</style>
  <button id=go style="transition: all .8s; position: relative; left: 0">Go</button>
  <div id=card style="transition: all .8s">Card</div>`;

test("colours of a control are not awaited once the page shows something new", async () => {
  await bridge.open(COLOURED);
  const script = "go.classList.toggle('on'); card.textContent += ' more'";
  assert.equal(await isWaitedFor(script), false);
  assert.equal(await isWaitedFor(script, { hearsTransitions: true }), true);
});

test("colours of a control are awaited twice if nothing new is shown, because a script may follow them", async () => {
  await bridge.open(COLOURED);
  const again =
    "go.style.transition = 'none'; go.className = ''; go.offsetTop; go.style.transition = 'all .8s';";
  const waited: boolean[] = [];
  for (let times = 0; times < 3; times++) waited.push(await isWaitedFor(`${again} go.className = 'on'`));
  assert.deepEqual(waited, [true, true, false]);
});

for (const [what, script] of [
  ["another part's colours", "card.className = 'on'"],
  ["moves of a control", "go.className = 'far'"],
  ["colours and moves of a control", "go.className = 'on far'"],
  ["colours that a script began", "go.animate([{ color: 'red' }, { color: 'blue' }], 800)"],
] as const)
  test(`${what} are awaited`, async () => {
    await bridge.open(COLOURED);
    assert.equal(await isWaitedFor(script), true);
  });
