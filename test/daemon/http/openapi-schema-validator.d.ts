// The package has no types of its own. This file declares those that the tests use.
declare module "@seriousme/openapi-schema-validator" {
  export class Validator {
    /** The OpenAPI version of the last document. */
    version: string;
    validate(document: object): Promise<{ valid: boolean; errors?: unknown }>;
  }
}
