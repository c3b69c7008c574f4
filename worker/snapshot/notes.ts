// Writes the lines after a page's tree. Each kind of note writes its own lines, if it has any.

import { counted } from "../../proto/text/counted.ts";
import type { Profile } from "../../proto/tools/read-tools.ts";
import type { PdfText } from "../tab/frames/frame.ts";
import type { Halt } from "../tab/interrupts.ts";
import type { Page } from "../tab/page.ts";
import type { Tab } from "../tab/tab.ts";
import type { BegunDownload, Facts } from "../tab/unreported.ts";
import { has, pointer } from "./profile-words.ts";
import { quote, shownText } from "./quote.ts";

/** Warnings beyond this number are counted, not listed. */
const WARNINGS_MAX = 10;

/** One kind of note. It returns its lines, or none. */
type Note = (tab: Tab, profile: Profile) => readonly string[];

// The order is that of the lines. Each note must be short, because the tree gets what they leave of the budget.
const NOTES: readonly Note[] = [
  warnings,
  ({ failures }) => (failures.authError ? ["authStatus: unauthenticated"] : []),
  ({ activity }) => {
    const status = activity.document?.status ?? 0;
    return status >= 400 ? [`HTTP status: ${status}`] : [];
  },
  consoleErrors,
  lingering,
  pdfs,
  (tab, profile) => factLines(tab, profile).map(({ line }) => line),
  ({ halt }) => (halt ? [haltLine(halt)] : []),
];

/** Returns all notes, below an empty line. */
export function notes({ tab, call: { profile } }: Page): string[] {
  const lines = NOTES.flatMap((note) => note(tab, profile));
  return lines.length > 0 ? ["", ...lines] : [];
}

/** Returns the lines that are written until a reply has had them. */
export function factLines(
  { unreported: { facts } }: Tab,
  profile: Profile,
): { fact: keyof Facts; line: string }[] {
  const { stopped, filling, changingMs, downloads, askedForFiles } = facts;
  const lines = [
    { fact: "stopped", line: stopped && STOPPED },
    { fact: "filling", line: filling && FILLING },
    { fact: "changingMs", line: changingMs && changingLine(changingMs) },
    { fact: "downloads", line: downloads && downloadLines(downloads, profile) },
    { fact: "askedForFiles", line: askedForFiles && filesLine(profile) },
  ] as const;
  return lines.flatMap(({ fact, line }) => (line ? [{ fact, line }] : []));
}

/** Names the open dialog or the pause. */
export function haltLine(halt: Halt): string {
  if (halt.kind === "pause")
    return `Paused at ${shownText(halt.words)}. debugger_call_stack shows more; debugger_execution action=resume lets the page go on.`;
  const { type, text } = halt;
  return `Dialog open (${type}): ${quote(text)}. Answer it with browser_handle_dialog before anything else.`;
}

const FILLING =
  "The page says that it is still loading (a spinner, a placeholder or aria-busy): browser_snapshot shows what has come.";

/** Says that the page went on changing beyond the action's bound. */
function changingLine(afterMs: number): string {
  return `The page was still changing after ${(afterMs / 1_000).toFixed(1)} s.`;
}

/** Says that a page led to other pages without end. */
const STOPPED =
  "The page led to one page after the other, without end (by reloading or redirecting itself); it was stopped here.";

/** Says that the page asked for files. */
function filesLine(profile: Profile): string {
  return `The page asks for files: ${
    has(profile, "browser_file_upload")
      ? "browser_file_upload(paths: …) gives them"
      : `${NOT_HERE}. Go on without, or ask whoever can choose them in a browser`
  }.`;
}

const NOT_HERE = "no tool of this profile has to do with files";
/** Downloads beyond this number are counted. */
const DOWNLOADS_TOLD_MAX = 5;

function downloadLines(downloads: NonNullable<Facts["downloads"]>, profile: Profile): string {
  const lines = downloads.slice(0, DOWNLOADS_TOLD_MAX).map((download) => downloadLine(download, profile));
  const more = downloads.length - lines.length;
  return [...lines, ...(more > 0 ? [`${more} more downloads began.`] : [])].join("\n");
}

function downloadLine({ id, name }: BegunDownload, profile: Profile): string {
  const isFetched = has(profile, "browser_downloads");
  const how = isFetched ? `browser_downloads(action: "get", id: "${id}") gets it` : NOT_HERE;
  const line = `Download: ${id} ${quote(name)} began; ${how}`;
  return !isFetched && /\.pdf$/i.test(name) ? `${line}. ${A_PDF}` : line;
}

/** The headless shell shows no PDF. No browser shows one that its server sends as a download. */
const A_PDF =
  "It is a PDF: Chrome or Chromium itself as the role's browser (browser.executable) shows the text of one that is not sent to be saved; else a person can open its address.";

/** Says what a PDF lacks in the tree. */
function pdfs({ frames }: Tab, profile: Profile): string[] {
  const texts = new Set(frames.pdfs.map(({ pdfText }) => pdfText));
  const picture = pointer(profile, "browser_take_screenshot", "shows what is in sight");
  const words = {
    none: `The PDF has no text: its pages may be pictures${picture}`,
    late: "The PDF is still loading: browser_snapshot shows its text once it has come.",
    locked: "The PDF opens with a password, for which its viewer asks.",
    failed: "The PDF could not be read: its file may be damaged.",
  } as const;
  return Object.entries(words).flatMap(([text, line]) => (texts.has(text as PdfText) ? [line] : []));
}

function warnings(tab: Tab, profile: Profile): string[] {
  const all = tab.failures.warnings(tab)?.details ?? [];
  if (all.length === 0) return [];
  const left = all.length - WARNINGS_MAX;
  return [
    "Warnings:",
    ...all.slice(0, WARNINGS_MAX).map((warning) => `- ${shownText(warning)}`),
    ...(left > 0 ? [`- … ${left} more${pointer(profile, "get_failures", "shows them")}`] : []),
  ];
}

function consoleErrors({ console }: Tab, profile: Profile): string[] {
  const own = console.current.filter(({ level }) => level === "error");
  const errors = own.reduce((sum, { count }) => sum + count, 0);
  if (errors === 0) return [];
  return [
    `Console: ${counted(errors, "error")}${pointer(profile, "browser_console_messages", "shows them")}`,
  ];
}

/** Lists requests that an action began and that outlasted it. A later snapshot shows what they bring. */
function lingering({ activity, url }: Tab): string[] {
  return activity.lingering(url).map(({ name, count, ageMs }) => {
    const times = count > 1 ? ` (${count.toLocaleString("en-US")} times)` : "";
    return `still waiting for ${shownText(name)}${times}, ${(ageMs / 1_000).toFixed(1)} s`;
  });
}
