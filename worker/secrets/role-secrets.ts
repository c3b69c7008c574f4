// Holds a role's credentials: their names, the origins that they are bound to, and the way to their values.
import { fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import type { Credential } from "../../proto/gen/troupe.ts";
import type { Argument, Tool } from "../../proto/tools/read-tools.ts";
import { isListed } from "../policy/origins.ts";
import { placeholderOf, type Template, templateOf, unknownName } from "./placeholders.ts";
import type { Redactor } from "./redactor.ts";
import { unfitSecret } from "./secret-finder.ts";

/** A credential's value, or why there is none: `is not there`. */
export type CredentialValue = { value: string } | { problem: string };

export interface RoleSecretsParts {
  role: string;
  credentials: readonly Credential[];
  redactor: Redactor;
  /** Asks the daemon. */
  ask: (name: string) => Promise<CredentialValue>;
}

export class RoleSecrets {
  readonly redactor: Redactor;
  readonly #parts: RoleSecretsParts;

  constructor(parts: RoleSecretsParts) {
    this.#parts = parts;
    this.redactor = parts.redactor;
  }

  /** Throws INVALID_ARGUMENT if a text that the call types names a credential that the role does not have. */
  checkNames(tool: Tool, request: Record<string, unknown>): void {
    for (const argument of tool.arguments) {
      const texts = typedIn(argument, request[argument.name]);
      const [unknown] = texts.flatMap((text) => unknownName(text, this.#known) ?? []);
      if (unknown) throw this.#unknown(argument.name, unknown.nearest);
    }
  }

  /** Returns the text's placeholders; undefined for a text without any. */
  template(text: string): Template | undefined {
    return templateOf(text, this.#known);
  }

  /** Throws PERMISSION_DENIED if a document of that origin gets one of the template's credentials. */
  permit({ names }: Template, origin: string): void {
    for (const name of names) {
      const origins = this.#named(name)?.origins ?? [];
      if (!URL.canParse(origin) || !isListed(new URL(origin), origins))
        throw this.#notHere(name, origin, origins);
    }
  }

  /** Returns the text to type. Its values are kept out of all texts from now on. Throws AUTHENTICATION_FAILED. */
  async fill(template: Template): Promise<string> {
    const values = new Map<string, string>();
    for (const name of template.names) {
      const found = await this.#parts.ask(name);
      if ("problem" in found) throw this.#without(name, found.problem);
      const unfit = unfitSecret(found.value);
      if (unfit !== undefined) throw this.#without(name, unfit);
      this.redactor.watchFor(found.value);
      values.set(name, found.value);
    }
    return template.filled(values);
  }

  get #known() {
    return { role: this.#parts.role, names: this.#parts.credentials.map(({ name }) => name) };
  }

  #named(name: string): Credential | undefined {
    return this.#parts.credentials.find((each) => each.name === name);
  }

  #unknown(argument: string, nearest: string | undefined): TroupeError {
    const { role, names } = this.#known;
    const allowed = names.map((name) => placeholderOf(role, name));
    const has = allowed.length > 0 ? `it has ${allowed.join(", ")}` : "it has none";
    return fail("INVALID_ARGUMENT", {
      argument,
      problem: `${argument} names a credential that role ${role} does not have; ${has}`,
      allowed,
      ...(nearest !== undefined && { nearest }),
      hint: nearest === undefined ? "with a text of your own" : `with ${nearest} in it`,
      likelyCause: "A credential's name was guessed: list_current_roles shows those of each role",
    });
  }

  #notHere(name: string, origin: string, origins: readonly string[]): TroupeError {
    const { role } = this.#parts;
    const placeholder = placeholderOf(role, name);
    const where = origins.length > 0 ? origins.join(", ") : "no origin";
    const own = origin === "null" ? "an opaque origin, as of a sandboxed frame" : origin;
    return fail("PERMISSION_DENIED", {
      what: `typing ${placeholder} into a document of ${own}`,
      reason: `It is typed only into documents of ${where}; nothing was typed.`,
      causes: [
        "The page led to another site than the credential is for, or the field is in another site's frame",
      ],
      steps: [
        ...(origins.length > 0
          ? [`Call browser_navigate with a page of ${where}, and type ${placeholder} there`]
          : []),
        `If ${own} is right, the operator lists it in roles.${role}.credentials.${name}.origins`,
      ],
    });
  }

  #without(name: string, problem: string): TroupeError {
    const { role } = this.#parts;
    return fail("AUTHENTICATION_FAILED", {
      role,
      authPath: this.#named(name)?.source ?? "",
      reason: problem,
      credential: placeholderOf(role, name),
    });
  }
}

/** Returns the texts of an argument that are typed into pages. */
function typedIn({ typed, fields = [] }: Argument, value: unknown): string[] {
  if (typed) return textsIn(value);
  if (typeof value !== "object" || value === null) return [];
  const items = (Array.isArray(value) ? value : [value]) as Record<string, unknown>[];
  return items.flatMap((item) => fields.flatMap((field) => typedIn(field, item[field.name])));
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
