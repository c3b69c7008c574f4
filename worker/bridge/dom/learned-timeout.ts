// Limits the time that something may take. The limit is shorter after a time that was not enough, so something endless
// is not waited for each time.

export interface LearnedTimeout {
  begin(): void;
  leftMs(): number;
  isSpent(): boolean;
}

export function createLearnedTimeout({
  firstMs,
  againMs,
}: {
  firstMs: number;
  againMs: number;
}): LearnedTimeout {
  let untilMs = 0;
  let wasSpent = false;
  const leftMs = () => untilMs - performance.now();
  return {
    begin() {
      untilMs = performance.now() + (wasSpent ? againMs : firstMs);
      wasSpent = false;
    },
    leftMs,
    isSpent() {
      wasSpent ||= leftMs() <= 0;
      return wasSpent;
    },
  };
}
