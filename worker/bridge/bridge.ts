// Puts the parts together as the interface that the worker calls.

import { choose } from "./actions/choose.ts";
import { createControlMarks } from "./actions/control-marks.ts";
import { createDragWatch } from "./actions/drag-watch.ts";
import { beginEdit, setValue } from "./actions/edit.ts";
import { createFileDragWatch } from "./actions/file-drag.ts";
import { fileField, fileTarget } from "./actions/file-field.ts";
import { focused, focusedByPerson, heldInput } from "./actions/held-input.ts";
import { createListOptions } from "./actions/list-options.ts";
import { paste } from "./actions/paste.ts";
import { ready } from "./actions/ready.ts";
import { scroll } from "./actions/scroll.ts";
import { focusSlider } from "./actions/slider.ts";
import { typeSecret } from "./actions/type-secret.ts";
import { waitFor } from "./actions/wait.ts";
import { frameBox } from "./aim/frame-box.ts";
import { boxOf } from "./aim/hit.ts";
import { createHitGuard } from "./aim/hit-guard.ts";
import type { Bridge } from "./api/bridge-api.ts";
import { isTicked } from "./aria/state.ts";
import { countElements } from "./dom/dom.ts";
import { listenersMade } from "./dom/listen.ts";
import { setPrefix } from "./dom/ref-text.ts";
import { alone, called, resolveRef } from "./identity/candidates.ts";
import { staleRef } from "./identity/staleness.ts";
import { changed } from "./incremental/changes.ts";
import { countReached, openRoot } from "./incremental/closed-roots.ts";
import { createContext, targetOf } from "./incremental/page-context.ts";
import { earlyTree, tree } from "./incremental/read-tree.ts";
import { secretFields } from "./incremental/secret-fields.ts";
import { createMasks } from "./pictures/masks.ts";
import { createScreenshotMarks } from "./pictures/screenshot-marks.ts";
import { createVeil } from "./pictures/veil.ts";
import { stepFacts } from "./queries/acted-on.ts";
import { described } from "./queries/described.ts";
import { find, findable } from "./queries/find.ts";
import { isRepeatable } from "./queries/is-repeatable.ts";
import { locators } from "./queries/locators.ts";
import { queryElements } from "./queries/query-elements.ts";
import { readText } from "./queries/read-text.ts";
import { extractAnchors, inspectPattern, resolveContainer } from "./queries/structure.ts";
import { createReaction } from "./settling/reaction.ts";
import { quiet } from "./settling/watch-pause.ts";
import { describe } from "./tree/describe.ts";

/** `page` is the document that the bridge serves. */
export type DocumentBridge = Bridge & { readonly page: Document };

export function createBridge(): DocumentBridge {
  const context = createContext();
  const guard = createHitGuard(context);
  const reaction = createReaction(context);
  /** The last probe found no change. */
  let isUnchanged = false;
  // The answers about elements carry the number of the newest tree, so the tree is made current first.
  const updated = () => {
    context.update(false);
    return context;
  };
  // All shadow roots are known only once all is read.
  const finished = () => {
    context.current.finish();
    return context;
  };
  return Object.freeze({
    page: document,
    setPrefix,
    tree: (options) => tree(context, options),
    earlyTree: (options) =>
      isUnchanged && options.since !== undefined ? undefined : earlyTree(context, options),
    probe(snapshot) {
      isUnchanged = context.current.isUnchanged(context.snapshots.get(snapshot));
      return { isUnchanged, ownListeners: listenersMade(), internals: context.internals.count() };
    },
    readAhead: () => context.current.readAhead(),
    newestTree: context.snapshots.newest,
    pinTrees: context.snapshots.pin,
    countMet: () => countElements(context.shadowRoots()),
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
    ...createControlMarks(),
    resolve: (ref, delivered) => staleRef(context, ref, delivered) ?? resolveRef(context, ref),
    alone: (role, name) => alone(context, role, name),
    called: (name, role) => called(context, name, role),
    refOf: (element) => describe(element as Element, context).ref,
    async ready(ref, need, delivered, again, expected) {
      const answer = await ready(context, ref, need, delivered, guard, again);
      const isRecorded = expected !== undefined && answer.state === "ready";
      const facts = isRecorded ? stepFacts(context, ref, expected, answer.element) : undefined;
      reaction.begin();
      return isRecorded ? { ...answer, facts } : answer;
    },
    pressed: guard.pressed,
    async beginEdit(ref, delivered, choosing, expected) {
      // The page may answer the focus with changes.
      const facts = expected && stepFacts(context, ref, expected);
      reaction.begin();
      const answer = await beginEdit(context, ref, delivered, choosing);
      return answer.state === "ready" ? { ...answer, facts } : answer;
    },
    setValue: (ref, value, delivered) => setValue(context, ref, value, delivered),
    origin: () => globalThis.origin,
    typeSecret: (ref, text) => typeSecret(context, ref, text),
    ...createVeil(context),
    ...createMasks(context),
    secretFields: () => secretFields(finished()),
    listOptions: createListOptions(context),
    heldInput: (touched) => heldInput(context, touched),
    focused: () => focused(context),
    focusedByPerson: () => focusedByPerson(context),
    isTicked(ref) {
      const target = targetOf(context, ref);
      return target.state === "present" ? isTicked(target.element) : undefined;
    },
    paste,
    focusSlider: (ref) => focusSlider(context, ref),
    ...createDragWatch(),
    choose: (ref, values, delivered) => choose(context, ref, values, delivered),
    frameBox: (ref, point, press) => frameBox(context, ref, point, press ? guard : undefined),
    fileTarget: (ref, delivered) => fileTarget(context, ref, delivered),
    fileField: (ref) => fileField(context, ref),
    ...createFileDragWatch(),
    scroll: (ref, asked) => scroll(context, ref, asked),
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
    find: (query) => find(context, query),
    findable: (styleMoved) => findable(context, styleMoved),
    locators: (ref, options) => locators(context, ref, options),
    isRepeatable: (expected) => isRepeatable(context, expected),
    queryElements: (query) => queryElements(updated(), query),
    described: (query) => described(updated(), query),
    node(ref) {
      const target = targetOf(context, ref);
      return target.state === "present" ? target.element : undefined;
    },
    readText: (ref) => readText(context, ref),
    resolveContainer: (ref, limits) => resolveContainer(updated(), ref, limits),
    inspectPattern: (ref, level, limits) => inspectPattern(updated(), ref, level, limits),
    extractAnchors: (ref, level, limits) => extractAnchors(updated(), ref, level, limits),
    ...createScreenshotMarks(context),
  } satisfies DocumentBridge);
}
