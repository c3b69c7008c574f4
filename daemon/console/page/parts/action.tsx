// A button that changes something, after a question. It says why it cannot, and what went wrong.
import { useId, useRef, useState } from "preact/hooks";

interface ActionProps {
  label: string;
  /** The name that screen readers get, such as `Restart role admin`. */
  name: string;
  /** The consequence of a yes. */
  question: string;
  /** Why the person may not. */
  refused?: string | undefined;
  run(): Promise<unknown>;
}

export function Action({ label, name, question, refused, run }: ActionProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const id = useId();
  const confirm = async () => {
    setBusy(true);
    setProblem("");
    try {
      await run();
      dialog.current?.close();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
    setBusy(false);
  };
  return (
    <>
      <button
        type="button"
        aria-label={name}
        disabled={refused !== undefined}
        title={refused}
        onClick={() => dialog.current?.showModal()}
      >
        {label}
      </button>
      <dialog ref={dialog} aria-labelledby={id}>
        <h2 id={id}>{name}?</h2>
        <p>{question}</p>
        <p class="problem" role="alert">
          {problem}
        </p>
        <div class="buttons">
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button type="button" class="main" disabled={isBusy} onClick={() => void confirm()}>
            {isBusy ? "Under way…" : label}
          </button>
        </div>
      </dialog>
    </>
  );
}
