/** Takes the pictures of docs/CONSOLE.md: `node test/bench/console-pictures.ts`. The shop and its roles are real. */
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { startPerson } from "../harness/browser/person.ts";
import { startTroupe } from "../harness/troupe.ts";

const docs = path.join(import.meta.dirname, "../../docs");

await using troupe = await startTroupe();
await using person = await startPerson();
const agent = await troupe.agent("--role", "visitor", "--session", "shopper");
await agent.text("browser_navigate", { url: `${troupe.shopUrl}/` });
const shown = await agent.text("browser_snapshot", { full: true });
await agent.call("browser_click", { ref: "e999" });
await agent.call("browser_click", { ref: /\[ref=(\w+)\]/.exec(shown)?.[1] ?? "e1" });
const admin = await troupe.agent("--role", "admin", "--session", "clerk");
await admin.text("browser_snapshot", { full: true });
const token = readFileSync(path.join(troupe.stateDir, "token"), "utf8").trim();

for (const [name, width, height, theme, view, heading] of [
  ["overview-wide", 1440, 700, "light", "", "Overview"],
  ["overview-narrow", 360, 740, "dark", "", "Overview"],
  ["session-wide", 1440, 760, "dark", "session/local%2Fshopper", "Live"],
  ["failures-narrow", 360, 740, "light", "failures", "Failed calls"],
] as const) {
  const page = await person.open(`${troupe.http}/console#token=${token}`, { width, height, theme });
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await page.goto(`${troupe.http}/console#/${view}`);
  await page.getByRole("heading", { name: heading, exact: true }).waitFor();
  if (heading === "Live") await page.getByRole("img", { name: "The page" }).waitFor();
  const file = path.join(docs, `console-${name}.png`);
  await page.screenshot({ path: file, scale: "css" });
  console.log(`${file}: ${Math.round(statSync(file).size / 1024)} kB`);
}
