import type { QuarantinedText } from '../../ports/quarantine.js';

/** Returns the texts that an administrator has judged to be harmless. */
export function releasedTexts(kept: readonly QuarantinedText[]): string[] {
  return kept.filter(({ status }) => status === 'released').map(({ text }) => text);
}

/** Returns the part of a text that the scanner must check. An administrator has already judged the released texts. */
export function withoutReleased(text: string, kept: readonly QuarantinedText[]): string {
  return releasedTexts(kept)
    .filter((released) => released !== '')
    .reduce((rest, released) => rest.replaceAll(released, () => '\n'), text);
}
