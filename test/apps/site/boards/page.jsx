// Boards that are sorted by dragging: SortableJS by the browser's drag and by the pointer, dnd-kit, and React DnD.
import { closestCenter, DndContext, PointerSensor, useSensor, useSensors } from "@dnd-kit/core";
import { arrayMove, SortableContext, useSortable, verticalListSortingStrategy } from "@dnd-kit/sortable";
import { useState } from "react";
import { DndProvider, useDrag, useDrop } from "react-dnd";
import { HTML5Backend } from "react-dnd-html5-backend";
import { createRoot } from "react-dom/client";
import Sortable from "sortablejs";

const textsOf = (list) => [...list.children].map(({ textContent }) => textContent).join(", ") || "nothing";

function fill(id, texts) {
  const list = document.getElementById(id);
  list.append(
    ...texts.map((text) => Object.assign(document.createElement("li"), { textContent: text, tabIndex: 0 })),
  );
  return list;
}

const report = ({ from, to }) => {
  for (const list of new Set([from, to])) say(`${list.id}: ${textsOf(list)}`);
};
for (const [id, texts] of [
  ["today", ["Bake", "Clean", "Paint"]],
  ["done", ["Shop"]],
])
  Sortable.create(fill(id, texts), { group: "days", animation: 150, onEnd: report });
Sortable.create(fill("queue", ["Ann", "Bob", "Cy"]), { forceFallback: true, animation: 150, onEnd: report });

function Step({ id }) {
  const { attributes, listeners, setNodeRef, transform } = useSortable({ id });
  const style = transform ? { transform: `translate(${transform.x}px, ${transform.y}px)` } : undefined;
  return (
    <div ref={setNodeRef} className="card" style={style} {...attributes} {...listeners}>
      {id}
    </div>
  );
}

function Steps() {
  const [steps, setSteps] = useState(["Plan", "Build", "Ship"]);
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 8 } }));
  const end = ({ active, over }) => {
    if (!over || active.id === over.id) return;
    const moved = arrayMove(steps, steps.indexOf(active.id), steps.indexOf(over.id));
    setSteps(moved);
    say(`steps: ${moved.join(", ")}`);
  };
  return (
    <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={end}>
      <SortableContext items={steps} strategy={verticalListSortingStrategy}>
        {steps.map((id) => (
          <Step key={id} id={id} />
        ))}
      </SortableContext>
    </DndContext>
  );
}

function Piece({ name }) {
  const [{ isDragging }, ref] = useDrag({
    type: "piece",
    item: { name },
    collect: (monitor) => ({ isDragging: monitor.isDragging() }),
  });
  return (
    <button ref={ref} type="button" className="card" style={{ opacity: isDragging ? 0.5 : 1 }}>
      {name}
    </button>
  );
}

function Square({ name, takes }) {
  const [held, setHeld] = useState("empty");
  const drop = (item) => {
    setHeld(item.name);
    say(`${item.name} on ${name}`);
  };
  const [, ref] = useDrop({ accept: "piece", canDrop: () => takes, drop }, [takes]);
  return (
    <button ref={ref} type="button" className="card" aria-label={`${name}: ${held}`}>
      {held}
    </button>
  );
}

createRoot(document.getElementById("root")).render(
  <>
    <Steps />
    <DndProvider backend={HTML5Backend}>
      <Piece name="Knight" />
      <Square name="c3" takes />
      <Square name="e5" takes={false} />
    </DndProvider>
  </>,
);
