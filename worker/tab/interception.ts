// Owns the requests of a session that Chrome holds back. All holders answer through it, so that each request is
// answered once.
import type { CDPSession, Protocol } from "puppeteer-core";
import { isGone } from "../core/gone.ts";

export type HeldRequest = Protocol.Fetch.RequestPausedEvent;

/**
 * The answer to a request: a response instead of its server's, or permission to go on, perhaps with other headers. A
 * refused request counts as given up, so that the old page stays and no page of Chrome's replaces it.
 */
export type Answer =
  | { refused: Protocol.Network.ErrorReason }
  | { response: Omit<Protocol.Fetch.FulfillRequestRequest, "requestId"> }
  | { headers?: Protocol.Fetch.HeaderEntry[] };

/** Says which requests are held back, and answers them. */
export interface Holder {
  patterns: readonly Protocol.Fetch.RequestPattern[];
  /**
   * Returns undefined to leave the answer to another holder. If none answers, the request goes on unchanged. It stays
   * held until a promise resolves.
   */
  answer(request: HeldRequest): Answer | undefined | Promise<Answer | undefined>;
}

export interface Held extends AsyncDisposable {
  /** Replaces the patterns of held requests from now on. */
  change(patterns: Holder["patterns"]): Promise<void>;
  release(): Promise<void>;
}

/** A request needs no answer if its page has given it up, or if interception has ended. */
const GIVEN_UP = /Invalid InterceptionId|Fetch domain is not enabled/;

/** Owns one CDP session's interception. No other code may enable its Fetch domain or answer its requests. */
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
    const answer = await this.#answerTo(request);
    try {
      await this.#send(requestId, answer);
    } catch (error) {
      if (isGivenUp(error)) return;
      // If Chrome rejects an answer, the request would wait for ever.
      await this.#send(requestId, {}).catch(() => undefined);
    }
  }

  /**
   * A refusal or a response goes before permission to go on, because it keeps the request from the network. After a
   * refusal no other holder is asked. The holder that came last is asked first.
   */
  async #answerTo(request: HeldRequest): Promise<Answer> {
    const answers: Answer[] = [];
    for (const holder of this.#holders) {
      const answer = await holder.answer(request);
      if (answer && "refused" in answer) return answer;
      if (answer) answers.push(answer);
    }
    return answers.find((answer) => "response" in answer) ?? answers[0] ?? {};
  }

  async #send(requestId: string, answer: Answer): Promise<void> {
    if ("refused" in answer)
      await this.#client.send("Fetch.failRequest", { requestId, errorReason: answer.refused });
    else if ("response" in answer)
      await this.#client.send("Fetch.fulfillRequest", { requestId, ...answer.response });
    else await this.#client.send("Fetch.continueRequest", { requestId, ...answer });
  }
}

function isGivenUp(error: unknown): boolean {
  return isGone(error) || (error instanceof Error && GIVEN_UP.test(error.message));
}
