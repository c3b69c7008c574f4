// Waits for a call that nothing reports.

/** Resolves once the object's method has been called again. */
export function called<N extends string>(
  of: Record<N, (...args: never[]) => unknown>,
  name: N,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const method = of[name];
  const value = (...args: never[]) => {
    Reflect.deleteProperty(of, name);
    queueMicrotask(resolve);
    return method.apply(of, args);
  };
  Object.defineProperty(of, name, { configurable: true, value });
  return promise;
}
