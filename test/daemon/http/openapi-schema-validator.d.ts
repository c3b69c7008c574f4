// The package has no types of its own; these are what the tests use of it.
declare module "@seriousme/openapi-schema-validator" {
  export class Validator {
    /** The version of OpenAPI that the last document was found to be of. */
    version: string;
    validate(document: object): Promise<{ valid: boolean; errors?: unknown }>;
  }
}
