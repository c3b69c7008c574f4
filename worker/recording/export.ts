// Writes a session's steps in one of the forms of an export. It is pure.
import type { ExportTestRequest, ExportTestResponse, RoleConfig } from "../../proto/gen/troupe.ts";
import { playwrightTest } from "./playwright-test.ts";
import type { RecordedStep } from "./recorded-step.ts";
import type { Recorded } from "./recording.ts";

/** Programs that read an export refuse other versions. */
const VERSION = 1;

/** The form `steps`, as JSON. Its steps are as they are stored. */
export interface ExportedSteps {
  version: typeof VERSION;
  role: string;
  /** How many earlier steps are no longer kept. */
  dropped: number;
  steps: RecordedStep[];
}

/** Returns the export. Its text is empty if there is no step. */
export function exportedAs(
  as: ExportTestRequest["as"],
  recorded: Recorded,
  { name, authFile, authFileShown }: Pick<RoleConfig, "name" | "authFile" | "authFileShown">,
): ExportTestResponse {
  const { steps, dropped } = recorded;
  if (steps.length === 0) return { text: "", steps: 0, dropped };
  const text =
    as === "EXPORT_FORMAT_STEPS"
      ? stepsText({ version: VERSION, role: name, dropped, steps })
      : playwrightTest(recorded, { role: name, login: authFile ? authFileShown : undefined });
  return { text, steps: steps.length, dropped };
}

/** Writes one step a line. */
function stepsText({ steps, ...rest }: ExportedSteps): string {
  const head = JSON.stringify(rest).slice(0, -1);
  return `${head},"steps":[\n${steps.map((step) => JSON.stringify(step)).join(",\n")}\n]}\n`;
}
