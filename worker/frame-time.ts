// How long a frame may take to answer: one that hangs is left out, and holds nobody.

const FRAME_MS_MAX = 3_000;

/** A frame did not answer in time. */
export class FrameTimeout extends Error {
  override readonly name = "FrameTimeout";
}

/** Rejects with FrameTimeout where the work takes longer than a frame may. */
export async function withinTime<T>(work: () => Promise<T>, timeMs = FRAME_MS_MAX): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new FrameTimeout("timeout")), timeMs);
  try {
    return await Promise.race([work(), promise]);
  } finally {
    clearTimeout(timer);
  }
}
