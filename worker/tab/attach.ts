// Sets up a tab's page with its frames of other processes and its workers, before any of their scripts run.
import { type CDPSession, CDPSessionEvent, type Protocol } from "puppeteer-core";
import { redactedAddress } from "../../proto/text/redact.ts";
import { KEPT_BODIES } from "../network/request-log.ts";
import { PIECE_BINDING } from "./bridge-bundle.ts";
import { BRIDGE_WORLD } from "./frames/frame.ts";
import { holdFocus } from "./lifecycle.ts";
import { readAhead } from "./read-ahead.ts";
import type { Tab } from "./tab.ts";

/** Sets up listeners and bridge, then lets the page run. All is sent at once, because a pipe keeps order. */
export async function attach(tab: Tab): Promise<void> {
  const { client, interrupts, activity, frames, id, targetId } = tab;
  client.on("Page.javascriptDialogOpening", ({ type, message: text }) =>
    interrupts.apply({ event: "dialogOpened", dialog: { tab: id, type, text } }),
  );
  client.on("Page.javascriptDialogClosed", () => interrupts.apply({ event: "dialogClosed" }));
  client.on("Inspector.targetCrashed", () => tab.crashed());
  client.on("Page.lifecycleEvent", ({ frameId, name }) => {
    if (frameId === targetId && name === "load") void readAhead(tab);
  });
  // Only the page target's own main frame counts as the tab's.
  activity.watch(client, targetId);
  frames.begin(client, targetId);
  const known = tab.credentials.begin(interrupts.whenClosed);
  const [{ frameTree }] = await Promise.all([begin(tab, client), holdFocus(client, true), known]);
  // Chrome sends no events for a document that already existed.
  if (!frames.main?.loaderId) frames.seed(client, frameTree);
}

/** Sets up one process of the page. */
async function begin(tab: Tab, client: CDPSession): Promise<Protocol.Page.GetFrameTreeResponse> {
  tab.frames.watch(client);
  tab.console.watch(client);
  tab.requests.watch(client);
  tab.choosers.watch(client);
  client.on("Target.attachedToTarget", (event) => childAttached(tab, client, event));
  client.on(CDPSessionEvent.SessionDetached, (child) => {
    tab.activity.unwatch(child);
    tab.debugging.end(child);
  });
  const world = { source: tab.owner.bridge, worldName: BRIDGE_WORLD, runImmediately: true };
  const [tree] = await Promise.all([
    client.send("Page.enable").then(() => client.send("Page.getFrameTree")),
    tab.debugging.begin(client),
    client.send("Page.setLifecycleEventsEnabled", { enabled: true }),
    client.send("Page.setInterceptFileChooserDialog", { enabled: true }),
    client.send("Page.addScriptToEvaluateOnNewDocument", world),
    client.send("Runtime.enable"),
    client.send("Log.enable"),
    client.send("Network.enable", KEPT_BODIES),
    client.send("Performance.enable"),
    tab.owner.follow(client, tab),
    client.send("Runtime.addBinding", { name: PIECE_BINDING, executionContextName: BRIDGE_WORLD }),
    client.send("Target.setAutoAttach", { autoAttach: true, flatten: true, waitForDebuggerOnStart: true }),
    client.send("Runtime.runIfWaitingForDebugger"),
  ]);
  return tree;
}

/** Gives frames of other processes their bridge, and follows workers. */
function childAttached(
  tab: Tab,
  client: CDPSession,
  { sessionId, targetInfo }: Protocol.Target.AttachedToTargetEvent,
): void {
  const child = client.connection()?.session(sessionId);
  if (!child) return;
  const ready = targetInfo.type === "iframe" ? beginFrame(tab, child) : beginWorker(tab, child);
  ready.catch((error: Error) => tab.failures.frameNotInjected(tab, { url: targetInfo.url, error }));
}

async function beginFrame(tab: Tab, client: CDPSession): Promise<void> {
  tab.activity.watch(client, tab.targetId);
  client.on("Inspector.targetCrashed", () => frameCrashed(tab, client));
  await begin(tab, client);
}

async function beginWorker({ activity, console, requests }: Tab, client: CDPSession): Promise<void> {
  activity.watchWorker(client);
  console.watchScripts(client);
  requests.watch(client);
  await Promise.all([
    client.send("Runtime.enable"),
    client.send("Network.enable", KEPT_BODIES),
    client.send("Runtime.runIfWaitingForDebugger"),
  ]);
}

/** Drops what was in the frame. The rest of the page goes on without it. */
function frameCrashed(tab: Tab, client: CDPSession): void {
  tab.activity.unwatch(client);
  tab.debugging.end(client);
  for (const { number, url } of tab.frames.crashed(client)) {
    tab.failures.incident("page-crashed", `The frame f${number} (${redactedAddress(url)}) crashed.`, tab);
    const error = new Error("its process crashed");
    tab.failures.frameNotInjected(tab, { frameId: `f${number}`, url, error });
  }
}
