/**
 * Measures a take-over in milliseconds: `node test/bench/take-over.ts`. It prints how long a person waits for
 * the first picture, and for that of a click. It also prints how far pictures of an animation lie apart.
 */
import { AT, HERE, takeOverStage } from "../e2e/takeover/take-over-stage.ts";
import { Person } from "../harness/browser/person-at-work.ts";

const CLICKS = 40;
const PICTURES = 150;
const COLOURED = `<button style="${HERE}" onclick="document.body.style.background = '#' + (n = (n + 1) % 10) + '00'">Next</button><script>n = 0</script>`;
const ANIMATED = `<canvas id=c width=600 height=400></canvas><script>const x = c.getContext("2d"); (function draw(t) { x.fillStyle = "hsl(" + t / 5 % 360 + " 80% 50%)"; x.fillRect(0, 0, 600, 400); requestAnimationFrame(draw); })(0)</script>`;

await using stage = await takeOverStage();
await stage.open(COLOURED);
const link = await stage.link();
const opened = performance.now();
await using person = await Person.takeOver(link);
await person.seesPicture();
const linkToPicture = Math.round(performance.now() - opened);
const clickToPicture = await timesOf(CLICKS, async () => {
  const seen = person.seesFrames(1);
  person.click(...AT);
  await seen;
});
const left = performance.now();
await person.handBack();
await stage.agent.text("browser_snapshot");
const handBackToReply = Math.round(performance.now() - left);
await stage.open(ANIMATED);
await using watcher = await stage.person();
const pictureToPicture = await timesOf(PICTURES, () => watcher.seesFrames(1));
console.log({ linkToPicture, clickToPicture, pictureToPicture, handBackToReply });

async function timesOf(times: number, work: () => Promise<void>): Promise<{ p50: number; p95: number }> {
  const taken: number[] = [];
  for (let time = 0; time < times; time++) {
    const began = performance.now();
    await work();
    taken.push(performance.now() - began);
  }
  taken.sort((one, other) => one - other);
  const at = (share: number) => Math.round(taken[Math.floor(times * share)] ?? 0);
  return { p50: at(0.5), p95: at(0.95) };
}
