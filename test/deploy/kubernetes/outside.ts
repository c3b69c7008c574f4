// The Secrets with their keys, and the labels, that docs/KUBERNETES.md has the operator make.
import { blocksOf, pageText } from "../../readme/pages.ts";
import type { Outside } from "./references.ts";

const PAGE = "docs/KUBERNETES.md";
/** Labels of the cluster's own parts, and of clients. The page says who bears them. */
const LABELS = [
  "troupe-client=true",
  "app.kubernetes.io/name=postgresql",
  "kubernetes.io/metadata.name=kube-system",
  "kubernetes.io/metadata.name=envoy-gateway-system",
  "kubernetes.io/metadata.name=monitoring",
  "k8s-app=kube-dns",
];

export function outside(): Outside {
  const text = pageText(PAGE);
  const secrets = new Map<string, readonly string[]>();
  for (const { text: commands } of blocksOf(PAGE, text).filter(({ language }) => language === "sh"))
    for (const [, name = "", files = ""] of commands
      .replaceAll("\\\n", " ")
      .matchAll(/create secret generic (\S+)(.*)$/gm))
      secrets.set(
        name,
        [...files.matchAll(/--from-file=([^\s=]+)/g)].map(([, key = ""]) => key),
      );
  return { secrets, labels: new Set(LABELS) };
}

/** Returns the labels' values that the page does not name. */
export function unsaid(): string[] {
  const text = pageText(PAGE);
  return LABELS.filter((label) => !text.includes(label.split("=")[1] ?? "") && !text.includes(label));
}
