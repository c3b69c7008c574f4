import assert from "node:assert/strict";
import { test } from "node:test";
import type protobuf from "protobufjs";
import { builtSchema, schema, schemaOf } from "../../../proto/wire/schema.ts";

/** The parts of an object that the tools are read from. */
const factsOf = ({ fullName, comment, options, parsedOptions }: protobuf.ReflectionObject) => ({
  fullName,
  comment,
  options,
  parsedOptions,
});

test("the package's protocol has all names, comments and options of the .proto files", () => {
  const built = schemaOf(JSON.parse(JSON.stringify(builtSchema())));
  for (const name of ["troupe.v1.Browser", "troupe.v1.Control"]) {
    const [from, to] = [schema().lookupService(name), built.lookupService(name)];
    assert.deepEqual(to.methodsArray.map(factsOf), from.methodsArray.map(factsOf));
    for (const [index, method] of from.methodsArray.entries()) {
      const other = to.methodsArray[index]?.resolve() as protobuf.Method;
      const { resolvedRequestType: wanted } = method.resolve() as protobuf.Method;
      assert.deepEqual(other.resolvedRequestType?.fieldsArray.map(factsOf), wanted?.fieldsArray.map(factsOf));
    }
  }
});
