// Faults of logins, sessions and limits, and of daemons that are missing, end, or are replaced.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import path from "node:path";
import { status } from "@grpc/grpc-js";
import { parseAddress } from "../../../client/connection/address.ts";
import { Connection } from "../../../client/connection/connection.ts";
import { stateFiles } from "../../../proto/machine/locations.ts";
import { SESSION } from "../../../proto/wire/metadata.ts";
import { Person } from "../../harness/browser/person-at-work.ts";
import { type Answer, StandIn, snapshotParts } from "../../harness/stand-in/daemon.ts";
import { refOf, startTroupe } from "../../harness/troupe.ts";
import { clickOf } from "../stage/choices.ts";
import { type Fault, shows } from "../stage/fault.ts";
import type { Stage } from "../stage/fault-harness.ts";
import type { Choice } from "../stage/literal-agent.ts";
import { kill } from "../stage/processes.ts";
import { opening } from "./opening.ts";

export const access: Fault[] = [
  {
    name: "a role whose login file is missing",
    type: "AUTHENTICATION_FAILED",
    recovers: "no",
    async arrange(stage) {
      return { agent: await stage.agent({ role: "login-lost" }), tool: "browser_snapshot", args: {} };
    },
  },
  {
    name: "a session that somebody closed, before a page is opened",
    type: "SESSION_EXPIRED",
    recovers: "yes",
    async arrange(stage) {
      const agent = await stage.agent();
      await agent.open("<h1>Before</h1>");
      await closeSession(stage, agent.session);
      const url = stage.site.page("<h1>After</h1>");
      return { agent, tool: "browser_navigate", args: { url }, reached: () => stage.site.count(url) === 1 };
    },
  },
  {
    name: "a session that somebody closed, before a click",
    type: "SESSION_EXPIRED",
    recovers: "asks",
    async arrange(stage) {
      const agent = await stage.agent();
      const saved = stage.beacon();
      const ref = refOf(await agent.open(`<button onclick="${saved.tell}">Save</button>`), "button", "Save");
      await closeSession(stage, agent.session);
      const intent = [clickOf("button", "Save")];
      return { agent, tool: "browser_click", args: { ref }, intent, reached: saved.toldOnce };
    },
  },
  {
    name: "a role whose only place another session has",
    type: "BUSY",
    recovers: "yes",
    async arrange(stage) {
      const holder = await stage.agent({ role: "narrow" });
      await holder.open("<h1>Mine</h1>");
      const agent = await stage.agent({ role: "narrow" });
      const url = stage.site.page("<h1>Free now</h1>");
      const reached = () => stage.site.count(url) === 1;
      return { agent, tool: "browser_navigate", args: { url }, failed: () => holder.end(), reached };
    },
  },
  {
    name: "a person who has taken the session over",
    type: "PERSON_AT_WORK",
    recovers: "yes",
    async arrange(stage) {
      const agent = await stage.agent();
      await agent.open("<h1>Before</h1>");
      const person = stage.use(await Person.takeOver(await linkTo(stage, agent.session)));
      const url = stage.site.page("<h1>After</h1>");
      const reached = () => stage.site.count(url) === 1;
      return { agent, tool: "browser_navigate", args: { url }, failed: () => person.handBack(), reached };
    },
  },
  {
    name: "a person who comes while a button is pressed",
    type: "PERSON_AT_WORK",
    recovers: "asks",
    async arrange(stage) {
      const agent = await stage.agent();
      const held = stage.site.hold();
      const page = await agent.open(`<button onclick="location = '${held.url}'">Save</button>`);
      let person: Person | undefined;
      const during = async () => {
        await held.asked();
        person = stage.use(await Person.takeOver(await linkTo(stage, agent.session)));
      };
      const failed = async () => {
        held.release("<h1>Saved</h1>");
        await person?.handBack();
      };
      const args = { ref: refOf(page, "button", "Save") };
      return { agent, tool: "browser_click", args, during, failed, reached: shows("Saved") };
    },
  },
  {
    name: "a daemon that was killed and comes back",
    type: "DAEMON_UNREACHABLE",
    recovers: "yes",
    async arrange(stage) {
      const troupe = stage.use(await startTroupe());
      const agent = await stage.agent({ role: "visitor", address: troupe.address });
      await agent.open("<h1>Before</h1>");
      kill(Number(troupe.daemon.pid));
      const url = stage.site.page("<h1>After</h1>");
      const reached = () => stage.site.count(url) === 1;
      return { agent, tool: "browser_navigate", args: { url }, failed: troupe.again, reached };
    },
  },
  {
    name: "a daemon that is killed while a page is opened",
    type: "DAEMON_UNREACHABLE",
    recovers: "yes",
    async arrange(stage) {
      const troupe = stage.use(await startTroupe());
      const agent = await stage.agent({ role: "visitor", address: troupe.address });
      return await opening(stage, agent, () => kill(Number(troupe.daemon.pid)), troupe.again);
    },
  },
  {
    name: "a daemon that was restarted and knows the session no more",
    type: "SESSION_LOST",
    recovers: "yes",
    async arrange(stage) {
      const troupe = stage.use(await startTroupe());
      const agent = await stage.agent({ role: "visitor", address: troupe.address });
      await agent.open("<h1>Before</h1>");
      troupe.daemon.kill("SIGTERM");
      await once(troupe.daemon, "exit");
      for (const end of ["", "-wal", "-shm"])
        await rm(path.join(troupe.stateDir, `sessions.db${end}`), { force: true });
      await troupe.again();
      const url = stage.site.page("<h1>After</h1>");
      return { agent, tool: "browser_navigate", args: { url }, reached: () => stage.site.count(url) === 1 };
    },
  },
  {
    name: "a daemon that ends and is started again",
    type: "DAEMON_DRAINING",
    recovers: "yes",
    async arrange(stage) {
      const troupe = stage.use(await startTroupe());
      const [busy, agent] = await Promise.all([
        stage.agent({ role: "visitor", address: troupe.address }),
        stage.agent({ role: "visitor", address: troupe.address }),
      ]);
      await agent.text("list_current_roles");
      const held = stage.site.hold();
      const waiting = busy.call("browser_navigate", { url: held.url });
      await held.asked();
      troupe.daemon.kill("SIGTERM");
      await troupe.output.have('"msg":"draining"');
      const url = stage.site.page("<h1>After</h1>");
      return {
        agent,
        tool: "browser_navigate",
        args: { url },
        failed: async () => {
          held.release("<h1>Done</h1>");
          await waiting;
          await troupe.again();
        },
        reached: () => stage.site.count(url) === 1,
      };
    },
  },
  {
    name: "a daemon that ends in the middle of a click",
    type: "DAEMON_DRAINING",
    recovers: "asks",
    async arrange(stage) {
      const troupe = stage.use(await startTroupe({ settings: { limits: { drain: "300ms" } } }));
      const agent = await stage.agent({ role: "visitor", address: troupe.address });
      const held = stage.site.hold();
      const page = await agent.open(`<button onclick="location = '${held.url}'">Save</button>`);
      const during = async () => {
        await held.asked();
        troupe.daemon.kill("SIGTERM");
      };
      // An upgrade ends the daemon and starts the next one.
      const failed = async () => {
        held.release("<h1>Saved</h1>");
        await troupe.again();
      };
      const args = { ref: refOf(page, "button", "Save") };
      // The page that the click opened may have been restored, so a person looks before a second click.
      const intent: Choice[] = [
        (newest, all) =>
          shows("Saved")({ text: newest, isError: false, error: undefined })
            ? ["browser_snapshot", { full: true }]
            : clickOf("button", "Save")(newest, all),
      ];
      return { agent, tool: "browser_click", args, during, failed, intent, reached: shows("Saved") };
    },
  },
  {
    name: "a proxy that resets the stream, once",
    type: "DAEMON_UNREACHABLE",
    recovers: "yes",
    arrange: (stage) =>
      onStandIn(stage, "Navigate", {
        tool: "browser_navigate",
        args: { url: "http://shop.example/" },
        first: { code: status.INTERNAL, details: "Received RST_STREAM with code 2 (Internal server error)" },
        answer: () => ({ text: "Opened" }),
      }),
  },
  {
    name: "a reply that is larger than can be sent",
    type: "RESULT_TOO_LARGE",
    recovers: "yes",
    arrange: (stage) =>
      onStandIn(stage, "Snapshot", {
        tool: "browser_snapshot",
        args: { maxTokens: 0 },
        first: {
          code: status.RESOURCE_EXHAUSTED,
          details: "Received message larger than max (70000000 vs 64000000)",
        },
        answer: ({ request }) => snapshotParts(request.maxTokens !== 0 ? "Opened" : "too large"),
      }),
  },
  {
    name: "something that nobody foresaw",
    type: "INTERNAL",
    recovers: "no",
    arrange: (stage) =>
      onStandIn(stage, "Click", {
        tool: "browser_click",
        args: { ref: "e1" },
        first: { code: status.UNKNOWN, details: "TypeError: x is not a function\n    at /srv/app/x.js:1:2" },
        answer: () => ({ text: "" }),
      }),
  },
];

async function closeSession(stage: Stage, session: string): Promise<void> {
  await asOperator(stage, (operator, headers) =>
    operator.call("Control", "CloseSession", { session }, { headers }),
  );
}

/** Returns the link by which a person takes the session over. */
async function linkTo(stage: Stage, session: string): Promise<string> {
  const { url } = await asOperator(stage, (operator, headers) =>
    operator.call("Control", "TakeOver", { session, role: "site" }, { headers }),
  );
  return url;
}

async function asOperator<T>(
  stage: Stage,
  work: (operator: Connection, headers: Record<string, string>) => Promise<T>,
): Promise<T> {
  const files = stateFiles({ cwd: "/", env: {} });
  const connection = await Connection.open(parseAddress(stage.troupe.address, "/", files));
  try {
    return await work(connection, { [SESSION]: randomUUID() });
  } finally {
    connection.close();
  }
}

/** A stand-in of a daemon, or a proxy before one, whose first answer is a bare status. */
async function onStandIn(
  stage: Stage,
  rpc: string,
  {
    tool,
    args,
    first,
    answer,
  }: { tool: string; args: Record<string, string | number>; first: object; answer: Answer },
) {
  let isFirst = true;
  const daemon = stage.use(
    await StandIn.start({
      [rpc]: (call) => {
        if (!isFirst) return answer(call);
        isFirst = false;
        throw Object.assign(new Error("a bare status"), first);
      },
    }),
  );
  const agent = await stage.agent({ address: daemon.address, role: "customer" });
  return { agent, tool, args, reached: shows("Opened") };
}
