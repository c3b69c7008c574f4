// Defines the worker's structural queries and their answers. It has types alone, as `bridge-api.ts` does.

/** Bounds of the structural queries. */
export interface Limits {
  maxDepth: number;
  maxSiblings: number;
  maxDescendants: number;
}

export type QueryErrorType = "not_found" | "removed" | "level_too_high" | "disconnected";

/** The three fields of an expected problem. A query never throws an error for one. */
export interface QueryError {
  error: string;
  errorType: QueryErrorType;
  suggestion: string;
}

/** Only class, id, data-testid, role and aria-label appear, if they are not empty. Each is cut at 200 characters. */
export type Attributes = Record<string, string>;

export interface ContainerInfo {
  level: number;
  tagName: string;
  attributes: Attributes;
  childElements: number;
  containsRefs: string[];
}

export interface ContainerResult extends Partial<QueryError> {
  target: { ref: string; tagName: string; text: string } | null;
  ancestors: ContainerInfo[];
}

export interface PatternInfo {
  index: number;
  tagName: string;
  attributes: Attributes;
  containsRefs: string[];
  containsText: string[];
  outline: { role: string; tag: string; text: string; testid?: string }[];
}

export interface PatternResult extends Partial<QueryError> {
  ancestorLevel: number;
  containerAt: { tagName: string; attributes: Attributes } | null;
  targetSiblingIndex: number | null;
  siblings: PatternInfo[];
  /** All children of the container, including those beyond `maxSiblings`. */
  totalSiblings: number;
}

export interface AnchorInfo {
  depth: number;
  index: number;
  tagName: string;
  attributes: Attributes;
  ref?: string;
  role?: string;
  name?: string;
  directText?: string;
  fullText?: string;
  /** The children that the limits left out. */
  omittedChildren?: number;
  descendants?: AnchorInfo[];
}

export interface AnchorsResult extends Partial<QueryError> {
  ancestorAt: { level: number; tagName: string; attributes: Attributes } | null;
  descendants: AnchorInfo[];
  totalDescendants: number;
  maxDepthReached: number;
}
