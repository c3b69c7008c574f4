// Answers as a server across a network does.
import { once } from "node:events";

export async function after(ms, answer) {
  await once(AbortSignal.timeout(ms), "abort");
  return answer;
}
