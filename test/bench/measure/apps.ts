/** Measures short tasks in applications of real libraries, from the first page to the last reply. */
import { installPackages } from "../../apps/packages.ts";
import { openSite, type Site } from "../../apps/site.ts";
import type { ToolCall } from "../contenders/dialect.ts";
import type { Entrant } from "./entrant.ts";
import { inTurn, type Run } from "./rounds.ts";

const appsPage = "apps";

type Step = { click: [role: string, name: string] } | { type: [name: string, text: string] };

interface Task {
  app: string;
  title: string;
  steps: readonly Step[];
  /** The application's own record of what was done. */
  did: string;
}

/** Each contender can do them by clicks and typing alone. A name stands for its first element. */
export const tasks: readonly Task[] = [
  {
    app: "svelte",
    title: "add a word (Svelte)",
    steps: [{ type: ["Word", "daisy"] }, { click: ["button", "Add"] }],
    did: "added daisy",
  },
  {
    app: "alpine",
    title: "order a cart (Alpine)",
    steps: [
      { click: ["button", "More"] },
      { click: ["button", "Order"] },
      { click: ["button", "Yes, order"] },
    ],
    did: "ordered for 4",
  },
  {
    app: "graphql",
    title: "add a task (React, GraphQL)",
    steps: [{ type: ["New task", "Read"] }, { click: ["button", "Add"] }],
    did: "added Read",
  },
  {
    app: "bootstrap",
    title: "delete a file by its menu (Bootstrap)",
    steps: [{ click: ["button", "Actions"] }, { click: ["button", "Delete"] }],
    did: "budget.txt deleted",
  },
  {
    app: "htmx",
    title: "edit a row in place (htmx)",
    steps: [{ click: ["button", "Edit"] }, { type: ["City", "Paris"] }, { click: ["button", "Save"] }],
    did: "Ann lives in Paris",
  },
];

export const taskPage = ({ app }: Pick<Task, "app">) => `${appsPage}-${app}`;

/** An element that has not come after so many looks will not come. */
const LOOKS_MAX = 20;

export async function measureApps(run: Run, isChosen: (page: string) => boolean): Promise<void> {
  for (const task of tasks.filter((each) => isChosen(taskPage(each)))) {
    await installPackages(task.app, run.say);
    await inTurn(run, { page: taskPage(task), rounds: run.quick ? 1 : 5 }, async ({ entrant, keep }) => {
      await using site = await openSite(task.app);
      // A page that is left open would keep the site open too.
      await using _ = { [Symbol.asyncDispose]: () => entrant.enterAgain() };
      keep("task", await carriedOut(task, site, entrant));
    });
  }
}

/** Returns the time of all calls, and all texts that a model has to read. */
async function carriedOut(task: Task, site: Site, entrant: Entrant): Promise<{ ms: number; text: string }> {
  const { dialect } = entrant.contender;
  const read = { ms: 0, text: "" };
  let last = "";
  const make = async (calls: readonly ToolCall[]) => {
    const { ms, text } = await entrant.do(calls);
    read.ms += ms;
    read.text += text;
    last = text;
  };
  const refOf = async (role: string, name: string) => {
    for (let looks = 0; looks < LOOKS_MAX; looks++) {
      const ref = dialect.refOf(last, role, name);
      if (ref !== undefined) return ref;
      await make(dialect.look("full") ?? []);
    }
    throw new Error(`its looks give no ref of ${role} ${JSON.stringify(name)}`);
  };
  await make(dialect.navigate(site.url));
  for (const step of task.steps) {
    if ("click" in step) await make(dialect.click(await refOf(...step.click)));
    else await make(dialect.type(await refOf("textbox", step.type[0]), step.type[1]));
  }
  await site.recorded(task.did, 1);
  if (!site.record.includes(task.did)) throw new Error(`the application did not record ${task.did}`);
  return read;
}
