// Finds the tabs that share a process: popups and openers that reach each other, directly or along a chain.

/** The known facts about a tab's opening. */
export interface Opened {
  targetId: string;
  openerId: string | undefined;
  reachesOpener: boolean;
}

/** Returns all tabs that are linked to this one by having opened each other, without itself. */
export function relatedTabs<T extends Opened>(of: T, tabs: readonly T[]): T[] {
  const found = new Set([of]);
  // The loop also visits tabs that are added during it.
  for (const each of found)
    for (const tab of tabs) if (isLinked(tab, each) || isLinked(each, tab)) found.add(tab);
  found.delete(of);
  return [...found];
}

function isLinked(popup: Opened, opener: Opened): boolean {
  return popup.reachesOpener && popup.openerId === opener.targetId;
}
