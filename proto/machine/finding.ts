/** The result of one check of `troupe doctor`. `remedy`: what to do if it is not well. */
export interface Finding {
  check: string;
  ok: boolean;
  found: string;
  remedy?: string;
}

export function well(check: string, found: string): Finding {
  return { check, ok: true, found };
}

export function unwell(check: string, found: string, remedy: string): Finding {
  return { check, ok: false, found, remedy };
}
