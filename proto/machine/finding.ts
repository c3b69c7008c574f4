/** What one check of `troupe doctor` found; `remedy`: what to do where it is not well. */
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
