// Has the results of a first look at a page with long lists.

/** The texts of the first look and of a look at all, and how many elements the first has read. */
export interface FirstReading {
  room: number;
  first: string;
  all: string;
  read: number;
  elements: number;
  /** The changes after the first look, and the texts of all then. */
  done: string[];
  changed: string;
  fresh: string;
}
