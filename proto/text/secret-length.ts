// The least length of a secret that can be kept out of texts.

/** A shorter one would be found in every other text. White space does not count. */
export const SECRET_LENGTH_MIN = 6;
