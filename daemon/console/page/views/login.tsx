// Asks for a token.
import { useState } from "preact/hooks";

interface LoginFormProps {
  refused: string;
  logIn(token: string): Promise<void>;
}

export function LoginForm({ refused, logIn }: LoginFormProps) {
  const [problem, setProblem] = useState(refused);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const token = new FormData(event.currentTarget as HTMLFormElement).get("token");
    setBusy(true);
    try {
      await logIn(String(token));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      setBusy(false);
    }
  };
  return (
    <main class="login">
      <h1>Troupe</h1>
      <form onSubmit={(event) => void submit(event)}>
        <label for="token">Token</label>
        <input
          id="token"
          name="token"
          type="password"
          autocomplete="off"
          required
          aria-describedby="token-help token-problem"
        />
        <p id="token-help">
          A token of the configuration. Without any, the file <code>token</code> in the daemon’s state folder
          has one.
        </p>
        <p id="token-problem" class="problem" role="alert">
          {problem}
        </p>
        <button type="submit" disabled={isBusy}>
          Log in
        </button>
      </form>
    </main>
  );
}
