import assert from "node:assert/strict";
import { test } from "node:test";
import { socketProblem, stateFolderProblem } from "../../../proto/machine/socket-path.ts";

test("a path is possible up to the length of a socket's address, in bytes", () => {
  assert.equal(socketProblem(`/${"x".repeat(106)}`), undefined);
  assert.match(socketProblem(`/${"x".repeat(107)}`) ?? "", /has 108 bytes, at most 107 are possible/);
  assert.match(socketProblem(`/${"\u00e4".repeat(60)}`) ?? "", /has 121 bytes/);
  assert.match(stateFolderProblem(`/${"x".repeat(106)}`) ?? "", /13 bytes too long for the sockets in it/);
});

for (const held of ["\n", "\r", "\t", "\u0000", "\u0007", "\u0085", "\u2028", "\u2029"]) {
  test(`a path with ${JSON.stringify(held)} is refused on one line`, () => {
    for (const problem of [socketProblem(`/a${held}b`), stateFolderProblem(`/a${held}b`)])
      assert.match(
        problem ?? "",
        /^the [^\p{Cc}\u2028\u2029]* holds a line break or [^\p{Cc}\u2028\u2029]*$/u,
      );
  });
}

test("spaces, quotes and letters of any script are possible", () => {
  for (const path of ["/a b", "/it's", "/%41", "/\u00e4\u4e16", "/a#b?c"])
    assert.equal(socketProblem(path), undefined);
});
