// browser_export_test: writes the session's steps as a test.
import { fail } from "../../../proto/errors/catalogue.ts";
import { exportedAs } from "../../recording/export.ts";
import type { ToolHandler } from "../tool.ts";

export const exportTest: ToolHandler<"ExportTest"> = async ({ as }, { session, role }) => {
  const recorded = await session.recording.read();
  if (recorded.steps.length === 0) throw fail("NO_HISTORY", { url: role.config.startUrl, steps: true });
  return exportedAs(as, recorded, role.config);
};
