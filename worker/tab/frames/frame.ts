// Describes one frame of a tab and the document that it shows.
import type { CDPSession, Protocol } from "puppeteer-core";

/** The isolated world's name, which pages do not see. */
export const BRIDGE_WORLD = "troupe";

/** `late`: it is still loading. `locked`: it waits for a password. `failed`: the viewer cannot read it. */
export type PdfText = "there" | "none" | "late" | "locked" | "failed";

/** A frame. `number` is 0 for the main one, or else the n of `fn_`. */
export interface Frame {
  id: string;
  number: number;
  parent: Frame | undefined;
  /** The CDP session of its process. */
  client: CDPSession;
  url: string;
  /** The document that it shows. */
  loaderId: string;
  /** Chrome shows its own page instead of the document. */
  isUnreachable: boolean;
  /** The document is a PDF, in Chrome's viewer. */
  isPdf: boolean;
  /** The state of its text. Undefined if it has not been asked for. */
  pdfText: PdfText | undefined;
  /** A document has been asked for. */
  isAsked: boolean;
  /** Its server answered without a document. */
  isLeftEmpty: boolean;
  /** The document that did not answer in time, or "" if there is none. */
  silentLoaderId: string;
  /** How often its document did not report its reaction to an action in time. */
  late: { loaderId: string; times: number };
  /** The bridge's world in that document. Undefined until Chrome has made it. */
  world: World | undefined;
  /** The world of the page's own scripts in that document. Undefined until Chrome has made it. */
  ownWorldId: string | undefined;
  /** The ref of its `<iframe>`. */
  ownerRef: string | undefined;
  /** Chrome's count of computed styles when its tree was last read, or when the bridge began to read it ahead. */
  styleCount: number | undefined;
  /** The number of elements that its bridge had met when its tree was last read. Undefined before that. */
  met: number | undefined;
  /** How many more nodes Chrome counted than the bridge. None of them was in an unknown closed shadow root. */
  unmet: number | undefined;
}

/** The bridge's world in a document. */
export interface World {
  /** Identifies the world among all worlds of every process. */
  uniqueId: string;
  /** The world's number within its process. */
  contextId: number;
  /** The known click listeners of its document. */
  heard?: Heard;
  /** Styles moved without a mutation before a snapshot of the whole, as those of a page with an endless animation do. */
  movesAlways?: boolean;
  /** A script may have run in the document. Undefined if its source was not searched. */
  isScripted?: boolean;
  /** The document has custom elements that describe themselves through ElementInternals. */
  hasInternals?: boolean;
}

/** The listeners that Chrome lists, as far as they are used. */
export type Listeners = readonly Pick<Protocol.DOMDebugger.EventListener, "type" | "backendNodeId">[];

/** The known click listeners of a document. */
export interface Heard {
  /** Chrome's last count. Undefined if its answer was not handed over whole. */
  count: number | undefined;
  /** The document's object id. */
  documentId: Promise<string>;
  /** The listeners that Chrome listed before the first snapshot, with its count at that time. */
  listed: { count: number; listeners: Listeners } | undefined;
  /** The known ones are from that list. Those that have gone since still count until Chrome collects them. */
  isListedBefore: boolean;
  /** The elements that the bridge has. */
  known: Set<Protocol.DOM.BackendNodeId>;
  /** Native controls that listen. They can be pressed in any case, so the bridge does not need them. */
  controls: Set<Protocol.DOM.BackendNodeId>;
  /** There are so many listeners that they are not asked for again. */
  isTooMuch: boolean;
  /** There are too many listeners, or elements, to ask for now. */
  isLarge: boolean;
  /** A script listens for transitions. */
  transitions: boolean;
}

/** The facts of a document that was not read yet. */
export const UNREAD = {
  pdfText: undefined,
  met: undefined,
  unmet: 0,
  styleCount: undefined,
} satisfies Partial<Frame>;

/** Returns a frame of which only its place in the tree is known. */
export function newFrame(client: CDPSession, id: string, number: number, parent?: Frame): Frame {
  return {
    id,
    number,
    parent,
    client,
    url: "",
    loaderId: "",
    isUnreachable: false,
    isPdf: false,
    isAsked: false,
    isLeftEmpty: false,
    silentLoaderId: "",
    late: { loaderId: "", times: 0 },
    world: undefined,
    ownWorldId: undefined,
    ownerRef: undefined,
    ...UNREAD,
  };
}
