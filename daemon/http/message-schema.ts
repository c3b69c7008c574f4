// Makes a JSON Schema of a protocol message by reflection, for the JSON that protoJson makes.
import protobuf from "protobufjs";
import { isAbsentWhenEmpty } from "../../proto/wire/schema.ts";

export type JsonSchema = { [keyword: string]: unknown };

/** Messages with a JSON form of their own. */
const WELL_KNOWN: Readonly<Record<string, JsonSchema>> = {
  ".google.protobuf.Struct": { type: "object" },
  ".google.protobuf.Timestamp": { type: "string", format: "date-time" },
};

/** The schemas of messages by their names, with those of all messages inside them. */
export class MessageSchemas {
  readonly schemas: Record<string, JsonSchema> = {};

  refTo(type: protobuf.Type): JsonSchema {
    const known = WELL_KNOWN[type.fullName];
    if (known) return known;
    if (!(type.name in this.schemas)) {
      // The entry exists before its fields are read, because a message may contain itself.
      this.schemas[type.name] = {};
      this.schemas[type.name] = this.of(type);
    }
    return { $ref: `#/components/schemas/${type.name}` };
  }

  /** Returns the message's schema itself, without some of its fields. */
  of(type: protobuf.Type, without: readonly string[] = []): JsonSchema {
    const fields = type.fieldsArray.filter(({ name }) => !without.includes(name));
    const required = fields.filter(isAlwaysThere).map(({ name }) => name);
    return {
      type: "object",
      ...(type.comment && { description: type.comment }),
      properties: Object.fromEntries(fields.map((field) => [field.name, this.#field(field)])),
      ...(required.length > 0 && { required }),
    };
  }

  #field(field: protobuf.Field): JsonSchema {
    const one = this.#value(field);
    const description = field.comment ? { description: field.comment } : {};
    if (field instanceof protobuf.MapField)
      return { type: "object", additionalProperties: one, ...description };
    if (field.repeated) return { type: "array", items: one, ...description };
    const isMessage = field.resolve().resolvedType instanceof protobuf.Type;
    return isMessage ? { anyOf: [one, { type: "null" }], ...description } : { ...one, ...description };
  }

  #value(field: protobuf.Field): JsonSchema {
    const type = field.resolve().resolvedType;
    if (type instanceof protobuf.Enum) return { type: "string", enum: Object.keys(type.values) };
    if (type instanceof protobuf.Type) return this.refTo(type);
    return SCALARS[field.type] ?? { type: "integer" };
  }
}

const SCALARS: Readonly<Record<string, JsonSchema>> = {
  string: { type: "string" },
  bool: { type: "boolean" },
  bytes: { type: "string", contentEncoding: "base64" },
  double: { type: "number" },
  float: { type: "number" },
};

function isAlwaysThere(field: protobuf.Field): boolean {
  const isMessage = field.resolve().resolvedType instanceof protobuf.Type && !field.repeated && !field.map;
  return !isMessage && !field.partOf && !isAbsentWhenEmpty(field);
}
