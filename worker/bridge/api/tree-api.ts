// Defines how the worker reads the tree and finds lines in it.

export interface Probed {
  /** No change since that snapshot is known. */
  isUnchanged: boolean;
  /** The number of listeners that the bridge has made so far. Chrome's count of listeners includes them. */
  ownListeners: number;
  /** The number of elements whose internals may have changed. */
  internals: number;
}

export interface TreeOptions {
  /** Only the subtree of this ref is printed. */
  ref?: string;
  /** The number of levels below the root. Without it, all levels are printed. */
  depth?: number;
  /** The number of skipped children of the root. A fold's line names it. */
  offset?: number;
  /** The most characters of the text. Parts without room are folded. */
  room?: number;
  /** Only elements that a client can act on are printed, with the headings and landmarks around them. */
  interactiveOnly?: boolean;
  /** Sends a large text ahead in pieces through the world's binding. Each piece follows this text and a line break. */
  pieces?: string;
  /** Asks for the changes since this snapshot. The answer is the whole tree if they are unknown or long. */
  since?: number;
  /** The name of the document in a change's position. Without it, the name is `the page`. */
  place?: string;
  /** The tree is for a watcher: no session acts on it soon. */
  watching?: boolean;
  /** With `watching`, these are the numbers of trees that only watchers have seen and may still act on. */
  held?: readonly number[];
  /** Asks for the fields for secrets, too. */
  secrets?: boolean;
  /** Without it, the bridge assumes that styles may have moved. */
  styleMoved?: StyleMoved;
}

/**
 * Says if the browser computed styles since the last tree. It does so for nearly all changes without a mutation.
 * `elsewhere` means that it did, and that another document gave it a reason.
 */
export type StyleMoved = boolean | "elsewhere";

/**
 * `text` is the lines joined by "\n", without a trailing one. `frames` are the iframes among them, whose content the
 * worker inserts. `holes` are all iframes of the document in the order of its tree.
 */
export interface Tree {
  kind: "full" | "delta" | "unchanged";
  /** The number of this tree, for `since`. The number of a part serves only for `delivered`. */
  snapshot: number;
  text: string;
  elementCount: number;
  /** The least number of elements left out, for want of room or by `depth`. */
  left: number;
  frames: FrameHole[];
  holes: { ref: string; head: string; isLocal: boolean }[];
  /** The count that `countMet` returns. */
  met: number;
  /** The number of `likelyHosts`. */
  hosts: number;
  /** The tags of custom elements that were met for the first time. */
  kinds: string[];
  /** The part lies in a row, list item or option that is not printed with it. */
  inRow?: boolean;
  /** The document's fields for secrets, if they were asked for. */
  secretFields?: SecretField[];
  /** It is set if the requested ref is not there. */
  missing?: "unknown" | "removed";
}

/** A tree that was asked for before it was known if styles have moved. */
export interface EarlyTree extends Tree {
  /** It was read as if styles had not moved, so it does not hold if they have. */
  assumesStill: boolean;
}

/** A field for a secret, with the text that it holds as a line of the tree has it. `ref`: empty if it has none. */
export interface SecretField {
  ref: string;
  name: string;
  value: string;
}

/** `line` is the zero-based index of the iframe's own line in `text`. `level` is its depth, at two spaces each. */
export interface FrameHole {
  line: number;
  level: number;
  ref: string;
  /** The frame names a local file, which Chrome does not show in a web page. */
  isLocal: boolean;
}

/**
 * `lines` are those lines of the `findable` answer that the worker chose by a regular expression. Each has the match.
 */
export interface Query {
  text?: string;
  role?: string;
  name?: string;
  lines?: readonly { line: number; match: string }[];
  limit: number;
  /** It has the same meaning as for a tree. */
  styleMoved?: StyleMoved;
}

export interface Found {
  hits: { path: string[]; line: string }[];
  total: number;
}

/** `lines` has the number of the line for each text. */
export interface Findable {
  texts: string[];
  lines: number[];
}
