import { type ReactNode, useMemo, useState } from 'react';

/** Characters that hide or reorder text: bidirectional controls, zero-width characters but joiners, tags, other controls. */
export const hiddenCharacters =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/g;

/** How much of a text is shown at once where it is read in full. */
const firstCharacters = 4000;

/**
 * Shows text that anybody may have written. It is never markup; characters that hide or reorder others are shown by their number, and
 * its direction does not reach the text around it.
 */
export function Text({ value, limit }: { value: string; limit?: number }) {
  const isCut = limit !== undefined && value.length > limit;
  const shown = isCut ? value.slice(0, limit) : value;
  const parts = useMemo(() => markHidden(shown), [shown]);
  return (
    <bdi className="text">
      {parts}
      {isCut && '…'}
    </bdi>
  );
}

/** Shows a text of any length as it was written, with its line breaks. */
export function LongText({ value }: { value: string }) {
  const [isWhole, setWhole] = useState(value.length <= firstCharacters);
  return (
    <div className="long-text">
      <Text value={value} {...(isWhole ? {} : { limit: firstCharacters })} />
      {!isWhole && (
        <button type="button" className="button small" onClick={() => setWhole(true)}>
          Show all {value.length.toLocaleString('en')} characters
        </button>
      )}
    </div>
  );
}

function markHidden(text: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let from = 0;
  for (const match of text.matchAll(hiddenCharacters)) {
    parts.push(text.slice(from, match.index));
    const number = (match[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    parts.push(
      <span key={match.index} className="hidden-character" title={`A character that is not visible: U+${number}`}>
        {number}
      </span>,
    );
    from = match.index + match[0].length;
  }
  parts.push(text.slice(from));
  return parts;
}
