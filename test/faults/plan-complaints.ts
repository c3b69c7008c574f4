// Checks every error's text and plan, from any part: the required parts are there, and no internals.
import { catalogue, type ErrorDetail } from "../../proto/errors/catalogue.ts";
import { findTool, inProfile, type Profile, toolsOf } from "../../proto/tools/read-tools.ts";

/**
 * Returns the problems of an error as its reader gets it. `own` has the paths and addresses that the call or the
 * configuration named.
 */
export function complaintsAbout(
  text: string,
  detail: ErrorDetail,
  profile: Profile,
  own: readonly string[] = [],
): string[] {
  const complaints = [
    ...missingFrom(text, detail),
    ...leakedInto(without(own, text + JSON.stringify(detail))),
  ];
  for (const tool of toolsNamed(detail))
    if (!isIn(profile, tool)) complaints.push(`the plan names ${tool}, which the ${profile} profile lacks`);
  return complaints;
}

function missingFrom(text: string, { title, message, details, causes, steps, type }: ErrorDetail): string[] {
  const sections = text.split("\n\n");
  return [
    title !== catalogue[type].title || sections[0] !== `❌ ${title}` ? "the title" : "",
    message === "" ? "the message" : "",
    Object.keys(details).length === 0 ? "details" : "",
    causes.length === 0 ||
    !sections.includes(["Possible causes:", ...causes.map((cause) => `• ${cause}`)].join("\n"))
      ? "the causes"
      : "",
    steps.length === 0 || sections.at(-1) !== stepsText(steps) ? "the numbered steps" : "",
  ]
    .filter(Boolean)
    .map((part) => `it lacks ${part}`);
}

function stepsText(steps: ErrorDetail["steps"]): string {
  return ["🔧 Action Required:", ...steps.map(({ text }, index) => `${index + 1}. ${text}`)].join("\n");
}

const LEAKS: [RegExp, string][] = [
  [/\n\s+at .*[:(]\d+|\\n\s+at /, "a stack"],
  [/\u001b\[|\\u001b/, "an ANSI code"],
  [/(?<![\w:/.])\/(?:home|root|tmp|usr|var|opt|etc|srv|proc|work|Users)\//, "a path of the host"],
  [/node_modules|puppeteer|grpc-js|@grpc|piscina|protobufjs|fastify/i, "a package's name"],
  [/\bundefined\b|\[object \w+\]|\bNaN\b/, "a value that is none"],
];

function leakedInto(told: string): string[] {
  return LEAKS.filter(([pattern]) => pattern.test(told)).map(([, what]) => `it holds ${what}`);
}

function without(own: readonly string[], told: string): string {
  return own.reduce((left, each) => left.replaceAll(each, "…"), told);
}

/** Returns the tools that the steps call or name in words. */
function toolsNamed({ steps }: ErrorDetail): Set<string> {
  const known = toolsOf("debug").map(({ name }) => name);
  const words = steps.flatMap(({ text }) => text.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []);
  return new Set([
    ...steps.flatMap(({ tool }) => tool ?? []),
    ...words.filter((word) => known.includes(word) || word.startsWith("browser_")),
  ]);
}

function isIn(profile: Profile, name: string): boolean {
  const tool = findTool(name);
  return tool !== undefined && inProfile(tool.profile, profile);
}
