// Gives files to a page as a person does: into a file field, through a chooser, or by dragging them onto an element.
import { type ElementData, fail } from "../../../proto/errors/catalogue.ts";
import type { FileWay } from "../../../proto/gen/troupe.ts";
import { named } from "../../../proto/text/named.ts";
import { clickOn } from "../../actions/aimed-click.ts";
import { detached, orDetached, readyElement } from "../../actions/element.ts";
import { comeToFront, type How } from "../../actions/mouse.ts";
import type { SendInput } from "../../actions/perform.ts";
import type { FileTarget } from "../../bridge/api/bridge-api.ts";
import { timeLeftMs } from "../../core/time-left.ts";
import type { StoredFile } from "../../files/stored-files.ts";
import { actionabilityError, data } from "../../snapshot/actionability-error.ts";
import type { FileChooser } from "../../tab/file-choosers.ts";
import type { Located, Page } from "../../tab/page.ts";

/** A page may load code before it opens its chooser. */
const CHOOSER_MS_MAX = 2_000;
const CLICK: How = { button: "left", count: 1, modifiers: 0 };
/** The DevTools protocol's bit for copying. */
const COPY = 1;

/** The files with the page that gets them. */
interface Giving {
  page: Page;
  files: readonly StoredFile[];
  send: SendInput;
}

/** The way that the files took. `element`: it took them; undefined for a chooser that was open before. */
export interface Given {
  way: FileWay;
  element: ElementData | undefined;
}

/** Gives the files to the element. Throws INVALID_ARGUMENT if it takes none. */
export async function giveTo(giving: Giving, ref: string): Promise<Given> {
  const { page } = giving;
  const at = await page.locate(ref);
  const target = await orDetached(page, at, page.ask(at.frame, "fileTarget", at.ref, at.deliveredIn));
  if (target.state === "field") return await giveToField(giving, at, target);
  if (target.state !== "other") throw actionabilityError(page, at, target);
  const element = data(target.element, at);
  // A button may lie in a page that takes drags everywhere, so it is pressed first.
  const ways = target.isPressed ? [throughChooser, byDrag] : [byDrag, throughChooser];
  for (const give of ways) {
    const way = await give(giving, ref);
    if (way) return { way, element };
  }
  throw takesNone(element);
}

/** Gives the files to the chooser that is open. Throws INVALID_ARGUMENT if there is none. */
export async function giveToOpenChooser(giving: Giving): Promise<Given> {
  const chooser = giving.page.tab.choosers.open;
  if (!chooser)
    throw fail("INVALID_ARGUMENT", {
      argument: "ref",
      problem: "no file chooser is open",
      hint: "with ref as the file field, the button that opens a chooser, or the drop zone",
    });
  await answer(giving, chooser);
  return { way: "FILE_WAY_CHOOSER", element: undefined };
}

async function giveToField(
  { page, files, send }: Giving,
  at: Located,
  target: Extract<FileTarget, { state: "field" }>,
): Promise<Given> {
  const element = data(target.element, at);
  checkCount(files, target.several, named(element));
  const { client, world } = at.frame;
  await send(async () => {
    if (!world) throw detached(page, at, new Error("its document is gone"));
    await page.holding(client, async (objectGroup) => {
      const { result } = await page.during(
        client.send("Runtime.callFunctionOn", {
          functionDeclaration: "(ref) => globalThis.__troupe.fileField(ref)",
          arguments: [{ value: at.ref }],
          uniqueContextId: world.uniqueId,
          objectGroup,
        }),
      );
      if (!result.objectId) throw detached(page, at, new Error("the field is gone"));
      await page.during(
        client.send("DOM.setFileInputFiles", { files: pathsOf(files), objectId: result.objectId }),
      );
    });
  });
  page.tab.touched.typed(at.frame, at.ref, named(element));
  page.tab.choosers.forget();
  return { way: "FILE_WAY_FIELD", element };
}

/** Presses the element and answers the chooser that opens. Returns undefined if none opens. */
async function throughChooser(giving: Giving, ref: string): Promise<FileWay | undefined> {
  const { page, send } = giving;
  const { choosers } = page.tab;
  choosers.forget();
  await comeToFront(page);
  page.call.waitsFor = "the page to open its file chooser";
  await clickOn(page, ref, CLICK, send);
  if (page.tab.halt || !page.tab.isOpen) return undefined;
  const timeMs = Math.max(0, Math.min(CHOOSER_MS_MAX, timeLeftMs(page.call, "settling")));
  await page.during(choosers.opened(timeMs));
  if (!choosers.open) return undefined;
  await answer(giving, choosers.open);
  return "FILE_WAY_CHOOSER";
}

async function answer({ page, files, send }: Giving, chooser: FileChooser): Promise<void> {
  const { client, field, takesSeveral } = chooser;
  if (field === undefined)
    throw fail("INVALID_ARGUMENT", {
      argument: "ref",
      problem: "the page opened a chooser of the file system, which only a person can answer",
      hint: "with ref as a drop zone or another file field of the page",
    });
  checkCount(files, takesSeveral, "the chooser");
  page.tab.choosers.forget();
  await send(() =>
    page.during(client.send("DOM.setFileInputFiles", { files: pathsOf(files), backendNodeId: field })),
  );
}

/** Drags the files onto the element. Returns undefined if the page does not take them there; then nothing is dropped. */
async function byDrag({ page, files, send }: Giving, ref: string): Promise<FileWay | undefined> {
  await comeToFront(page);
  const { at, aim } = await readyElement(page, ref, "hover");
  const { frame } = at;
  const drag = (type: "dragEnter" | "dragOver" | "drop" | "dragCancel") =>
    page.during(
      aim.client.send("Input.dispatchDragEvent", {
        type,
        ...aim.point,
        data: { items: [], files: pathsOf(files), dragOperationsMask: COPY },
      }),
    );
  await page.ask(frame, "beginFileDrag");
  try {
    await drag("dragEnter");
    await drag("dragOver");
    const { isTaken } = await page.ask(frame, "fileDragged");
    if (!isTaken) {
      await drag("dragCancel");
      return undefined;
    }
    await send(() => drag("drop"));
    return "FILE_WAY_DROP";
  } finally {
    page.takeBack(frame, "endFileDrag");
  }
}

function pathsOf(files: readonly StoredFile[]): string[] {
  return files.map(({ path }) => path);
}

function checkCount(files: readonly StoredFile[], takesSeveral: boolean, what: string): void {
  if (takesSeveral || files.length <= 1) return;
  throw fail("INVALID_ARGUMENT", {
    argument: "paths",
    problem: `${what} takes one file, not ${files.length}`,
    hint: "with one of the paths, once for each file if the page takes them one by one",
  });
}

function takesNone(element: ElementData) {
  return fail("INVALID_ARGUMENT", {
    argument: "ref",
    problem: `${element.ref} ${named(element)} is no file field, opened no chooser, and takes no dropped files`,
    hint: "with ref as the file field, the button that opens a chooser, or the drop zone; browser_snapshot shows what the click may have opened",
  });
}
