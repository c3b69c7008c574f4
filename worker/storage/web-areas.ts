// Builds the content of localStorage and sessionStorage from Chrome's events. No page is asked.
import type { Items } from "./storage-parts.ts";

/** A change of an area. */
export type AreaChange =
  | { kind: "set"; key: string; value: string }
  | { kind: "removed"; key: string }
  | { kind: "cleared" };

interface Area {
  items: Map<string, string>;
  /** The area grew beyond the bound. Its content is unknown until it is cleared. */
  isLost: boolean;
}

/** The areas of a context, each by the name of its part. A new context has none, so the events report everything. */
export class WebAreas {
  readonly #areas = new Map<string, Area>();
  readonly #changed = new Set<string>();
  readonly #charsMax: number;
  #chars = 0;

  constructor(charsMax: number) {
    this.#charsMax = charsMax;
  }

  get hasChanged(): boolean {
    return this.#changed.size > 0;
  }

  apply(name: string, change: AreaChange): void {
    const area = this.#areas.get(name) ?? { items: new Map<string, string>(), isLost: false };
    this.#areas.set(name, area);
    this.#changed.add(name);
    if (change.kind === "cleared") this.#empty(area);
    else if (!area.isLost) this.#change(area, change);
    if (this.#chars <= this.#charsMax) return;
    this.#empty(area);
    area.isLost = true;
  }

  /**
   * Returns the areas that changed since the last call. The text is their items as JSON, empty if there are none,
   * undefined if they are too large.
   */
  takeChanged(): Map<string, string | undefined> {
    const taken = new Map<string, string | undefined>();
    for (const name of this.#changed) taken.set(name, textOf(this.#areas.get(name)));
    this.#changed.clear();
    return taken;
  }

  /** Returns the content of the areas whose names have this prefix, by the rest of their names. */
  held(prefix: string): Map<string, Items> {
    const named = [...this.#areas].filter(([name]) => name.startsWith(prefix));
    return new Map(named.map(([name, area]) => [name.slice(prefix.length), itemsOf(area)]));
  }

  /** Copies one tab's areas to another one, as Chrome does for a new tab. */
  copy(from: string, to: string): void {
    for (const [name, { items }] of [...this.#areas]) {
      if (!name.startsWith(from)) continue;
      for (const [key, value] of items) this.apply(to + name.slice(from.length), { kind: "set", key, value });
    }
  }

  /** Drops all areas whose names have this prefix. */
  drop(prefix: string): void {
    for (const [name, area] of this.#areas) {
      if (!name.startsWith(prefix)) continue;
      this.#empty(area);
      this.#areas.delete(name);
      this.#changed.add(name);
    }
  }

  /** Does the same as {@link WebAreas.drop}, but reports no change. */
  forget(prefix: string): void {
    this.drop(prefix);
    for (const name of this.#changed) if (name.startsWith(prefix)) this.#changed.delete(name);
  }

  #change({ items }: Area, change: Exclude<AreaChange, { kind: "cleared" }>): void {
    const before = items.get(change.key);
    if (before !== undefined) this.#chars -= change.key.length + before.length;
    if (change.kind === "removed") {
      items.delete(change.key);
      return;
    }
    items.set(change.key, change.value);
    this.#chars += change.key.length + change.value.length;
  }

  #empty(area: Area): void {
    for (const [key, value] of area.items) this.#chars -= key.length + value.length;
    area.items.clear();
    area.isLost = false;
  }
}

function textOf(area: Area | undefined): string | undefined {
  if (area?.isLost) return undefined;
  if (!area || area.items.size === 0) return "";
  return JSON.stringify(itemsOf(area));
}

function itemsOf({ items }: Area): Items {
  return [...items].map(([name, value]) => ({ name, value }));
}
