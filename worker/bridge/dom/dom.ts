// Gives safe access to the DOM. A form's controls and a document's named elements shadow their properties, even in the
// isolated world (`<form><input name=parentNode>`, `<img name=body>`). So properties are read through the getters of
// the prototypes, which are taken once. It costs nothing: V8 inlines both forms alike.

type Getter<T, V> = (object: T) => V;

/** Takes the getter of `name` from the prototype of a DOM interface, as a function of the object. */
export function getter<T extends object, K extends keyof T>(prototype: T, name: K): Getter<T, T[K]> {
  const get = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  if (get === undefined) return (object) => object[name];
  return (object) => get.call(object);
}

/** Takes the setter of `name` in the same way. */
export function setter<T extends object, K extends keyof T>(
  prototype: T,
  name: K,
): (object: T, value: T[K]) => void {
  const set = Object.getOwnPropertyDescriptor(prototype, name)?.set;
  if (set === undefined) return () => undefined;
  return (object, value) => set.call(object, value);
}

/** Returns the getter itself, for a function of its own. */
function own(prototype: object, name: string): (this: unknown) => never {
  return Object.getOwnPropertyDescriptor(prototype, name)?.get as (this: unknown) => never;
}

/** Turns a method into a function of the object and its arguments. */
function method<T extends object, A extends unknown[], R>(
  call: (this: T, ...args: A) => R,
): (object: T, ...args: A) => R {
  return (object, ...args) => call.call(object, ...args);
}

export const ELEMENT = 1;
export const TEXT = 3;
export const CDATA = 4;
const DOCUMENT = 9;
const FRAGMENT = 11;
/** These are NodeFilter's flags for text, CDATA and comment. */
const SHOW_TEXTS = 4 + 8 + 128;
const HTML = "http://www.w3.org/1999/xhtml";
const PREFIXES = new Map<string | null, string>([
  ["http://www.w3.org/2000/svg", "svg"],
  ["http://www.w3.org/1998/Math/MathML", "math"],
]);

const node = Node.prototype;
const element = Element.prototype;
const page = Document.prototype;

// Each of the following is a function of its own. Closures of one function literal share what the compiler learns. They
// would be compiled as calls of an unknown getter, which makes the walk five times as slow.
const getNodeType = own(node, "nodeType");
const getFirstChild = own(node, "firstChild");
const getNextSibling = own(node, "nextSibling");
const getParent = own(node, "parentNode");
const getDocument = own(node, "ownerDocument");
const getConnected = own(node, "isConnected");
const getData = own(CharacterData.prototype, "data");
const getLocalName = own(element, "localName");
const getNamespace = own(element, "namespaceURI");
const getShadowRoot = own(element, "shadowRoot");
const getNames = element.getAttributeNames;
const hasAny = element.hasAttributes;
const isVisibleNow = element.checkVisibility;

// This map has closed shadow roots by their hosts. No script finds them, so the worker hands them in. A root that one
// bridge learns stays valid for every later bridge.
const closedRoots = new WeakMap<Element, ShadowRoot>();
let anyClosed = false;

// A custom element may have attributes in its internals alone. No other script finds them there, so the worker hands
// them in.
const innerAttributes = new WeakMap<Element, ReadonlyMap<string, string>>();
let anyInner = false;
/** These are the names of the elements that have a role in their internals. */
const innerNames = new Set<string>();
let innerNamesListed = "";

export const nodeTypeOf = (of: Node): number => getNodeType.call(of);
export const firstChildOf = (of: Node): ChildNode | null => getFirstChild.call(of);
export const nextSiblingOf = (of: Node): ChildNode | null => getNextSibling.call(of);
export const parentOf = (of: Node): ParentNode | null => getParent.call(of);
export const documentOf = (of: Node): Document | null => getDocument.call(of);
export const isConnected = (of: Node): boolean => getConnected.call(of);
export const dataOf = (of: CharacterData): string => getData.call(of);
export const shadowRootOf = (of: Element): ShadowRoot | null => {
  const open: ShadowRoot | null = getShadowRoot.call(of);
  return open === null && anyClosed ? (closedRoots.get(of) ?? null) : open;
};
export const hasAttributes = (of: Element): boolean =>
  hasAny.call(of) || (anyInner && innerAttributes.has(of));
export const attributeNamesOf = (of: Element): string[] => {
  const names: string[] = getNames.call(of);
  const inner = anyInner ? innerAttributes.get(of) : undefined;
  return inner === undefined ? names : [...new Set([...names, ...inner.keys()])];
};
export const checkVisibility = (of: Element, options?: CheckVisibilityOptions): boolean =>
  isVisibleNow.call(of, options);

export const textContentOf = getter(node, "textContent");
export const contains = method(node.contains);
const getRootNode = node.getRootNode;

const assignedSlotOf = getter(element, "assignedSlot");
export const firstElementOf = getter(element, "firstElementChild");
export const nextElementOf = getter(element, "nextElementSibling");
export const idOf = getter(element, "id");
const getAttribute = element.getAttribute;
const hasAttribute = element.hasAttribute;
export const matches = method(element.matches as (selector: string) => boolean);
export const closest = method(element.closest as (selector: string) => Element | null);
export const rectOf = method(element.getBoundingClientRect);
export const rectsOf = method(element.getClientRects);
export const animationsIn = method(element.getAnimations as (options?: GetAnimationsOptions) => Animation[]);
export const removeAttribute = method(element.removeAttribute);
export const scrollIntoView = method(element.scrollIntoView);
const queryElement = element.querySelectorAll as (selector: string) => NodeListOf<Element>;
const queryDocument = page.querySelectorAll as (selector: string) => NodeListOf<Element>;
const queryFragment = DocumentFragment.prototype.querySelectorAll as (
  selector: string,
) => NodeListOf<Element>;
const queryFirstIn = element.querySelector as (selector: string) => Element | null;
const byIdInDocument = page.getElementById;
const byIdInFragment = DocumentFragment.prototype.getElementById;

export const bodyOf = getter(page, "body");
export const scrollingElementOf = getter(page, "scrollingElement");
export const rootElementOf = getter(page, "documentElement");
export const styleSheetsOf = getter(page, "styleSheets");
export const adoptedSheetsOf = getter(page, "adoptedStyleSheets");
const animationsInDocument = method(page.getAnimations);
export const execCommand = method(page.execCommand);
const createElement = page.createElementNS;
const createWalker = page.createTreeWalker;
export const evaluate = method(page.evaluate);
const byTag = page.getElementsByTagName as (tag: string) => HTMLCollectionOf<Element>;
const activeInDocument = getter(page, "activeElement");
const fromPoint = page.elementFromPoint;

const shadow = ShadowRoot.prototype;
export const hostOf = getter(shadow, "host");
export const shadowSheetsOf = getter(shadow, "styleSheets");
export const shadowAdoptedSheetsOf = getter(shadow, "adoptedStyleSheets");
const activeInShadow = getter(shadow, "activeElement");
const fromPointInShadow = shadow.elementFromPoint;

const animationsInShadow = method(shadow.getAnimations);

const assignedNodes = HTMLSlotElement.prototype.assignedNodes;

export type Root = Document | ShadowRoot;

/** Returns the name as the document has it: SVG has names in mixed case. */
export function localNameOf(el: Element): string {
  return getLocalName.call(el);
}

/** These elements may hold another document. */
export const FRAME_TAGS: ReadonlySet<string> = new Set(["iframe", "frame", "object", "embed"]);

/** The line of such an element says all that the element holds. */
export const LEAF_TAGS: ReadonlySet<string> = new Set(
  ["input", "textarea", "select", "progress", "meter", "img", "hr"].concat(
    ["embed", "iframe", "frame", "video", "audio"],
    "svg:image",
  ),
);

/**
 * Returns the lower-case tag of an HTML element. Other elements get `svg:`, `math:` or `?:` before the name, because an
 * SVG `a` is not an HTML `a`.
 */
export function tagOf(el: Element): string {
  const namespace: string | null = getNamespace.call(el);
  const name: string = getLocalName.call(el);
  if (namespace === HTML) return name;
  return `${PREFIXES.get(namespace) ?? "?"}:${name}`;
}

/**
 * Returns the tag as a reader of the page's source knows it. A page may name its elements freely, and an odd name could
 * pass for structure. So characters that no HTML tag has are replaced.
 */
export function plainTag(el: Element): string {
  const name: string = getLocalName.call(el);
  return /^[a-z0-9._-]{1,40}$/.test(name)
    ? name
    : name
        .toLowerCase()
        .slice(0, 40)
        .replace(/[^a-z0-9._-]/g, "?");
}

/** Returns the attribute's value. Without the attribute, it returns the value from the element's internals. */
export function attr(el: Element, name: string): string | null {
  const value: string | null = getAttribute.call(el, name);
  return value === null && anyInner ? (innerAttributes.get(el)?.get(name) ?? null) : value;
}

export function has(el: Element, name: string): boolean {
  return hasAttribute.call(el, name) || (anyInner && innerAttributes.get(el)?.has(name) === true);
}

/**
 * Returns what the element's internals say, by the names of the equivalent attributes. It returns undefined if nothing
 * is known.
 */
export function innerOf(el: Element): ReadonlyMap<string, string> | undefined {
  return anyInner ? innerAttributes.get(el) : undefined;
}

/** Keeps what the element's internals say. */
export function noteInner(el: Element, said: ReadonlyMap<string, string>): void {
  if (said.size === 0) innerAttributes.delete(el);
  else innerAttributes.set(el, said);
  anyInner ||= said.size > 0;
  if (said.has("role")) noteInnerName(localNameOf(el));
}

function noteInnerName(name: string): void {
  if (innerNames.has(name)) return;
  innerNames.add(name);
  innerNamesListed = [...innerNames].map((each) => CSS.escape(each)).join();
}

/**
 * Returns a selector of all elements that may have their role in their internals alone. It is empty if there are none.
 */
export function innerTags(): string {
  return innerNamesListed;
}

/** Reports if the attribute itself is there. The element's internals do not count. */
export function hasOwn(el: Element, name: string): boolean {
  return hasAttribute.call(el, name);
}

export function isElement(value: Node | null | undefined): value is Element {
  return value != null && nodeTypeOf(value) === ELEMENT;
}

/**
 * Returns the shadow root or document where an element's ids and labels are looked up. It returns undefined in a
 * detached part.
 */
export function rootOf(el: Node): Root | undefined {
  const root = getRootNode.call(el);
  const type = nodeTypeOf(root);
  if (type === DOCUMENT) return root as Document;
  return type === FRAGMENT && root instanceof ShadowRoot ? root : undefined;
}

export function byId(root: Root, id: string): Element | null {
  return nodeTypeOf(root) === DOCUMENT ? byIdInDocument.call(root, id) : byIdInFragment.call(root, id);
}

/** Returns the animations in the document or shadow root, without those in shadow roots inside it. */
export function animationsOf(root: Root): Animation[] {
  return nodeTypeOf(root) === DOCUMENT
    ? animationsInDocument(root as Document)
    : animationsInShadow(root as ShadowRoot);
}

export function queryAll(root: Node, selector: string): NodeListOf<Element> {
  const type = nodeTypeOf(root);
  const query = type === DOCUMENT ? queryDocument : type === ELEMENT ? queryElement : queryFragment;
  return query.call(root as never, selector);
}

export function queryFirst(el: Element, selector: string): Element | null {
  return queryFirstIn.call(el, selector);
}

/** Counts the elements of the document and of these shadow roots. */
export function countElements(shadowRoots: readonly ShadowRoot[]): number {
  let count = byTag.call(document, "*").length;
  for (const root of shadowRoots) count += queryFragment.call(root, "*").length;
  return count;
}

export function countTexts(root: Node, words: string): number {
  const walker = createWalker.call(document, root, SHOW_TEXTS);
  let count = 0;
  while (walker.nextNode() !== null) if (dataOf(walker.currentNode as CharacterData).includes(words)) count++;
  return count;
}

/** Returns the only child if it is a text node, and undefined otherwise. */
export function onlyTextOf(el: Element): Text | undefined {
  const first = getFirstChild.call(el) as ChildNode | null;
  if (first === null || getNodeType.call(first) !== TEXT || getNextSibling.call(first) !== null)
    return undefined;
  return shadowRootOf(el) === null ? (first as Text) : undefined;
}

/** Returns the nodes that are assigned to a slot. It returns none if the slot shows its own content instead. */
export function assignedTo(slot: Element): Node[] {
  return slot instanceof HTMLSlotElement ? assignedNodes.call(slot) : [];
}

/** Yields the nodes that an element shows: those of its shadow root, a slot's assigned nodes, or its own children. */
export function* contentNodes(el: Element): Generator<Node> {
  const assigned = assignedTo(el);
  if (assigned.length > 0) {
    yield* assigned;
    return;
  }
  const from: Node = shadowRootOf(el) ?? el;
  for (let node = firstChildOf(from); node !== null; node = nextSiblingOf(node)) yield node;
}

/** Returns the parent in the tree as it is rendered, through slots and shadow roots. */
export function composedParent(el: Node): Element | null {
  const slot = isElement(el) ? slotOf(el) : null;
  if (slot !== null) return slot;
  const parent = parentOf(el);
  if (parent === null) return null;
  if (isElement(parent)) return parent;
  return parent instanceof ShadowRoot ? hostOf(parent) : null;
}

function slotOf(el: Element): Element | null {
  const slot = assignedSlotOf(el);
  if (slot !== null || !anyClosed) return slot;
  const parent = parentOf(el);
  const closed = isElement(parent) ? closedRoots.get(parent) : undefined;
  if (closed === undefined) return null;
  return [...queryAll(closed, "slot")].find((each) => assignedTo(each).includes(el)) ?? null;
}

/** Reports if `inner` is `outer` or lies in it, in the tree as it is rendered. */
export function holds(outer: Element, inner: Element): boolean {
  for (let el: Element | null = inner; el !== null; el = composedParent(el)) if (el === outer) return true;
  return false;
}

/** Makes a closed shadow root known. It returns false if the root is open or was known before. */
export function noteClosed(root: ShadowRoot): boolean {
  const host = hostOf(root);
  if (shadowRootOf(host) === root) return false;
  closedRoots.set(host, root);
  anyClosed = true;
  return true;
}

/**
 * Returns the focused element, which it looks up through shadow roots. It returns null if only the body has the focus.
 */
export function focusedElement(): Element | null {
  let active = activeInDocument(document);
  for (let depth = 0; active !== null && depth < 100; depth++) {
    const root = shadowRootOf(active);
    const inner = root === null ? null : activeInShadow(root);
    if (inner === null) break;
    active = inner;
  }
  return active === bodyOf(document) || active === rootElementOf(document) ? null : active;
}

/** Returns the innermost element at a point of the viewport, through shadow roots. */
export function elementAt(x: number, y: number): Element | null {
  const hit = fromPoint.call(document, x, y);
  return hit && innermostAt(hit, x, y);
}

/** Returns the innermost element in the shadow roots of `outer`, at a point where `outer` is hit. */
export function innermostAt(outer: Element, x: number, y: number): Element {
  let hit = outer;
  for (let depth = 0; depth < 100; depth++) {
    const root = shadowRootOf(hit);
    const inner = root === null ? null : fromPointInShadow.call(root, x, y);
    if (inner === null || inner === hit) break;
    hit = inner;
  }
  return hit;
}

/** Creates an HTML element, in documents of any kind. */
export function createHtml<K extends keyof HTMLElementTagNameMap>(tag: K): HTMLElementTagNameMap[K] {
  return createElement.call(document, HTML, tag) as HTMLElementTagNameMap[K];
}

export function styleOf(el: Element, pseudo?: string): CSSStyleDeclaration {
  return getComputedStyle(el, pseudo);
}
