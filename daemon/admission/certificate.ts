// The name that a client's certificate gives.
import type { PeerCertificate } from "node:tls";

/** The common name, else the first of the alternative names; empty where it names nobody. */
export function nameIn({
  subject,
  subjectaltname,
}: Pick<PeerCertificate, "subject" | "subjectaltname">): string {
  const common: unknown = subject?.CN;
  // There may be several; the most specific one stands last.
  const name = Array.isArray(common) ? common.at(-1) : common;
  if (name) return String(name);
  const [, alternative = ""] = /^(?:DNS|email|URI):([^,]*)/i.exec(subjectaltname ?? "") ?? [];
  return alternative;
}
