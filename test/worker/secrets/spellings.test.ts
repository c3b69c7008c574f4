// Tests that no spelling of a secret passes, whatever a page writes before and behind it. SECRETS sets how many are tried.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Redactor } from "../../../worker/secrets/redactor.ts";
import { unfitSecret } from "../../../worker/secrets/secret-finder.ts";
import { randomOf, secretOf } from "../../security/echoes.ts";
import { leaksIn } from "../../security/leaks.ts";

const SECRETS = Number(process.env.SECRETS ?? 2_000);

const inHtml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
const SPELLINGS: Record<string, (secret: string) => string> = {
  "as it is": (secret) => secret,
  "in a URL": encodeURIComponent,
  "in a URL within a URL": (secret) => encodeURIComponent(encodeURIComponent(secret)),
  "in JSON": (secret) => JSON.stringify(secret),
  "in JSON within JSON": (secret) => JSON.stringify(JSON.stringify(secret)),
  "in a URL within JSON": (secret) => JSON.stringify(encodeURIComponent(secret)),
  "in JSON within a URL": (secret) => encodeURIComponent(JSON.stringify(secret)),
  "in base64": (secret) => Buffer.from(secret).toString("base64"),
  "in hexadecimal": (secret) => Buffer.from(secret).toString("hex"),
  "in a form": (secret) => new URLSearchParams({ a: secret }).toString(),
  "in HTML": inHtml,
  "in HTML within a URL": (secret) => encodeURIComponent(inHtml(secret)),
  "in upper case": (secret) => secret.toUpperCase(),
  "in escapes of JavaScript": (secret) =>
    [...secret].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
  "in bytes of a URL": (secret) =>
    [...Buffer.from(secret)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
};
/** A page may write the beginning of an escape beside the secret. */
const NEIGHBOURS = "|%|%2|&|&#|\\|\\u|%c3|\\u{|é|&amp|%25|a|-|\\x".split("|");

test(`no spelling of ${SECRETS} secrets passes`, () => {
  for (let seed = 0; seed < SECRETS; seed++) {
    const random = randomOf(seed);
    const secret = secretOf(random);
    if (unfitSecret(secret) !== undefined) continue;
    const redactor = new Redactor();
    redactor.watchFor(secret);
    const neighbour = () => NEIGHBOURS[random(NEIGHBOURS.length)];
    for (const [how, spell] of Object.entries(SPELLINGS)) {
      const text = `${neighbour()}${spell(secret)}${neighbour()}`;
      const masked = redactor.text(text);
      assert.notEqual(masked, text, `seed ${seed}, ${how}`);
      assert.deepEqual(leaksIn({ masked }, { secret }), [], `seed ${seed}, ${how}: ${text}`);
    }
  }
});
