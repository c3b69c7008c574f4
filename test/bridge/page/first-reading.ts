// Has the results of a first look at a page with long lists.

/** The texts of the first look and of a look at all, and how many elements the first has read. */
export interface FirstReading {
  room: number;
  first: string;
  all: string;
  read: number;
  elements: number;
  /** Says what was done after the first look. */
  done: string[];
  /** The answer to what has changed since the first look. */
  answer: Answer;
  /** The answer of a bridge that had read all before. */
  answerOfAll: Answer;
  /** The text of all then. */
  fresh: string;
  /** The answer if nothing happens after that. */
  again: string;
}

export interface Answer {
  kind: string;
  text: string;
}
