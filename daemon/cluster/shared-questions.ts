// Shares a question among callers at the same time. A burst of calls asks the database twice.

/** The question that is under way, and the one that follows it for callers that came meanwhile. */
interface UnderWay<T> {
  answer: Promise<T>;
  next: Promise<T> | undefined;
}

/** Questions by subject. Each caller gets an answer to a question that was asked after the call. */
export class SharedQuestions<T> {
  readonly #ask: (subject: string) => Promise<T>;
  readonly #underWay = new Map<string, UnderWay<T>>();

  constructor(ask: (subject: string) => Promise<T>) {
    this.#ask = ask;
  }

  ask(subject: string): Promise<T> {
    const underWay = this.#underWay.get(subject);
    if (!underWay) return this.#begun(subject);
    const begin = () => this.#begun(subject);
    underWay.next ??= underWay.answer.then(begin, begin);
    return underWay.next;
  }

  #begun(subject: string): Promise<T> {
    const underWay: UnderWay<T> = { answer: this.#ask(subject), next: undefined };
    this.#underWay.set(subject, underWay);
    const over = () => {
      if (!underWay.next) this.#underWay.delete(subject);
    };
    underWay.answer.then(over, over);
    return underWay.answer;
  }
}
