// Faults of the database that keeps sessions.
import { startPostgres } from "../../harness/servers/postgres.ts";
import { refOf, startTroupe } from "../../harness/troupe.ts";
import { clickOf } from "../stage/choices.ts";
import { type Fault, shows } from "../stage/fault.ts";
import type { Stage } from "../stage/fault-harness.ts";
import type { Choice } from "../stage/literal-agent.ts";

/** Starts a daemon that keeps its sessions in PostgreSQL, and an agent. */
async function arranged(stage: Stage) {
  const postgres = stage.use(await startPostgres());
  const troupe = stage.use(await startTroupe({ settings: { store: await postgres.database() } }));
  const agent = await stage.agent({ role: "visitor", address: troupe.address });
  const comesBack = async () => {
    await postgres.start();
    await troupe.output.have("sessions are written again");
  };
  return { postgres, agent, comesBack };
}

export const store: readonly Fault[] = [
  {
    name: "a database that is gone before a call, and comes back",
    type: "STORE_UNAVAILABLE",
    recovers: "yes",
    async arrange(stage) {
      const { postgres, agent, comesBack } = await arranged(stage);
      await agent.open("<h1>Before</h1>");
      await postgres.stop();
      await agent.call("browser_navigate", { url: stage.site.page("<h1>Not kept</h1>") });
      const url = stage.site.page("<h1>After</h1>");
      const args = { url };
      return {
        agent,
        tool: "browser_navigate",
        args,
        failed: comesBack,
        reached: () => stage.site.count(url) === 1,
      };
    },
  },
  {
    name: "a database that goes away in the middle of a click, and comes back",
    type: "STORE_UNAVAILABLE",
    recovers: "asks",
    async arrange(stage) {
      const { postgres, agent, comesBack } = await arranged(stage);
      const held = stage.site.hold();
      const page = await agent.open(`<button onclick="location = '${held.url}'">Save</button>`);
      const during = async () => {
        await held.asked();
        await postgres.stop();
        held.release("<h1>Saved</h1>");
      };
      // The click may have been done, so a person looks before a second one.
      const intent: Choice[] = [
        (newest, all) =>
          shows("Saved")({ text: newest, isError: false, error: undefined })
            ? ["browser_snapshot", { full: true }]
            : clickOf("button", "Save")(newest, all),
      ];
      const args = { ref: refOf(page, "button", "Save") };
      return {
        agent,
        tool: "browser_click",
        args,
        during,
        failed: comesBack,
        intent,
        reached: shows("Saved"),
      };
    },
  },
];
