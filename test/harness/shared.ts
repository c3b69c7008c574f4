// Closes the parts that the tests of a file share, after the last test. The part that was opened last is closed first.
import { after } from "node:test";

const opened = new AsyncDisposableStack();
after(() => opened.disposeAsync());

export function shared<T extends AsyncDisposable | Disposable>(part: T): T {
  return opened.use(part);
}
