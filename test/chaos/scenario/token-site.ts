// Pages in which a session stores a secret token and reads what is stored.
import type { ServerResponse } from "node:http";
import type { Site } from "../../site/serve.ts";

export interface TokenSite {
  /** Returns a page that shows cookie and storage, with a form that stores another value in both. */
  work(token: string, round: number): string;
  /** Returns a page that shows them as `kept cookie=… storage=…`. */
  read(): string;
}

/** Returns the stored values that a page shows; undefined for any other page. */
export function keptOn(text: string): { cookie: string; storage: string } | undefined {
  const [, cookie, storage] = /kept cookie=([\w.]+) storage=([\w.]+)/.exec(text) ?? [];
  return cookie !== undefined && storage !== undefined ? { cookie, storage } : undefined;
}

/** Returns all tokens in the text, of any session. */
export function tokensIn(text: string): Set<string> {
  return new Set(text.match(/tok_[a-z0-9_]+/g) ?? []);
}

const SCRIPT = `
const cookie = () => /(?:^|; )kept=([\\w.]+)/.exec(document.cookie)?.[1] ?? "nothing";
const show = () => {
  document.querySelector("#kept").textContent =
    "kept cookie=" + cookie() + " storage=" + (localStorage.getItem("kept") ?? "nothing");
};
const keep = () => {
  const value = document.querySelector("input").value;
  document.cookie = "kept=" + value + "; max-age=86400; path=/";
  localStorage.setItem("kept", value);
  show();
};
addEventListener("DOMContentLoaded", () => {
  show();
  document.querySelector("button")?.addEventListener("click", keep);
});`;

export function tokenSite(site: Site): TokenSite {
  const work = site.route((request, response) => {
    const { searchParams } = new URL(request.url ?? "/", site.origin);
    const token = searchParams.get("token") ?? "";
    const rows = Array.from({ length: 40 }, (_, row) => `<li><a href="#${row}">Row ${row}</a></li>`).join("");
    respond(
      response,
      `<h1>Work ${token} round ${searchParams.get("round")}</h1><label>Value <input></label><button>Keep</button>
       <p id=kept></p><ul>${rows}</ul>`,
    );
  });
  const read = site.route((_request, response) => respond(response, "<h1>Read</h1><p id=kept></p>"));
  return {
    work: (token, round) => `${work}?token=${token}&round=${round}`,
    read: () => read,
  };
}

function respond(response: ServerResponse, body: string): void {
  response.writeHead(200, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" });
  response.end(`<!doctype html><title>Chaos</title><script>${SCRIPT}</script>${body}`);
}
