// Puts work off until its result is needed, so that programs start quickly.

/** Returns a function that runs `make` at its first call, and gives that result to every call. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
