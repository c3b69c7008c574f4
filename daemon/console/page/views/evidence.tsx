// Scrubs through the recorded calls of a session: what each was asked, what it replied, the page before and after it.
import { useEffect, useState } from "preact/hooks";
import type { EvidenceCall, EvidenceDetail, EvidenceList } from "../../wire.ts";
import { api, evidencePicture } from "../live/api.ts";
import { Badge, toneOf } from "../parts/badge.tsx";
import { clockText, tookText } from "../parts/words.ts";

/** `newest` is another value whenever the session may have another call. */
export function Evidence({ sessionKey, newest }: { sessionKey: string; newest: unknown }) {
  const { calls, next, earlier } = useCalls(sessionKey, newest);
  const [chosen, setChosen] = useState("");
  const found = calls.findIndex(({ id }) => id === chosen);
  const at = found < 0 ? calls.length - 1 : found;
  const call = calls[at];
  if (!call) return null;
  const show = (index: number) => setChosen(calls[index]?.id ?? "");
  return (
    <section aria-labelledby="evidence">
      <h2 id="evidence">Evidence</h2>
      <div class="scrub">
        <button type="button" disabled={at === 0} onClick={() => show(at - 1)}>
          Previous
        </button>
        <input
          type="range"
          aria-label="Recorded call"
          min={1}
          max={calls.length}
          value={at + 1}
          aria-valuetext={`${nameOf(call)}, ${at + 1} of ${calls.length}`}
          onInput={(event) => show(Number(event.currentTarget.value) - 1)}
        />
        <button type="button" disabled={at === calls.length - 1} onClick={() => show(at + 1)}>
          Next
        </button>
        <button type="button" disabled={next === ""} onClick={earlier}>
          Earlier calls
        </button>
      </div>
      <Recorded sessionKey={sessionKey} call={call} before={beforeOf(calls, at)} />
    </section>
  );
}

function Recorded({
  sessionKey,
  call,
  before,
}: {
  sessionKey: string;
  call: EvidenceCall;
  before: EvidenceCall | undefined;
}) {
  const detail = useDetail(sessionKey, call);
  const picture = ({ id }: EvidenceCall) => evidencePicture(sessionKey, id);
  return (
    <article class="recorded" aria-label="The recorded call">
      <h3>
        {nameOf(call)} <Badge tone={toneOf(call.outcome, "bad")}>{call.outcome || "no outcome"}</Badge>
      </h3>
      <dl class="facts">
        {factsOf(call, detail).map(([term, words]) => (
          <>
            <dt>{term}</dt>
            <dd>{words}</dd>
          </>
        ))}
      </dl>
      <div class="look">
        <figure>
          <figcaption>Before</figcaption>
          {before ? (
            <img class="picture" src={picture(before)} alt="The page before the call" />
          ) : (
            <p class="note">No earlier picture of this tab.</p>
          )}
        </figure>
        <figure>
          <figcaption>After</figcaption>
          {call.hasPicture ? (
            <img class="picture" src={picture(call)} alt="The page after the call" />
          ) : (
            <p class="note">No picture: {call.missing || "none was taken"}.</p>
          )}
        </figure>
      </div>
      {detail?.plan && <Words name="Plan" text={detail.plan} />}
      {detail?.reply && <Words name="Reply" text={detail.reply} />}
    </article>
  );
}

function Words({ name, text }: { name: string; text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
    <section class="tree" tabIndex={0} aria-label={`${name} of the recorded call`}>
      <pre>{text}</pre>
    </section>
  );
}

function nameOf({ tool, element, atMs }: EvidenceCall): string {
  return [tool, element, atMs > 0 && `at ${clockText(atMs)}`].filter(Boolean).join(" ");
}

function factsOf(call: EvidenceCall, detail: EvidenceDetail | undefined): [string, string][] {
  const facts: [string, string][] = [
    ["Role and tab", [call.role, call.tab].filter(Boolean).join(", ")],
    ["Took", tookText(call.durationMs)],
    ["Element", call.element],
    ["Arguments", detail?.arguments ?? ""],
    ["Page", [detail?.title, detail?.url].filter(Boolean).join(", ")],
  ];
  return facts.filter(([, words]) => words !== "");
}

/** Returns the newest earlier call of the same tab that has a picture. */
function beforeOf(calls: readonly EvidenceCall[], at: number): EvidenceCall | undefined {
  const { role, tab } = calls[at] as EvidenceCall;
  return calls.slice(0, at).findLast((each) => each.hasPicture && each.role === role && each.tab === tab);
}

/** The calls, oldest first. `earlier` reads those before them. */
function useCalls(sessionKey: string, newest: unknown) {
  const [list, setList] = useState<EvidenceList>({ calls: [], next: "" });
  const [isWhole, setIsWhole] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    // A person who looks at earlier calls is not taken back to the newest.
    if (!isWhole)
      api.evidence(sessionKey, "").then(
        ({ calls, next }) => isCurrent && setList({ calls: calls.toReversed(), next }),
        () => undefined,
      );
    return () => {
      isCurrent = false;
    };
  }, [sessionKey, newest, isWhole]);
  const earlier = () => {
    setIsWhole(true);
    api.evidence(sessionKey, list.next).then(
      ({ calls, next }) => setList((now) => ({ calls: [...calls.toReversed(), ...now.calls], next })),
      () => undefined,
    );
  };
  return { ...list, earlier };
}

function useDetail(sessionKey: string, { id, outcome }: EvidenceCall): EvidenceDetail | undefined {
  const [read, setRead] = useState<{ id: string; detail: EvidenceDetail }>();
  useEffect(() => {
    let isCurrent = true;
    api.evidenceDetail(sessionKey, id).then(
      (detail) => isCurrent && setRead({ id, detail }),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [sessionKey, id, outcome]);
  return read?.id === id ? read.detail : undefined;
}
