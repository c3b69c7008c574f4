// Holds what happened in a tab until a reply has reported it.

export interface BegunDownload {
  id: string;
  name: string;
}

export interface Facts {
  /** The document that the role's policy blocked last. */
  blocked?: { url: string; reason: string };
  /** The page led to one document after the other and was stopped. */
  stopped?: boolean;
  /** The page reported that it was still loading when the wait ended. */
  filling?: boolean;
  /** How long an action lasted whose page went on changing beyond its bound. */
  changingMs?: number;
  /** The downloads that began. */
  downloads?: readonly BegunDownload[];
  askedForFiles?: boolean;
}

export class Unreported {
  facts: Readonly<Facts> = {};

  note(facts: Facts): void {
    this.facts = { ...this.facts, ...facts };
  }

  /** Adds downloads to those that began before. */
  noteDownloads(began: Facts["downloads"] = []): void {
    if (began.length > 0) this.note({ downloads: [...(this.facts.downloads ?? []), ...began] });
  }

  /** Returns the fact, which is about to be reported or is out of date. */
  take<F extends keyof Facts>(fact: F): Facts[F] {
    const { [fact]: taken, ...others } = this.facts;
    this.facts = others;
    return taken;
  }
}
