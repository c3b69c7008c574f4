// Lets the calls of a session wait for a person's decisions, and reports each decision once. An action that waits is
// never begun a second time.

import { within } from "../../proto/machine/within.ts";
import { onlyReads, type Tool } from "../../proto/tools/read-tools.ts";
import { decided, settled, watched } from "../actions/settle.ts";
import {
  type Approvals,
  deniedError,
  type Ended,
  pendingError,
  type Waiting,
} from "../approvals/approvals.ts";
import { CALL_MS_DEFAULT, type Call } from "../core/call.ts";
import { changesSince } from "../snapshot/reply.ts";
import type { Page } from "../tab/page.ts";
import type { CallContext } from "./call-context.ts";

interface TextReply {
  text: string;
}

/** Carries out a call. Throws APPROVAL_DENIED if an action was refused, APPROVAL_PENDING if one waits at its deadline. */
export async function withApprovals<R extends TextReply>(
  tool: Tool,
  context: CallContext,
  work: () => Promise<R>,
): Promise<R> {
  const { call, role, session } = context;
  const { approvals } = role.approvals;
  if (!approvals) return await work();
  const { key } = session;
  const callTimeMs = role.config.callTimeoutMs || CALL_MS_DEFAULT;
  call.heldUp = () => {
    const [first] = ownFirst(approvals.of(key), call);
    return first && pendingError(first, call, callTimeMs);
  };
  if (tool.control) return await work();
  if (!onlyReads(tool, call.arguments)) await noneWaits(approvals, key, call);
  throwDenied(approvals, key);
  const before = approvals.untold(key);
  const repeats =
    !onlyReads(tool, call.arguments) &&
    before.some(({ cause, action }) => cause && action !== "upload" && isSame(cause, call));
  if (repeats || (before.length > 0 && isTimedWait(call))) {
    const reply = await look(context, before, repeats);
    approvals.takeUntold(key);
    return reply as TextReply as R;
  }
  const over = approvals.callBegan(call);
  try {
    const reply = await work();
    const page = context.opened;
    while (page && (await decided(page)));
    throwDenied(approvals, key);
    const lines = [...approvals.takeUntold(key).map(endedLine), ...approvals.of(key).map(waitingLine)];
    reply.text = [reply.text, ...lines].join("\n");
    return reply;
  } catch (error) {
    throwDenied(approvals, key);
    throw error;
  } finally {
    over();
  }
}

/** Waits until nothing waits in the call's tab. */
async function noneWaits(approvals: Approvals, key: string, call: Call): Promise<void> {
  const isHere = ({ tab }: Waiting) => tab === "" || call.tab === "" || tab === call.tab;
  for (;;) {
    const waiting = approvals.of(key).find(isHere);
    if (!waiting) return;
    call.waitsFor = "a person's decision";
    await within(call, waiting.over);
  }
}

function ownFirst(waiting: readonly Waiting[], call: Call): Waiting[] {
  return [...waiting].sort((one, other) => Number(other.cause === call) - Number(one.cause === call));
}

/** Throws APPROVAL_DENIED once for what was refused. */
function throwDenied(approvals: Approvals, key: string): void {
  const denied = approvals.untold(key).find(({ outcome }) => outcome === "denied" || outcome === "expired");
  if (!denied) return;
  approvals.takeUntold(key);
  throw deniedError(denied);
}

function isSame(cause: Call, call: Call): boolean {
  return cause.tool === call.tool && JSON.stringify(cause.arguments) === JSON.stringify(call.arguments);
}

/** It waits for a time, which a decision ends. */
function isTimedWait({ tool, arguments: { text, textGone, ref } }: Call): boolean {
  return tool === WAIT_FOR && [text, textGone, ref].every((given) => given === undefined);
}

const WAIT_FOR = "browser_wait_for";

/**
 * Replies with what came of decisions that were made between two calls. `repeats`: the client makes the call again that
 * led to them.
 */
async function look(
  context: CallContext,
  ended: readonly Ended[],
  repeats: boolean,
): Promise<TextReply & { shown: Page }> {
  const page = await context.page();
  const before = page.tab.delivered.snapshot;
  using reaction = watched(page, true);
  await settled(page, reaction);
  const again = `${context.call.tool} was carried out before, so it was not carried out again.`;
  const said = [...ended.map(endedLine), ...(repeats ? [again] : [])];
  return { text: await changesSince(page, before, said), shown: page };
}

function endedLine(ended: Ended): string {
  if (ended.outcome === "approved") return `Approved by ${ended.by}: ${ended.what}`;
  return `Its page has given up what waited for approval: ${ended.what}`;
}

function waitingLine({ id, what, endsAtMs }: Waiting): string {
  const leftS = Math.max(1, Math.round((endsAtMs - performance.now()) / 1000));
  return `Waits for a person's approval (${id}), for at most ${leftS} s more: ${what}`;
}
