import type { FactKind } from '../../../ports/extractor.js';
import type { Candidate, Weight } from './candidate.js';
import type { Language } from './languages/language.js';
import { readLeadIn } from './lead-in.js';
import { claimsPrivilege, isSecret } from './refusals.js';
import { isProper, type Rule, type RuleMatch } from './rule.js';

const tooVague = /^(?:\S+\s*){1,2}$/u;

interface ClauseContext {
  language: Language;
  lowerCaseWriter: boolean;
  message: number;
  sentence: number;
  /** What comes before the clause in its sentence. */
  before?: string | undefined;
  /** The request to remember made in an earlier clause of the sentence. */
  request: 'none' | 'mention' | 'remember';
}

export interface ClauseReading {
  candidate: Candidate | undefined;
  request: 'none' | 'mention' | 'remember';
  /** The clause without its introduction. */
  point: string;
  corrects: boolean;
}

export function matchClause(clause: string, context: ClauseContext): ClauseReading {
  const lead = readLeadIn(clause, context.language);
  const request = lead.request === 'none' ? context.request : lead.request;
  const point = clause.slice(lead.at).replace(/[\s.,;:!?…–—-]+$/u, '');
  const hedged = context.language.hedgeBefore.exec(point)?.[0] ?? '';
  const statement = point.slice(hedged.length);
  const found = findRule(statement, `${context.before ?? ''}${clause.slice(0, lead.at)}`, context);
  const candidate =
    found === undefined ? undefined : toCandidate(found, beforeDash(textOf(clause, point, context.language)), context);
  const explicit =
    candidate ??
    (request === 'none'
      ? undefined
      : toExplicit(point, request, context.language.requested.introduced.test(clause.slice(0, lead.at)), context));
  const reading = { request, point, corrects: lead.corrects };
  if (explicit === undefined || isSecret(explicit.text) || claimsPrivilege(explicit, request !== 'none'))
    return { ...reading, candidate: undefined };
  explicit.corrects = lead.corrects;
  if (request !== 'none' && candidate !== undefined) explicit.weights.push(emphasis[request]);
  return { ...reading, candidate: explicit };
}

/** The one question that states something: "Could you remember that …?" */
export function asksToRemember({ request }: ClauseReading, sentence: string, { requested }: Language): boolean {
  return request === 'remember' && requested.askingYou.test(sentence);
}

/** An introduction that puts the verb first belongs to the sentence: "Übrigens bin ich …" */
function textOf(clause: string, point: string, { inverted }: Language): string {
  return inverted?.test(point) === true ? clause.trim() : point;
}

/** After a dash, people often move on to something else. */
function beforeDash(point: string): string {
  return (point.split(/\s[–—-]{1,2}\s/u, 1)[0] ?? '').replace(/[\s.,;:!…]+$/u, '');
}

const emphasis: Record<'mention' | 'remember', Weight> = {
  remember: { reason: 'asked to be remembered', change: 0.06 },
  mention: { reason: 'pointed out', change: 0.02 },
};

interface Found {
  rule: Rule;
  value: string;
  slot: string | undefined;
}

function findRule(statement: string, lead: string, { language, lowerCaseWriter }: ClauseContext): Found | undefined {
  if (!statement.includes(' ')) return undefined;
  for (const rule of language.rulesFor(statement)) {
    const match = rule.pattern.exec(statement);
    if (match === null) continue;
    const whole = (match.groups?.value ?? '').trim();
    if (rule.accepts?.({ value: whole, text: statement, lead, lowerCaseWriter }) === false) continue;
    const role = match.groups?.role?.toLowerCase();
    return {
      rule,
      value: firstPart(whole, language),
      slot: toSlot(rule, role, { value: whole, text: statement, lead, lowerCaseWriter }, language),
    };
  }
  return undefined;
}

/** "in a flat" and "in Basel" can both be true, but not two named places. */
const namedSlots = new Set(['home', 'employer', 'origin']);

function toSlot(
  { slot }: Rule,
  role: string | undefined,
  match: RuleMatch,
  { soleRoles }: Language,
): string | undefined {
  if (slot !== undefined && namedSlots.has(slot) && !isProper(match)) return undefined;
  if (slot === undefined || !slot.includes('%')) return slot;
  if (slot.startsWith('relation') && !soleRoles.has(role ?? '')) return undefined;
  return slot.replace('%', role ?? '');
}

/** The value ends where the clause moves on to something else. */
function firstPart(value: string, { valueEnd }: Language): string {
  return (value.split(valueEnd, 1)[0] ?? '').trim();
}

function toCandidate({ rule, value, slot }: Found, text: string, context: ClauseContext): Candidate {
  return {
    ...newCandidate(rule.kind, rule.id, rule.base, text, context),
    value,
    slot,
    past: rule.past === true,
    yearly: rule.yearly === true,
  };
}

function toExplicit(
  text: string,
  request: 'mention' | 'remember',
  introduced: boolean,
  context: ClauseContext,
): Candidate | undefined {
  const { states, concrete, refused } = context.language.requested;
  const isStatement = introduced || states.test(text);
  const isConcrete = concrete.test(text) || /\d|\s\p{Lu}/u.test(text);
  if (tooVague.test(text) || !isStatement || !isConcrete || refused.some((pattern) => pattern.test(text)))
    return undefined;
  const base = request === 'remember' ? 0.9 : 0.74;
  return newCandidate(
    'explicit',
    request === 'remember' ? 'explicit.request' : 'explicit.mention',
    base,
    text,
    context,
  );
}

export function newCandidate(
  kind: FactKind,
  rule: string,
  base: number,
  text: string,
  context: ClauseContext,
): Candidate {
  return {
    kind,
    rule,
    text,
    value: '',
    slot: undefined,
    base,
    weights: [],
    messages: [context.message],
    sentence: context.sentence,
    corrects: false,
    replaced: context.language.replaced.exec(text)?.groups?.old,
    language: context.language,
    past: false,
    yearly: false,
  };
}
