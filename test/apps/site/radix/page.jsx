// Settings in Radix: a select, a menu with a submenu, an alert, a popover, tabs, an accordion, a slider, a toast.
import {
  Accordion,
  AlertDialog,
  Checkbox,
  DropdownMenu,
  Popover,
  RadioGroup,
  Select,
  Slider,
  Switch,
  Tabs,
  Toast,
} from "radix-ui";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import "./page.css";

function Settings() {
  const [said, setSaid] = useState("");
  const did = (what) => {
    say(what);
    setSaid(what);
  };
  return (
    <Toast.Provider duration={60_000}>
      <h1>Settings</h1>
      <Tabs.Root defaultValue="look">
        <Tabs.List aria-label="Sections">
          <Tabs.Trigger value="look">Look</Tabs.Trigger>
          <Tabs.Trigger value="account">Account</Tabs.Trigger>
        </Tabs.List>
        <Tabs.Content value="look">
          <Look did={did} />
        </Tabs.Content>
        <Tabs.Content value="account">
          <Account did={did} />
        </Tabs.Content>
      </Tabs.Root>
      <Toast.Root className="moves" open={said !== ""} onOpenChange={(open) => open || setSaid("")}>
        <Toast.Title>{said}</Toast.Title>
        <Toast.Close>Dismiss</Toast.Close>
      </Toast.Root>
      <Toast.Viewport />
    </Toast.Provider>
  );
}

function Look({ did }) {
  const [size, setSize] = useState([40]);
  return (
    <>
      <span id="theme">Theme</span>
      <Select.Root defaultValue="light" onValueChange={(theme) => did(`theme ${theme}`)}>
        <Select.Trigger aria-labelledby="theme">
          <Select.Value />
        </Select.Trigger>
        <Select.Portal>
          <Select.Content className="moves" position="popper">
            <Select.Viewport>
              {["light", "dark", "high contrast"].map((each) => (
                <Select.Item key={each} value={each}>
                  <Select.ItemText>{each}</Select.ItemText>
                </Select.Item>
              ))}
            </Select.Viewport>
          </Select.Content>
        </Select.Portal>
      </Select.Root>
      <label htmlFor="motion">Less motion</label>
      <Switch.Root id="motion" onCheckedChange={(on) => did(`motion ${on}`)}>
        <Switch.Thumb />
      </Switch.Root>
      <RadioGroup.Root
        aria-label="Density"
        defaultValue="wide"
        onValueChange={(value) => did(`density ${value}`)}
      >
        {["wide", "narrow"].map((each) => (
          <RadioGroup.Item key={each} value={each} aria-label={each}>
            <RadioGroup.Indicator>●</RadioGroup.Indicator>
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
      <Slider.Root value={size} onValueChange={setSize} onValueCommit={([value]) => did(`size ${value}`)}>
        <Slider.Track>
          <Slider.Range />
        </Slider.Track>
        <Slider.Thumb aria-label="Size" />
      </Slider.Root>
    </>
  );
}

function Account({ did }) {
  const [isSure, setSure] = useState(false);
  return (
    <>
      <DropdownMenu.Root>
        <DropdownMenu.Trigger>More</DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className="moves">
            <DropdownMenu.Item onSelect={() => did("profile exported")}>Export profile</DropdownMenu.Item>
            <DropdownMenu.Sub>
              <DropdownMenu.SubTrigger>Share</DropdownMenu.SubTrigger>
              <DropdownMenu.Portal>
                <DropdownMenu.SubContent className="moves">
                  <DropdownMenu.Item onSelect={() => did("shared by mail")}>By mail</DropdownMenu.Item>
                </DropdownMenu.SubContent>
              </DropdownMenu.Portal>
            </DropdownMenu.Sub>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      <Popover.Root>
        <Popover.Trigger>Help</Popover.Trigger>
        <Popover.Portal>
          <Popover.Content className="moves">
            Ask an administrator <Popover.Close>Got it</Popover.Close>
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
      <Accordion.Root type="single" collapsible>
        <Accordion.Item value="terms">
          <Accordion.Trigger>Terms</Accordion.Trigger>
          <Accordion.Content className="moves">You may leave at any time</Accordion.Content>
        </Accordion.Item>
      </Accordion.Root>
      <label htmlFor="sure">I am sure</label>
      <Checkbox.Root id="sure" checked={isSure} onCheckedChange={setSure}>
        <Checkbox.Indicator>✓</Checkbox.Indicator>
      </Checkbox.Root>
      <AlertDialog.Root>
        <AlertDialog.Trigger disabled={!isSure}>Delete account</AlertDialog.Trigger>
        <AlertDialog.Portal>
          <AlertDialog.Overlay className="moves" />
          <AlertDialog.Content className="moves">
            <AlertDialog.Title>Delete it for ever?</AlertDialog.Title>
            <AlertDialog.Description>Nobody can bring it back.</AlertDialog.Description>
            <AlertDialog.Cancel>Keep it</AlertDialog.Cancel>
            <AlertDialog.Action onClick={() => did("account deleted")}>Delete it</AlertDialog.Action>
          </AlertDialog.Content>
        </AlertDialog.Portal>
      </AlertDialog.Root>
    </>
  );
}

createRoot(document.querySelector("#root")).render(<Settings />);
