// Shows a tab as it is now: a picture, and the tree with refs that the agent reads. A look is made while a person looks.
import { useEffect, useState } from "preact/hooks";
import type { Look, SessionPage } from "../../wire.ts";
import { api, pictureOf, type TabPlace } from "../live/api.ts";

/** The time between two looks. */
const LOOK_MS = 1_000;
const WORDS: Record<Look["state"], string> = {
  shown: "",
  resting: "The session is at rest. Its next call brings it back, and a look does not.",
  closed: "The tab is not open.",
  silent: "The page does not answer.",
};

export function LiveTab({ page }: { page: SessionPage }) {
  const { session, tabs } = page;
  const [chosen, setChosen] = useState("");
  const names = tabs.map(({ role, id }) => `${role} ${id}`);
  const current = tabs.find(({ role, current }) => current && role === session.currentRole) ?? tabs[0];
  const name = names.includes(chosen) ? chosen : current && `${current.role} ${current.id}`;
  const tab = tabs.find(({ role, id }) => `${role} ${id}` === name);
  if (!tab) return null;
  return (
    <section aria-labelledby="live">
      <h2 id="live">Live</h2>
      <label for="live-tab">Tab</label>
      <select id="live-tab" value={name} onChange={(event) => setChosen(event.currentTarget.value)}>
        {names.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
      <LiveLook key={name} place={{ key: session.key, role: tab.role, tab: tab.id }} title={tab.title} />
    </section>
  );
}

function LiveLook({ place, title }: { place: TabPlace; title: string }) {
  const { look, looks } = useLook(place);
  if (!look) return <p>Looking…</p>;
  return (
    <>
      <p role="status">{WORDS[look.state]}</p>
      {look.state === "shown" && (
        <div class="look">
          <Picture place={place} time={looks} title={title} />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
          <section class="tree" tabIndex={0} aria-label="The tree with refs, as the agent reads it">
            <pre>{look.text}</pre>
          </section>
        </div>
      )}
    </>
  );
}

/** The last picture stays until the next one has come, or until none may be shown. */
function Picture({ place, time, title }: { place: TabPlace; time: number; title: string }) {
  const [shown, setShown] = useState("");
  useEffect(() => {
    const next = new Image();
    next.onload = () => setShown(next.src);
    next.onerror = () => setShown("");
    next.src = pictureOf(place, time);
    return () => {
      next.onload = null;
      next.onerror = null;
    };
  }, [place.key, place.role, place.tab, time]);
  return shown ? <img class="picture" src={shown} alt={`The page ${title}`} /> : <p>No picture yet.</p>;
}

/** Looks again and again while the view is shown. `looks` counts. */
function useLook({ key, role, tab }: TabPlace): { look: Look | undefined; looks: number } {
  const [seen, setSeen] = useState<{ look: Look | undefined; looks: number }>({ look: undefined, looks: 0 });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const show = (look: Look) => {
      if (isOver) return;
      setSeen(({ looks }) => ({ look, looks: looks + 1 }));
      timer = setTimeout(again, LOOK_MS);
    };
    const again = () => {
      if (document.hidden) {
        timer = setTimeout(again, LOOK_MS);
        return;
      }
      api.tree({ key, role, tab }).then(show, () => show({ state: "closed", text: "" }));
    };
    again();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [key, role, tab]);
  return seen;
}
