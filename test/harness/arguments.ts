// Reads the options of the programs in test/, prints their help, and returns 64 for an unknown option.
import { parseArgs } from "node:util";

/** The flags that were given, and the values of each option in order. */
export interface Given<Flag extends string, Name extends string> {
  flags: ReadonlySet<Flag | "help">;
  values: Readonly<Record<Name, string[]>>;
}

/** The fault of the arguments. */
export interface Problem {
  problem: string;
}

/** Reads arguments against the flags and the options with values that there are, besides --help. */
export function readArguments<Flag extends string, Name extends string>(
  args: readonly string[],
  known: { flags: readonly Flag[]; values: readonly Name[] },
): Given<Flag, Name> | Problem {
  const flags = new Set<Flag | "help">();
  const values = Object.fromEntries(known.values.map((name) => [name, [] as string[]])) as Given<
    Flag,
    Name
  >["values"];
  for (const token of tokensOf(args, known)) {
    if (token.kind === "option-terminator") return unknown("--");
    if (token.kind === "positional") return unknown(token.value.split("=", 1)[0] ?? "");
    const { name, rawName, value } = token;
    const flag = (["help", ...known.flags] as const).find((each) => each === name);
    const option = known.values.find((each) => each === name);
    if (flag) flags.add(flag);
    else if (!option) return unknown(rawName);
    else if (!value) return { problem: `${rawName} needs a value` };
    else values[option].push(value);
  }
  return { flags, values };
}

/** Runs a program with its options. Resolves to its exit code. */
export async function runProgram<Options extends { help: boolean }>(
  options: Options | Problem,
  usage: string,
  run: (options: Options) => Promise<number>,
): Promise<number> {
  if ("problem" in options) {
    console.error(options.problem);
    return 64;
  }
  if (!options.help) return await run(options);
  console.log(usage);
  return 0;
}

function tokensOf(
  args: readonly string[],
  { flags, values }: { flags: readonly string[]; values: readonly string[] },
) {
  const options = {
    ...Object.fromEntries(flags.map((name) => [name, { type: "boolean" as const }])),
    ...Object.fromEntries(values.map((name) => [name, { type: "string" as const }])),
    help: { type: "boolean" as const, short: "h" },
  };
  // Not strict: its words for what is wrong are Node's, and change with it.
  return parseArgs({ args: [...args], options, strict: false, tokens: true }).tokens;
}

function unknown(argument: string): Problem {
  return { problem: `unknown argument ${JSON.stringify(argument)}; --help lists them` };
}
