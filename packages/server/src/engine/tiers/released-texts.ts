import type { QuarantinedText } from '../../ports/quarantine.js';

/** What is left of a text for the scanner to judge: an administrator has judged the rest. */
export function withoutReleased(text: string, kept: readonly QuarantinedText[]): string {
  return kept
    .filter(({ status, text: released }) => status === 'released' && released !== '')
    .reduce((rest, { text: released }) => rest.replaceAll(released, () => '\n'), text);
}
