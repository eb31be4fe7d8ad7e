/** Reasons why a file of a known type could not be read. */
export const readFailures = ['password_protected', 'unreadable', 'too_large', 'took_too_long', 'no_text'] as const;
export type ReadFailure = (typeof readFailures)[number];

/** Layout of the text: determines where it may be split. */
export type TextLayout = 'paragraphs' | 'rows';

/** A file with more characters of text than this is `too_large`. About 2,000 pages. */
export const maxFileCharacters = 4_000_000;

export type ReadFile =
  /** The type is not supported. */
  | { mediaType: null }
  | { mediaType: string; failure: ReadFailure }
  /** Well-formed, without NUL, not blank. Headings are lines that start with `#`. */
  | { mediaType: string; text: string; layout: TextLayout };

/**
 * Reads the text of uploaded files.
 *
 * Type: detected from the content alone; the file name is ignored.
 * Hazards: whatever a file contains, a call ends within bounded time, uses bounded memory, gives it back afterwards, and does not
 * bring down the process.
 * Errors: the content of a file never causes a rejection; rejects if the file cannot be opened, and with UNAVAILABLE if the adapter
 * cannot start its work.
 * Concurrency: calls may overlap; the adapter limits its own work.
 */
export interface FileReader {
  read(path: string): Promise<ReadFile>;
  /** Like `read`, for a file that is not on the disk yet; rejects if the bytes fail to arrive. */
  readPieces(pieces: AsyncIterable<Buffer>): Promise<ReadFile>;
}
