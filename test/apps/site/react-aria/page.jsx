// Planning with React Aria: a grid list that selects, a combobox, a menu, a date picker, a number field, a modal.

import { useState } from "react";
import * as a from "react-aria-components";
import { createRoot } from "react-dom/client";
import "./page.css";

const trips = ["Alps", "Baltic", "Crete", "Douro"].map((id) => ({ id }));

function Planner() {
  const [chosen, setChosen] = useState(new Set());
  const [said, setSaid] = useState("");
  const did = (what) => {
    say(what);
    setSaid(what);
  };
  return (
    <main>
      <h1>Trips</h1>
      <a.GridList
        aria-label="Trips"
        selectionMode="multiple"
        items={trips}
        selectedKeys={chosen}
        onSelectionChange={setChosen}
      >
        {({ id }) => (
          <a.GridListItem textValue={id}>
            <a.Checkbox slot="selection">☐</a.Checkbox>
            {id}
            <a.MenuTrigger>
              <a.Button aria-label="More">…</a.Button>
              <a.Popover className="moves">
                <a.Menu onAction={(key) => did(`${key} ${id}`)}>
                  <a.MenuItem id="copy">Copy</a.MenuItem>
                  <a.MenuItem id="archive">Archive</a.MenuItem>
                </a.Menu>
              </a.Popover>
            </a.MenuTrigger>
          </a.GridListItem>
        )}
      </a.GridList>
      <p>{chosen.size} chosen</p>
      <a.DialogTrigger>
        <a.Button>Plan a trip</a.Button>
        <a.ModalOverlay className="moves" isDismissable>
          <a.Modal>
            <a.Dialog>{({ close }) => <Plan done={did} close={close} />}</a.Dialog>
          </a.Modal>
        </a.ModalOverlay>
      </a.DialogTrigger>
      <p role="status">{said}</p>
    </main>
  );
}

function Plan({ done, close }) {
  const [where, setWhere] = useState(null);
  const [people, setPeople] = useState(2);
  const [day, setDay] = useState(null);
  return (
    <>
      <a.Heading slot="title">A new trip</a.Heading>
      <a.ComboBox onSelectionChange={setWhere}>
        <a.Label>Where</a.Label>
        <a.Input />
        <a.Button>▼</a.Button>
        <a.Popover className="moves">
          <a.ListBox>
            {trips.map(({ id }) => (
              <a.ListBoxItem key={id} id={id}>
                {id}
              </a.ListBoxItem>
            ))}
          </a.ListBox>
        </a.Popover>
      </a.ComboBox>
      <a.NumberField value={people} minValue={1} onChange={setPeople}>
        <a.Label>People</a.Label>
        <a.Button slot="decrement">−</a.Button>
        <a.Input />
        <a.Button slot="increment">+</a.Button>
      </a.NumberField>
      <a.DatePicker onChange={setDay}>
        <a.Label>Day</a.Label>
        <a.Group>
          <a.DateInput>{(segment) => <a.DateSegment segment={segment} />}</a.DateInput>
          <a.Button>▼</a.Button>
        </a.Group>
        <a.Popover className="moves">
          <a.Dialog>
            <a.Calendar>
              <a.Button slot="previous">◀</a.Button>
              <a.Heading />
              <a.Button slot="next">▶</a.Button>
              <a.CalendarGrid>{(date) => <a.CalendarCell date={date} />}</a.CalendarGrid>
            </a.Calendar>
          </a.Dialog>
        </a.Popover>
      </a.DatePicker>
      <a.Button
        isDisabled={!where || !day}
        onPress={() => {
          done(`${people} to ${where} on the ${day.day}th`);
          close();
        }}
      >
        Save
      </a.Button>
    </>
  );
}

createRoot(document.querySelector("#root")).render(<Planner />);
