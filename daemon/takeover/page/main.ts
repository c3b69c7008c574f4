// The page of a person at work: opens the link, shows the agent's browser, and sends what the person does.
import { elements } from "./elements.ts";
import { followKeys } from "./keys.ts";
import { Line } from "./line.ts";
import { openedTurn } from "./open-link.ts";
import { Picture } from "./picture.ts";
import { followPointers } from "./pointers.ts";
import { StateView } from "./state-view.ts";

void begin();

async function begin(): Promise<void> {
  const found = elements();
  const turn = await openedTurn();
  if ("refused" in turn) {
    found.status.textContent = turn.refused;
    document.body.classList.add("over");
    return;
  }
  const picture = new Picture(found.view);
  const line: Line = new Line(turn.id, {
    begun: () => line.send({ view: picture.room(found.main) }),
    state: (state) => view.show(state),
    frame: (frame) => void picture.show(frame).then((number) => line.send({ shown: { number } })),
    waits: (words) => view.says(words),
    over: (words) => view.ends(words),
  });
  const view = new StateView(found, line);
  followPointers(found, picture, line);
  followKeys(found, line);
  new ResizeObserver(() => line.send({ view: picture.room(found.main) })).observe(found.main);
  line.open();
}
