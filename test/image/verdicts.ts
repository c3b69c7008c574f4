// Prints a line for each thing that is shown, and counts.

export interface Verdicts {
  failed: number;
  /** Runs what shows it. `show` resolves with the evidence, or rejects with what is wrong. */
  show(title: string, show: () => Promise<string> | string): Promise<void>;
}

export function verdicts(): Verdicts {
  const counted: Verdicts = {
    failed: 0,
    show: async (title, show) => {
      try {
        console.log(`  ok      ${title}: ${await show()}`);
      } catch (error) {
        counted.failed++;
        console.log(`  FAILED  ${title}: ${(error as Error).message}`);
      }
    },
  };
  return counted;
}
