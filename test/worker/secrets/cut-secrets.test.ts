// A secret that a text's bound cuts off is masked. Guesses of its beginning find nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Redactor } from "../../../worker/secrets/redactor.ts";
import { randomOf } from "../../security/echoes.ts";

/** The characters of a secret that a cut text must show before they are masked. */
const SHOWN_MIN = 8;
const SECRETS = 300;
const ALPHABET = [...'abcdefghijkLMNOPQ0123456789%+/&"\\<_-.:;=!é€'];

/** The constant part of a shorter secret's base64 says less of it than its whole. */
const IN_BASE64_MIN = 12;

const random = randomOf(7);
const secrets = Array.from({ length: SECRETS }, () => {
  const length = 6 + random(30);
  return Array.from({ length }, () => ALPHABET[random(ALPHABET.length)] ?? "").join("");
});

/** All ways in which a page may write the beginning of a secret. */
const written = (beginning: string): Record<string, string> => ({
  plain: beginning,
  "upper case": beginning.toUpperCase(),
  apart: [...beginning].join(" "),
  URL: encodeURIComponent(beginning),
  "character codes": [...beginning].map((each) => each.codePointAt(0)).join(", "),
  hexadecimal: Buffer.from(beginning).toString("hex"),
  base64: Buffer.from(beginning).toString("base64").replaceAll("=", ""),
  "within base64": Buffer.from(`a${beginning}`).toString("base64").replaceAll("=", ""),
});

/** Its letters alone count as the secret, so nothing is missing if the rest has none. */
const isWhole = (rest: readonly string[]) => !/[\p{L}\p{N}]/u.test(rest.join(""));

const finds = (secret: string, text: string) => {
  const redactor = new Redactor();
  redactor.watchFor(secret);
  return redactor.text(text) !== text;
};

test("no beginning of a secret of fewer than eight characters is masked, however it is written", () => {
  for (const secret of secrets) {
    const characters = [...secret];
    for (let length = 1; length < Math.min(SHOWN_MIN, characters.length); length++)
      for (const [how, text] of Object.entries(written(characters.slice(0, length).join("")))) {
        if (isWhole(characters.slice(length))) continue;
        if (how.includes("base64") && characters.length < IN_BASE64_MIN) continue;
        for (const cut of [`${text}…`, `- text: ${text}…`, `"${text}…"`])
          assert.ok(!finds(secret, cut), `${length} characters of ${secret} in ${how}: ${cut}`);
      }
  }
});

test("no end of a secret of fewer than eight characters is masked backwards", () => {
  for (const secret of secrets) {
    const backwards = [...secret].reverse();
    for (let length = 1; length < Math.min(SHOWN_MIN, backwards.length); length++)
      assert.ok(
        isWhole(backwards.slice(length)) || !finds(secret, `${backwards.slice(0, length).join("")}…`),
        secret,
      );
  }
});

test("eight characters of a secret or more never show where a text is cut", () => {
  for (const secret of secrets) {
    const redactor = new Redactor();
    redactor.watchFor(secret);
    const characters = [...secret];
    for (let length = SHOWN_MIN; length < characters.length; length++)
      for (const beginning of [characters, characters.toReversed()].map((each) =>
        each.slice(0, length).join(""),
      ))
        assert.equal(redactor.text(`It is ${beginning}…`), "It is •••…", secret);
    for (let length = SHOWN_MIN; length < characters.length; length++) {
      const { hexadecimal = "", URL: inUrl = "" } = written(characters.slice(0, length).join(""));
      for (const text of [hexadecimal, inUrl]) assert.equal(redactor.text(`${text}…`), "•••…", secret);
    }
  }
});
