// Reads what the system says of processes that may have ended meanwhile, or that belong to another user.

const GONE_OR_FOREIGN = ["ENOENT", "ESRCH", "EACCES", "EPERM"];

/** Reports if the error only means that the process has ended, or that this user may not look at it. */
export function isGoneOrForeign(error: unknown): boolean {
  return GONE_OR_FOREIGN.includes((error as NodeJS.ErrnoException).code ?? "");
}

/** Returns what was read, or `otherwise` if the process has ended or is another user's. */
export async function ofLiving<T>(reading: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (isGoneOrForeign(error)) return otherwise;
    throw error;
  }
}
