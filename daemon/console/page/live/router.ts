// The view that the address names, in its fragment.
import { useEffect, useState } from "preact/hooks";

export type Route =
  | { view: "overview" | "sessions" | "calls" | "failures" }
  | { view: "session"; key: string };

const PLAIN = ["sessions", "calls", "failures"] as const;

/** Follows the address. */
export function useRoute(): Route {
  const [route, setRoute] = useState(() => routeOf(location.hash));
  useEffect(() => {
    const follow = () => setRoute(routeOf(location.hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return route;
}

/** Returns the view of a fragment. An unknown one leads to the overview. */
function routeOf(hash: string): Route {
  const [, first = "", second = ""] = /^#\/([^/]*)(?:\/(.*))?$/.exec(hash) ?? [];
  if (first === "session" && second) return { view: "session", key: decoded(second) };
  const plain = PLAIN.find((view) => view === first);
  return { view: plain ?? "overview" };
}

export function linkTo(route: Route): string {
  if (route.view === "session") return `#/session/${encodeURIComponent(route.key)}`;
  return route.view === "overview" ? "#/" : `#/${route.view}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A broken address names no session, which the view says.
    return text;
  }
}
