/** The start of a placeholder for a quarantined text. */
export const blockedMark = '[BLOCKED:';

/** Appends text, starting on a new line. */
export function appendText(text: string, added: string): string {
  if (text === '' || added === '') return text + added;
  return text.endsWith('\n') ? text + added : `${text}\n${added}`;
}
