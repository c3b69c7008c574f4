// Bounds files, which travel between client and page, and what a session may hold of them.

/** A larger file is refused, and a larger download cancelled. */
export const FILE_BYTES_MAX = 256 * 2 ** 20;
/** The files of a session in a role, put and downloaded, together. */
export const SESSION_BYTES_MAX = 512 * 2 ** 20;
/** Files that were put, and documents that were made of pages. */
export const STORED_FILES_MAX = 200;
/** Downloads that a session's list holds. */
export const DOWNLOADS_MAX = 100;
/** A larger file travels as a stream and not in a message. */
export const MESSAGE_FILE_BYTES_MAX = 2 ** 20;
/** The files in one message, together. They stay below the bound of a request. */
export const MESSAGE_FILES_BYTES_MAX = 3 * 2 ** 20;
/** The length of a part of a file on its way. */
export const PART_BYTES = 256 * 1024;
/** A transfer ends if no byte comes or leaves for so long. */
export const STALL_MS_MAX = 20_000;
/** A transfer ends after this, even if its bytes still come. */
export const TRANSFER_MS_MAX = 600_000;

/** The id of a file that was put. It stands for the file wherever a path can stand. */
export const PUT_ID = /^upload-[0-9a-f-]{36}$/;

/** Writes a length for people. */
export function shownBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
  const [unit, size] = bytes < 2 ** 20 ? ["KiB", bytes / 1024] : ["MiB", bytes / 2 ** 20];
  return `${size < 10 ? Math.round(size * 10) / 10 : Math.round(size)} ${unit}`;
}
