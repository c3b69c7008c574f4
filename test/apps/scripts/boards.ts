// Sorts lists by dragging: SortableJS by the browser's drag and by the pointer, dnd-kit, and React DnD.
import type { Person } from "../person.ts";

export default async function (person: Person): Promise<void> {
  await person.open("/", { shows: [/Bake/, /Knight/] });
  await person.drag(/listitem.*Bake/, /listitem.*Paint/, { did: ["today: Clean, Paint, Bake"] });
  await person.drag(/listitem.*Clean/, /listitem.*Shop/, {
    did: ["today: Paint, Bake", "done: Clean, Shop"],
  });
  await person.drag(/listitem.*Ann/, /listitem.*Cy/, { did: ["queue: Bob, Cy, Ann"] });
  await person.drag('button "Ship"', 'button "Plan"', { did: ["steps: Ship, Plan, Build"] });
  await person.drag('button "Knight"', 'button "c3: empty"', {
    shows: ['button "c3: Knight"'],
    did: ["Knight on c3"],
  });
  await person.drag('button "Knight"', 'button "e5: empty"', {});
}
