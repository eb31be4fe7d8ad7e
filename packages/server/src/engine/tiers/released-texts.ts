import type { QuarantinedText } from '../../ports/quarantine.js';

/** Returns the part of a text that the scanner must check. An administrator has already judged the released texts. */
export function withoutReleased(text: string, kept: readonly QuarantinedText[]): string {
  return kept
    .filter(({ status, text: released }) => status === 'released' && released !== '')
    .reduce((rest, { text: released }) => rest.replaceAll(released, () => '\n'), text);
}
