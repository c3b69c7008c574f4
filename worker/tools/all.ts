// Lists the worker's tools by rpc. The compiler requires a handler for each.

import { click } from "./click.ts";
import { consoleMessages } from "./console-messages.ts";
import { find } from "./find.ts";
import { handleDialog } from "./handle-dialog.ts";
import { navigate, navigateBack } from "./navigate.ts";
import { pressKey } from "./press-key.ts";
import { scroll } from "./scroll.ts";
import { selectOption } from "./select-option.ts";
import { snapshot } from "./snapshot.ts";
import { extractAnchors, inspectPattern, resolveContainer } from "./structure.ts";
import { tabs } from "./tabs.ts";
import { takeScreenshot } from "./take-screenshot.ts";
import type { ToolHandler, WorkerTool } from "./tool.ts";
import { type } from "./type.ts";
import { waitFor } from "./wait-for.ts";

export const toolHandlers: { [M in WorkerTool]: ToolHandler<M> } = {
  Navigate: navigate,
  NavigateBack: navigateBack,
  Snapshot: snapshot,
  Find: find,
  Click: click,
  Type: type,
  SelectOption: selectOption,
  PressKey: pressKey,
  Scroll: scroll,
  WaitFor: waitFor,
  HandleDialog: handleDialog,
  Tabs: tabs,
  ResolveContainer: resolveContainer,
  InspectPattern: inspectPattern,
  ExtractAnchors: extractAnchors,
  ConsoleMessages: consoleMessages,
  TakeScreenshot: takeScreenshot,
};
