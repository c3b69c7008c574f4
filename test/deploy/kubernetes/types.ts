// Holds objects to the types of their kinds: types and unknown fields by TypeScript, bounds and patterns by validators.
// The packages make both from Kubernetes' own API, and from the definitions of each extension.
import path from "node:path";
import ts from "typescript";
import { ROOT } from "../../readme/pages.ts";
import type { KubernetesObject } from "./render.ts";

/** The packages by the group of their objects. Kubernetes' own groups are all in one. */
const PACKAGES: Readonly<Record<string, string>> = {
  "gateway.networking.k8s.io": "@kubernetes-models/gateway-api",
  "gateway.envoyproxy.io": "@kubernetes-models/envoy-gateway",
  "monitoring.coreos.com": "@kubernetes-models/prometheus-operator",
  "keda.sh": "@kubernetes-models/keda",
};
/** A file that exists for the compiler alone. */
const CHECKED = path.join(ROOT, "test/deploy/kubernetes/objects.checked.ts");

type Model = new (object: object) => { validate(): void };

/** Returns what is wrong with the objects, each with the object's name. */
export async function problemsOf(objects: readonly KubernetesObject[]): Promise<string[]> {
  return [...compilerProblems(objects), ...(await validatorProblems(objects))];
}

export function nameOf({ kind, metadata }: KubernetesObject): string {
  return `${kind}/${metadata.name}`;
}

function compilerProblems(objects: readonly KubernetesObject[]): string[] {
  const lines = objects.map((object, index) => {
    const type = `import(${JSON.stringify(moduleOf(object))}).I${object.kind}`;
    return `export const object${index}: ${type} = ${JSON.stringify(object)};`;
  });
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.NodeNext,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  const text = lines.join("\n");
  host.fileExists = (file) => file === CHECKED || fileExists(file);
  host.readFile = (file) => (file === CHECKED ? text : readFile(file));
  host.getSourceFile = (file, language, ...rest) =>
    file === CHECKED ? ts.createSourceFile(file, text, language) : getSourceFile(file, language, ...rest);
  const program = ts.createProgram([CHECKED], options, host);
  return ts.getPreEmitDiagnostics(program).map((problem) => {
    const { line } = ts.getLineAndCharacterOfPosition(
      problem.file ?? ts.createSourceFile("", "", ts.ScriptTarget.ESNext),
      problem.start ?? 0,
    );
    const object = objects[line];
    return `${object ? nameOf(object) : ""}: ${ts.flattenDiagnosticMessageText(problem.messageText, " ")}`;
  });
}

async function validatorProblems(objects: readonly KubernetesObject[]): Promise<string[]> {
  const found = await Promise.all(
    objects.map(async (object) => {
      try {
        const models = (await import(moduleOf(object))) as Record<string, Model>;
        const Kind = models[object.kind];
        if (!Kind) return [`${nameOf(object)}: no such kind in ${object.apiVersion}`];
        new Kind(object).validate();
        return [];
      } catch (error) {
        return [`${nameOf(object)}: ${(error as Error).message}`];
      }
    }),
  );
  return found.flat();
}

function moduleOf({ apiVersion }: KubernetesObject): string {
  const group = apiVersion.includes("/") ? (apiVersion.split("/")[0] ?? "") : "";
  return `${PACKAGES[group] ?? "kubernetes-models"}/${apiVersion}`;
}
