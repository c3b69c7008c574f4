// browser_steps: carries out several actions of other tools.
import type { ToolHandler } from "../tool.ts";
import { runSteps } from "./run-steps.ts";
import { readyStep } from "./step-kinds.ts";

export const steps: ToolHandler<"Steps"> = async ({ steps: asked, until }, context) =>
  await runSteps(context, { steps: asked.map(readyStep), until: until ?? undefined, done: "Steps done" });
