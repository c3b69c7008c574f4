// The page's requests to the daemon.
import type { EndedSession, EvidenceDetail, EvidenceList, Look, Me, SessionPage } from "../../wire.ts";

/** A refused or failed request. */
export class RequestError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const TIMEOUT_MS = 120_000;

/** A tab of a session in a role. */
export interface TabPlace {
  key: string;
  role: string;
  tab: string;
}

/** Returns the address of the picture. `time` makes it another one for the browser. */
export function pictureOf(where: TabPlace, time: number): string {
  return `/console/picture?${queryOf(where)}&time=${time}`;
}

/** Returns the address of a recorded call's picture. */
export function evidencePicture(key: string, id: string): string {
  return `/console/evidence-picture?${new URLSearchParams({ key, id })}`;
}

export const api = {
  me: () => ask<Me>("/console/me"),
  login: (token: string) => post<Me>("/console/login", { token }),
  logout: () => post<object>("/console/logout", {}),
  session: (key: string) => ask<SessionPage>(`/console/session?key=${encodeURIComponent(key)}`),
  tree: (where: TabPlace) => ask<Look>(`/console/tree?${queryOf(where)}`),
  ended: () => ask<EndedSession[]>("/console/ended"),
  evidence: (key: string, after: string) =>
    ask<EvidenceList>(`/console/evidence?${new URLSearchParams({ key, after })}`),
  evidenceDetail: (key: string, id: string) =>
    ask<EvidenceDetail>(`/console/evidence-call?${new URLSearchParams({ key, id })}`),
  failures: (role: string) => ask<{ text: string }>(`/console/failures?role=${encodeURIComponent(role)}`),
  restartRole: (name: string) => post<object>("/console/RestartRole", { name }),
  closeSession: (session: string) => post<object>("/console/CloseSession", { session }),
  takeOver: (session: string, role: string) => post<{ url: string }>("/console/TakeOver", { session, role }),
  handBack: (session: string, role: string) => post<object>("/console/HandBack", { session, role }),
  clearFailures: (role: string) => post<object>("/console/ClearFailures", { role }),
  reloadConfig: () => post<{ problems?: string[] }>("/console/ReloadConfig", {}),
  decideApproval: (id: string, deny: boolean) => post<object>("/console/DecideApproval", { id, deny }),
  drain: () => post<object>("/console/Drain", {}),
};

function queryOf({ key, role, tab }: TabPlace): string {
  return new URLSearchParams({ key, role, tab }).toString();
}

function post<T>(path: string, body: object): Promise<T> {
  return ask<T>(path, {
    method: "POST",
    headers: { "content-type": "application/json", "x-troupe-console": "1" },
    body: JSON.stringify(body),
  });
}

async function ask<T>(path: string, options: RequestInit = {}): Promise<T> {
  const response = await fetch(path, { ...options, signal: AbortSignal.timeout(TIMEOUT_MS) });
  const answer: unknown = await response.json();
  if (response.ok) return answer as T;
  const { detail } = answer as { detail?: unknown };
  throw new RequestError(response.status, typeof detail === "string" ? detail : response.statusText);
}
