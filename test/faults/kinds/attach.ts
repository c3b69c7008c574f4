// Faults of attached browsers: one that is not there, and ones that go.
import { startPersonsChrome } from "../../harness/browser/persons-chrome.ts";
import { refOf } from "../../harness/troupe.ts";
import { clickOf } from "../stage/choices.ts";
import { type Fault, shows } from "../stage/fault.ts";
import type { Stage } from "../stage/fault-harness.ts";
import { doneWhen } from "./pages.ts";

export const attach: Fault[] = [
  {
    name: "an attached browser that runs only later, before a page is opened",
    type: "CHROME_NOT_CONNECTED",
    recovers: "yes",
    async arrange(stage) {
      const { role, port } = stage.attachedRole();
      const agent = await stage.agent({ role });
      const url = stage.site.page("<h1>Served after all</h1>");
      const failed = async () => void stage.use(await startPersonsChrome({ port }));
      const reached = () => stage.site.count(url) === 1;
      return { agent, tool: "browser_navigate", args: { url }, failed, reached };
    },
  },
  {
    name: "an attached browser that ends and comes back while something is waited for",
    type: "CHROME_NOT_CONNECTED",
    recovers: "yes",
    async arrange(stage) {
      const { agent, end, comeBack } = await attachedTo(stage);
      const held = stage.site.hold();
      await agent.open(`<p id=out></p>${doneWhen(held)}`);
      return {
        agent,
        tool: "browser_wait_for",
        args: { text: "Done" },
        during: end,
        failed: async () => {
          await comeBack();
          held.release();
        },
        reached: shows("Done"),
      };
    },
  },
  {
    name: "an attached browser that ends and comes back in the middle of a click",
    type: "CHROME_NOT_CONNECTED",
    recovers: "asks",
    async arrange(stage) {
      const { agent, end, comeBack } = await attachedTo(stage);
      const held = stage.site.hold();
      const page = await agent.open(`<button onclick="location = '${held.url}'">Save</button>`);
      const during = async () => {
        await held.asked();
        await end();
      };
      const failed = async () => {
        held.release("<h1>Saved</h1>");
        await comeBack();
      };
      const args = { ref: refOf(page, "button", "Save") };
      const intent = [clickOf("button", "Save")];
      return { agent, tool: "browser_click", args, during, failed, intent, reached: shows("Saved") };
    },
  },
];

/** Returns an agent in a role whose browser runs, and can be ended and started again. */
async function attachedTo(stage: Stage) {
  const { role, port } = stage.attachedRole();
  const chrome = stage.use(await startPersonsChrome({ port }));
  return {
    agent: await stage.agent({ role }),
    end: () => chrome.kill(),
    comeBack: async () => void stage.use(await startPersonsChrome({ port })),
  };
}
