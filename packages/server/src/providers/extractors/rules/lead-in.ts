import type { Language, LeadEffect } from './languages/language.js';

/** The introduction of a clause, before its point. */
interface LeadIn extends Required<LeadEffect> {
  /** Position of the point in the clause. */
  at: number;
}

const mostLeads = 8;

export function readLeadIn(text: string, { leads }: Language): LeadIn {
  const lead: LeadIn = { at: 0, corrects: false, request: 'none' };
  for (let count = 0; count < mostLeads; count++) {
    const found = leads.find(([pattern]) => endOf(pattern, text, lead.at) > lead.at);
    const end = found === undefined ? 0 : endOf(found[0], text, lead.at);
    if (found === undefined) break;
    Object.assign(lead, found[1]);
    lead.at = end;
  }
  return lead;
}

function endOf(sticky: RegExp, text: string, at: number): number {
  sticky.lastIndex = at;
  return sticky.test(text) ? sticky.lastIndex : 0;
}
