// The requests of a session that Chrome holds back: one owner for all who answer them, so that each is answered once.
import type { CDPSession, Protocol } from "puppeteer-core";
import { isGone } from "../core/gone.ts";

export type HeldRequest = Protocol.Fetch.RequestPausedEvent;

/** What becomes of a request: an answer in its server's place, or it goes on, with other headers where they are given. */
export type Answer =
  | { response: Omit<Protocol.Fetch.FulfillRequestRequest, "requestId"> }
  | { headers?: Protocol.Fetch.HeaderEntry[] };

/** Which requests are held back, and what answers them. */
export interface Holder {
  patterns: readonly Protocol.Fetch.RequestPattern[];
  /** Undefined: another holder may answer; where none does, the request goes on as it is. */
  answer(request: HeldRequest): Answer | undefined;
}

export interface Held extends AsyncDisposable {
  /** Other requests from now on. */
  change(patterns: Holder["patterns"]): Promise<void>;
  release(): Promise<void>;
}

/** A request that its page has given up, or that went on when nothing was held back any more, needs no answer. */
const GIVEN_UP = /Invalid InterceptionId|Fetch domain is not enabled/;

/** Of one CDP session. Others must neither enable its Fetch domain nor answer its requests. */
export class Interception {
  readonly #client: CDPSession;
  #holders: Holder[] = [];
  #isListening = false;

  constructor(client: CDPSession) {
    this.#client = client;
  }

  /** Resolves when requests are held back. */
  async hold(holder: Holder): Promise<Held> {
    if (!this.#isListening) this.#client.on("Fetch.requestPaused", (request) => void this.#answer(request));
    this.#isListening = true;
    let own = holder;
    this.#holders.unshift(own);
    const release = async () => {
      this.#holders = this.#holders.filter((each) => each !== own);
      await this.#apply();
    };
    await this.#apply();
    return {
      change: async (patterns) => {
        const changed = { ...own, patterns };
        this.#holders = this.#holders.map((each) => (each === own ? changed : each));
        own = changed;
        await this.#apply();
      },
      release,
      [Symbol.asyncDispose]: release,
    };
  }

  async #apply(): Promise<void> {
    const patterns = this.#holders.flatMap((holder) => holder.patterns);
    if (patterns.length > 0) await this.#client.send("Fetch.enable", { patterns });
    else await this.#client.send("Fetch.disable");
  }

  async #answer(request: HeldRequest): Promise<void> {
    const { requestId } = request;
    try {
      await this.#send(requestId, this.#answerTo(request));
    } catch (error) {
      if (isGivenUp(error)) return;
      // An answer that Chrome does not take would hold the request for ever.
      await this.#send(requestId, {}).catch(() => undefined);
    }
  }

  /** What keeps a request from the network goes before what lets it go on. */
  #answerTo(request: HeldRequest): Answer {
    const answers = this.#holders.flatMap((holder) => holder.answer(request) ?? []);
    return answers.find((answer) => "response" in answer) ?? answers[0] ?? {};
  }

  async #send(requestId: string, answer: Answer): Promise<void> {
    if ("response" in answer)
      await this.#client.send("Fetch.fulfillRequest", { requestId, ...answer.response });
    else await this.#client.send("Fetch.continueRequest", { requestId, ...answer });
  }
}

function isGivenUp(error: unknown): boolean {
  return isGone(error) || (error instanceof Error && GIVEN_UP.test(error.message));
}
