// The error for an option that a select or a list does not have.
import { fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import type { ElementData } from "../../proto/errors/steps/step.ts";
import { nearest } from "../../proto/text/nearest.ts";

/** So many options are named in an error. */
export const OPTIONS_SHOWN_MAX = 50;

/** `disabled`: the option is there and cannot be chosen. */
export function optionNotFound(
  element: ElementData,
  missing: string,
  options: readonly string[],
  disabled: boolean | undefined,
): TroupeError {
  const meant = disabled ? undefined : nearest(missing, options);
  return fail("OPTION_NOT_FOUND", {
    ...element,
    missing,
    options: options.slice(0, OPTIONS_SHOWN_MAX),
    ...(meant && { nearest: meant }),
    ...(disabled && { disabled: true }),
  });
}
