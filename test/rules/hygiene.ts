/** Rules over names and text for every file of the repository, whatever its language, and their exceptions. */

export interface HygieneRule {
  name: string;
  why: string;
  /** The files that the rule covers, by path. */
  files: RegExp;
  /** Returns the places that break the rule: indexes into the text, or [0] for the file as a whole. */
  broken: (text: string, file: string) => number[];
}

export interface HygieneException {
  file: string;
  rule: string;
  reason: string;
}

export interface Complaint {
  file: string;
  line: number;
  rule: string;
  why: string;
}

const code = /\.(ts|mts|js|mjs|cjs)$/;
const written = /^(?!(?:.*\/)?package-lock\.json$|LICENSE$)/;
const linesMax = 400;

export const hygieneRules: HygieneRule[] = [
  {
    name: "no-test-left-out",
    why: "a test that does not run, or keeps others from running, says nothing",
    files: /^test\/.*\.ts$/,
    // A condition may stand there instead, for tests that only some machines can run.
    broken: pattern(/\.(?:skip|only|todo)\(|\b(?:skip|todo): *(?:true\b|["'`])|\bonly: *true\b/g),
  },
  {
    name: "nothing-unfinished",
    why: "what is left to do belongs in an issue",
    files: written,
    broken: pattern(/\b(?:T[O]DO|FIX[M]E|X[X]X|HA[C]K)\b/g),
  },
  {
    name: "no-machine-path",
    why: "paths of one machine mean nothing on another",
    files: written,
    broken: pattern(/(?<![\w.\-/:}])\/(?:work|root)\//g),
  },
  {
    name: "silence-says-why",
    why: "a failure that is let pass needs a comment above it that says why no one misses it",
    files: code,
    broken: (text, file) =>
      pattern(/\.catch\(\s*\(\) => (?:undefined|null|false|true|\[\]|"")\s*,?\s*\)/g)(text, file).filter(
        (at) => !commented(text, at),
      ),
  },
  {
    name: "packages-from-npm",
    why: "a lockfile that names another registry installs nowhere else",
    files: /(?:^|\/)package-lock\.json$/,
    broken: pattern(/"resolved": "(?!https:\/\/registry\.npmjs\.org\/)/g),
  },
  {
    name: "named-by-its-idea",
    why: "a file of odds and ends has no idea that it could be named by",
    files: code,
    broken: (_text, file) =>
      /(?:^|[/-])(?:utils?|helpers?|managers?|common|misc)\.\w+$/.test(file) ? [0] : [],
  },
  {
    name: "short-enough-to-read",
    why: `more than ${linesMax} lines hold more than one idea`,
    files: code,
    broken: (text) => (text.split("\n").length > linesMax + 1 ? [text.length] : []),
  },
];

const hygieneExceptions: HygieneException[] = [];

/** Returns complaints about these files, and about exceptions that no file needs any longer. */
export function inspect(
  files: Iterable<readonly [file: string, text: string]>,
  rules: readonly HygieneRule[] = hygieneRules,
  exceptions: readonly HygieneException[] = hygieneExceptions,
): Complaint[] {
  const complaints: Complaint[] = [];
  const unused = new Set(exceptions);
  for (const [file, text] of files) {
    for (const rule of rules.filter(({ files }) => files.test(file))) {
      const broken = rule.broken(text, file);
      const exception = exceptions.find((each) => each.file === file && each.rule === rule.name);
      if (exception && broken.length > 0) unused.delete(exception);
      if (exception) continue;
      for (const index of broken) {
        complaints.push({ file, line: lineAt(text, index), rule: rule.name, why: rule.why });
      }
    }
  }
  for (const { file, rule } of unused) {
    complaints.push({ file, line: 1, rule, why: "its exception is no longer needed: remove it" });
  }
  return complaints;
}

function pattern(expression: RegExp): HygieneRule["broken"] {
  return (text) => [...text.matchAll(expression)].map((match) => match.index);
}

/** Returns true if a comment stands on the line of this index or on one of the three above. */
function commented(text: string, index: number): boolean {
  const line = lineAt(text, index);
  return /\/\/|\/\*|^\s*\*/m.test(
    text
      .split("\n")
      .slice(Math.max(0, line - 4), line)
      .join("\n"),
  );
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}
