// Holds what happened in a tab until a reply has reported it.

export interface Facts {
  /** The document that the role's policy blocked last. */
  blocked?: { url: string; reason: string };
  /** The page led to one document after the other and was stopped. */
  stopped?: boolean;
  /** The page reported that it was still loading when the wait ended. */
  filling?: boolean;
  /** How long an action lasted whose page went on changing beyond its bound. */
  changingMs?: number;
  /** The name of a download that began. */
  download?: string;
  askedForFiles?: boolean;
}

export class Unreported {
  facts: Readonly<Facts> = {};

  note(facts: Facts): void {
    this.facts = { ...this.facts, ...facts };
  }

  /** Returns the fact, which is about to be reported or is out of date. */
  take<F extends keyof Facts>(fact: F): Facts[F] {
    const { [fact]: taken, ...others } = this.facts;
    this.facts = others;
    return taken;
  }
}
