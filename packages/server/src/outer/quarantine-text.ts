import type { QuarantinedText } from '../ports/quarantine.js';

/** A quarantined text in JSON. */
export type QuarantineText = Omit<QuarantinedText, 'createdAt' | 'updatedAt'> & {
  createdAt: string;
  updatedAt: string;
};

export function toQuarantineText(text: QuarantinedText): QuarantineText {
  return { ...text, createdAt: text.createdAt.toISOString(), updatedAt: text.updatedAt.toISOString() };
}

export function fromQuarantineText(text: QuarantineText): QuarantinedText {
  return { ...text, createdAt: new Date(text.createdAt), updatedAt: new Date(text.updatedAt) };
}
