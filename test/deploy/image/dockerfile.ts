// Reads a Dockerfile: stages with their instructions, and the arguments before them.

export interface Instruction {
  /** In capitals, such as COPY. */
  name: string;
  /** Flags such as `--from=package`, without the dashes. */
  flags: Readonly<Record<string, string>>;
  /** The words behind the flags, on one line. */
  rest: string;
}

export interface Stage {
  name: string | undefined;
  /** The image or stage that it begins with. */
  base: string;
  instructions: Instruction[];
}

export interface Dockerfile {
  /** The arguments before the first stage, with their defaults. */
  args: Readonly<Record<string, string>>;
  stages: Stage[];
}

/** Throws if an instruction stands before the first stage that only a stage may have. */
export function readDockerfile(text: string): Dockerfile {
  const args: Record<string, string> = {};
  const stages: Stage[] = [];
  for (const instruction of instructionsOf(text)) {
    const { name, rest } = instruction;
    const last = stages.at(-1);
    if (name === "FROM") {
      const [base = "", , stage] = rest.split(/\s+/);
      stages.push({
        name: stage,
        base: base.replace(/^\$\{(\w+)\}$/, (_, arg) => args[arg] ?? ""),
        instructions: [],
      });
    } else if (last) last.instructions.push(instruction);
    else if (name === "ARG") args[rest.split("=")[0] ?? ""] = rest.slice(rest.indexOf("=") + 1);
    else throw new Error(`${name} stands before the first FROM`);
  }
  return { args, stages };
}

function instructionsOf(text: string): Instruction[] {
  const lines = text.split("\n").filter((line) => !line.startsWith("#") && line.trim() !== "");
  const joined = lines.join("\n").replaceAll(/\\\n\s*/g, " ");
  return joined.split("\n").map((line) => {
    const [, name = "", more = ""] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
    const words = more.split(/\s+/);
    const first = words.findIndex((word) => !word.startsWith("--"));
    const flags = words.slice(0, first).map((flag) => flag.slice(2).split("=") as [string, string]);
    return { name: name.toUpperCase(), flags: Object.fromEntries(flags), rest: words.slice(first).join(" ") };
  });
}
