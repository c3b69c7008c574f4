// Builds the error for an element that is missing, or that differs from what was delivered. The error's elements count
// as delivered.
import { type Candidate, type ElementData, fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import type { Changed, Described, Missing, Refusal } from "../bridge/api/bridge-api.ts";
import type { Detail } from "../refs/delivered.ts";
import type { Located, Page } from "../tab/page.ts";

/**
 * Returns the catalogue's error for a bridge's refusal. A stale ref comes with the elements that are likely intended.
 */
export function actionabilityError(page: Page, at: Located, refusal: Refusal): TroupeError {
  switch (refusal.state) {
    case "unknown":
      return fail("UNKNOWN_REF", { ref: at.ref, cause: "unseen" });
    case "removed":
      return stale(page, at, refusal);
    case "changed":
      return changed(page, at, refusal);
    case "hidden":
      if (refusal.opener) deliverElements(page, [refusal.opener], "lines");
      return fail("ELEMENT_NOT_VISIBLE", {
        ...data(refusal.element, at),
        ...(refusal.opener && { opener: data(refusal.opener) }),
      });
    case "moving":
      return fail("ELEMENT_NOT_VISIBLE", { ...data(refusal.element, at), moving: true });
    case "disabled":
      return disabled(page, at, refusal);
    case "readonly":
      return fail("ELEMENT_NOT_EDITABLE", { ...data(refusal.element, at), readonly: true });
    case "not-editable":
      return fail("ELEMENT_NOT_EDITABLE", {
        ...data(refusal.element, at),
        ...(refusal.file && { file: true }),
      });
    case "covered":
      return covered(page, at, refusal);
  }
}

/** Returns why the bridge does not know the ref: it was removed, or it never existed. */
export async function missingElement(page: Page, at: Located): Promise<TroupeError> {
  const answer = await page.ask(at.frame, "resolve", at.ref);
  if (answer.state === "removed") return stale(page, at, answer);
  return fail("UNKNOWN_REF", { ref: at.ref, cause: "unseen" });
}

/** Returns the fields that describe an element in an error or a reply. */
export function data({ ref, role, name, tag }: Described, at?: Located): ElementData {
  return { ref: at?.ref ?? ref, role, name, tag };
}

type Removed = Extract<Missing, { state: "removed" }>;

function stale(page: Page, at: Located, { element, likely, alike }: Removed): TroupeError {
  deliverElements(page, likely, "lines");
  return fail("STALE_REF", { ...data(element, at), candidates: likely.map(candidate), alike });
}

function covered(
  page: Page,
  at: Located,
  { element, by, closer, controls = [], asks }: Extract<Refusal, { state: "covered" }>,
): TroupeError {
  deliverElements(page, [by, ...(closer ? [closer] : []), ...controls], "lines");
  return fail("ELEMENT_COVERED", {
    ...data(element, at),
    by: data(by),
    ...(closer && { closer: data(closer) }),
    ...(controls.length > 0 && { controls: controls.map(candidate) }),
    ...(asks && { asks }),
  });
}

function disabled(
  page: Page,
  at: Located,
  { element, lacking = [], guessed }: Extract<Refusal, { state: "disabled" }>,
): TroupeError {
  deliverElements(page, lacking, "lines");
  return fail("ELEMENT_DISABLED", {
    ...data(element, at),
    ...(lacking.length > 0 && { lacking: lacking.map(candidate) }),
    ...(guessed && { guessed }),
  });
}

/**
 * The error describes the present element, which counts as delivered. The same call succeeds if that element is
 * intended.
 */
function changed(page: Page, at: Located, change: Changed): TroupeError {
  const { element, now, row, nowRow, likely, alike, forgotten } = change;
  deliverElements(page, [now], "rows");
  deliverElements(page, likely, "lines");
  return fail("ELEMENT_CHANGED", {
    ...data(element, at),
    nowRole: now.role,
    nowName: now.name,
    ...(row !== undefined && nowRow !== undefined && { row, nowRow }),
    ...(forgotten && { forgotten }),
    candidates: likely.map(candidate),
    alike,
  });
}

function candidate({ ref, role, name }: Described): Candidate {
  return { ref, role, name };
}

/** Delivers the elements that an error names, so that they may be used at once. */
export function deliverElements(
  { tab, worlds, trees }: Page,
  elements: readonly Described[],
  detail: Detail,
): void {
  const refs = elements.map(({ ref }) => `[ref=${ref}]`).join(" ");
  tab.delivered.deliver(refs, worlds, trees, detail);
}
