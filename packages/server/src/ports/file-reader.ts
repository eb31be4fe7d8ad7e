/** Why nothing could be read from a file of a known type. */
export const readFailures = ['password_protected', 'unreadable', 'too_large', 'took_too_long', 'no_text'] as const;
export type ReadFailure = (typeof readFailures)[number];

/** How the text is laid out: where it may be cut. */
export type TextLayout = 'paragraphs' | 'rows';

export type ReadFile =
  /** Of no type that can be read here. */
  | { mediaType: null }
  | { mediaType: string; failure: ReadFailure }
  /** Well-formed, without NUL, not blank. Headings are lines that begin with `#`. */
  | { mediaType: string; text: string; layout: TextLayout };

/**
 * Reads the text of files that somebody sent.
 *
 * Type: by content alone; the name of a file says nothing.
 * Hazards: whatever a file holds, a call ends within a bounded time and takes a bounded amount of memory, and the process
 * lives on. What was packed is measured before it is unpacked.
 * Errors: files never make it reject; it rejects when the file cannot be opened.
 * Concurrency: calls may overlap; the adapter bounds its own work.
 */
export interface FileReader {
  read(path: string): Promise<ReadFile>;
  /** The same of a file that is nowhere on the disk yet; rejects when its bytes do. */
  readPieces(pieces: AsyncIterable<Buffer>): Promise<ReadFile>;
}
