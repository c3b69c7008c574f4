// Shows what there is beside the picture: tabs, dialogs, and how the turn stands. A page's words are text alone.
import type { Elements } from "./elements.ts";
import type { Line, State } from "./line.ts";

const WAITING = "Waiting for the agent's call to end…";
const READY =
  "You have the session. Passwords and codes are hidden from the agent; it can read what else is on the page.";
const TITLE_LENGTH_MAX = 80;

export class StateView {
  readonly #elements: Elements;
  #dialog = "";

  constructor(elements: Elements, line: Line) {
    this.#elements = elements;
    const { tabs, back, reload, handBack, dialog, dialogAnswer, typing } = elements;
    tabs.addEventListener("change", () => line.send({ tab: { id: tabs.value } }));
    back.addEventListener("click", () => line.send({ move: { where: "back" } }));
    reload.addEventListener("click", () => line.send({ move: { where: "reload" } }));
    handBack.addEventListener("click", () => line.send({ handBack: true }));
    const answer = (accept: boolean) => {
      line.send({ dialog: { accept, text: dialogAnswer.value } });
      typing.focus({ preventScroll: true });
    };
    dialog.addEventListener("submit", ({ submitter }) =>
      answer((submitter as HTMLButtonElement | null)?.value === "accept"),
    );
    dialog.addEventListener("cancel", () => answer(false));
  }

  show({ isReady, tabs, dialog }: State): void {
    const { status, tabs: list, typing } = this.#elements;
    const words = isReady ? READY : WAITING;
    if (status.textContent !== words) {
      status.textContent = words;
      if (isReady) typing.focus({ preventScroll: true });
    }
    list.replaceChildren(
      ...tabs.map(({ id, title, url, current }) => {
        const text = `${id} ${title || url}`.slice(0, TITLE_LENGTH_MAX);
        return new Option(text, id, current, current);
      }),
    );
    list.disabled = tabs.length < 2;
    this.#ask(dialog);
  }

  says(words: string): void {
    this.#elements.status.textContent = words;
  }

  ends(words: string): void {
    this.#ask(null);
    this.says(words);
    document.body.classList.add("over");
  }

  #ask(asked: State["dialog"]): void {
    const { dialog, dialogText, dialogAnswer, dialogDismiss } = this.#elements;
    const key = asked ? JSON.stringify(asked) : "";
    if (key === this.#dialog) return;
    this.#dialog = key;
    dialog.close();
    if (!asked) return;
    const { type, text } = asked;
    dialogText.textContent =
      type === "beforeunload" ? "Leave this page? It says that changes may be lost." : text;
    dialogAnswer.hidden = type !== "prompt";
    dialogAnswer.value = "";
    dialogDismiss.hidden = type === "alert";
    dialog.showModal();
  }
}
