// Puts the parts together as the interface that the worker calls.

import type { Bridge } from "./api.ts";
import { alone, called, lookAt } from "./candidates.ts";
import { changed } from "./changed.ts";
import { choose } from "./choose.ts";
import { countReached, openRoot } from "./closed-roots.ts";
import { createControlMarks } from "./control-marks.ts";
import { countMet } from "./count-met.ts";
import { describe } from "./describe.ts";
import { beginEdit, setValue } from "./edit.ts";
import { find, findable } from "./find.ts";
import { frameBox } from "./frame-box.ts";
import { boxOf } from "./hit.ts";
import { createHitGuard } from "./hit-guard.ts";
import { holdText } from "./holds-text.ts";
import { createListOptions } from "./list-options.ts";
import { listenersMade } from "./listen.ts";
import { createScreenshotMarks } from "./mark.ts";
import { createContext, targetOf } from "./page-context.ts";
import { quiet } from "./quiet.ts";
import { createReaction } from "./reaction.ts";
import { ready } from "./ready.ts";
import { scroll } from "./scroll.ts";
import { extractAnchors, inspectPattern, resolveContainer } from "./structure.ts";
import { tree } from "./tree.ts";
import { waitFor } from "./wait.ts";

/** `page`: the document that it speaks for. */
export type DocumentBridge = Bridge & { readonly page: Document };

export function createBridge(): DocumentBridge {
  const context = createContext();
  const controls = createControlMarks();
  const marks = createScreenshotMarks(context);
  const guard = createHitGuard(context);
  const reaction = createReaction(context);
  const lists = createListOptions(context);
  // What is told of elements is known under the number of the tree of that moment.
  const seen = () => {
    context.see(false);
    return context;
  };
  return Object.freeze({
    page: document,
    tree: (options) => tree(context, options),
    glance: (snapshot) => ({
      isCalm: context.current.isCalm(context.snapshots.get(snapshot)),
      ownListeners: listenersMade(),
      internals: context.internals.count(),
    }),
    seen: context.snapshots.newest,
    countMet: () => countMet(context.shadowRoots()),
    countReached,
    likelyHosts: (count) => context.current.likelyHosts(count),
    openRoot: (node) => openRoot(context, node as Node),
    hearClicks: (numbers, nodes, gone) => context.clicks.hear(numbers, nodes as readonly Node[], gone),
    newKinds() {
      context.internals.meetAll();
      return context.internals.takeKinds();
    },
    noteKinds: context.internals.noteKinds,
    toAsk: context.internals.toAsk,
    hearInternals: (said, elements) => context.internals.hear(said, elements as readonly Node[]),
    markControls: controls.mark,
    unmarkControls: controls.unmark,
    look: (ref, prefix) => lookAt(context, ref, prefix),
    alone: (role, name, prefix) => alone(context, role, name, prefix),
    called: (name, role, prefix) => called(context, name, role, prefix),
    refOf: (element) => describe(element as Element, context.refs, context.survey(), "").ref,
    async ready(ref, need, prefix, told, again) {
      const answer = await ready(context, ref, need, prefix, told, guard, again);
      reaction.begin();
      return answer;
    },
    pressed: guard.pressed,
    async beginEdit(ref, prefix, told, choosing) {
      reaction.begin();
      return await beginEdit(context, ref, prefix, told, choosing);
    },
    setValue: (ref, value, prefix, told) => setValue(context, ref, value, prefix, told),
    listOptions: lists.shown,
    holdText: (refs) => holdText(context, refs),
    choose: (ref, values, prefix, told) => choose(context, ref, values, prefix, told),
    frameBox: (ref, point, prefix, press) => frameBox(context, ref, point, prefix, press ? guard : undefined),
    scroll: (ref, asked, prefix) => scroll(context, ref, asked, prefix),
    box(ref) {
      const target = targetOf(context, ref);
      const box = target.state === "present" ? boxOf(target.element) : undefined;
      return box && { x: box.x, y: box.y, width: box.width, height: box.height };
    },
    changed: (snapshot, timeMs) => changed(context, snapshot, timeMs),
    quiet: (options) => quiet(context, options),
    beginReaction: reaction.begin,
    reacted: reaction.over,
    endReaction: reaction.end,
    waitFor: (condition, timeMs) => waitFor(context, condition, timeMs),
    find: (query, prefix) => find(context, query, prefix),
    findable: (styleMoved) => findable(context, styleMoved),
    resolveContainer: (ref, limits, prefix) => resolveContainer(seen(), ref, limits, prefix),
    inspectPattern: (ref, level, limits, prefix) => inspectPattern(seen(), ref, level, limits, prefix),
    extractAnchors: (ref, level, limits, prefix) => extractAnchors(seen(), ref, level, limits, prefix),
    mark(prefix) {
      seen();
      return marks.mark(prefix);
    },
    unmark: marks.unmark,
  } satisfies DocumentBridge);
}
