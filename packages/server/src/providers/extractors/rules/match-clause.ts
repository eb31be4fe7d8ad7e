import type { FactKind } from '../../../ports/extractor.js';
import type { Candidate, Weight } from './candidate.js';
import { circumstanceRules, decisionRules } from './decision-rules.js';
import { identityRules } from './identity-rules.js';
import { readLeadIn } from './lead-in.js';
import { orderRules, tasteRules } from './preference-rules.js';
import { claimsPrivilege, isSecret } from './refusals.js';
import { relationshipRules } from './relationship-rules.js';
import { isProper, type Opening, outlivesTask, type Rule, type RuleMatch } from './rule.js';
import { hedgedOpening } from './score.js';
import { soleRoles } from './word-lists.js';

/** The first match decides. More specific rules come first. */
const rules: Rule[] = [
  ...circumstanceRules,
  ...relationshipRules,
  ...identityRules,
  ...orderRules,
  ...tasteRules,
  ...decisionRules,
];

const openings: [Opening, RegExp][] = [
  ['i', /^i(?:\b|'|m\b|ve\b|d\b|ll\b)/iu],
  ['my', /^(?:my|our)\b/iu],
  ['we', /^(?:we|let'?s)\b/iu],
];
const orders = rules.filter(({ opening }) => opening === 'order' || opening === 'other');
const byOpening = new Map(openings.map(([name]) => [name, rules.filter(({ opening }) => opening === name)]));

/** A hedge at the beginning says how sure the user is, not what they say. */
const hedgeBefore = new RegExp(`^(?:(?:and|but|so) )?${hedgedOpening}[, ]+(?:that )?`, 'iu');
const valueEnd =
  /[,;(]|[.!?…]+$|\s(?:and|but|because|since|so|for|with|as|who|which|while|where|now|at the moment|btw|by the way|instead|anymore|any more|until|last|next|this|from|though)(?=\s|$)/iu;
const replacedPattern = /,? (?:instead of|rather than|and not|not) (?<old>[^,.;!?]{1,60})$/iu;
const tooVague = /^(?:\S+\s*){1,2}$/u;
const statesSomething =
  /^(?:i|we|he|she|they|it) \p{L}+ |\b(?:is|are|was|were|am|be|has|have|had|will|won'?t|can|can'?t|cannot|must|should|do|does|don'?t|doesn'?t|need|needs|ends?|starts?|begins?|opens?|closes?|costs?|comes?|goes|takes?|gets?|means?|wants?|works?|lives?|likes?|prefers?|hates?|leaves?|arrives?|expires?|runs?|uses?|pays?|owes?|changed|moved|started|\p{L}+'(?:s|re|m|ve|ll))\b|'m\b|\bim\b|[:=]/iu;

interface ClauseContext {
  lowerCaseWriter: boolean;
  message: number;
  sentence: number;
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
  const lead = readLeadIn(clause);
  const request = lead.request === 'none' ? context.request : lead.request;
  const point = clause.slice(lead.at).replace(/[\s.,;:!?…–—-]+$/u, '');
  const hedged = hedgeBefore.exec(point)?.[0] ?? '';
  const statement = point.slice(hedged.length);
  const found = findRule(statement, context.lowerCaseWriter);
  const candidate = found === undefined ? undefined : toCandidate(found, beforeDash(point), context);
  const explicit =
    candidate ?? (request === 'none' ? undefined : toExplicit(point, request, isIntroduced(clause, lead.at), context));
  const reading = { request, point, corrects: lead.corrects };
  if (explicit === undefined || isSecret(explicit.text) || claimsPrivilege(explicit, request !== 'none'))
    return { ...reading, candidate: undefined };
  explicit.corrects = lead.corrects;
  if (request !== 'none' && candidate !== undefined) explicit.weights.push(emphasis[request]);
  return { ...reading, candidate: explicit };
}

/** The one question that states something: "Could you remember that …?" */
export function asksToRemember({ request }: ClauseReading, sentence: string): boolean {
  return request === 'remember' && /\b(?:can|could|would|will) you\b/iu.test(sentence);
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

function findRule(statement: string, lowerCaseWriter: boolean): Found | undefined {
  if (!statement.includes(' ')) return undefined;
  const opening = openings.find(([, pattern]) => pattern.test(statement))?.[0];
  for (const rule of (opening && byOpening.get(opening)) ?? orders) {
    const match = rule.pattern.exec(statement);
    if (match === null) continue;
    const whole = (match.groups?.value ?? '').trim();
    if (rule.accepts?.({ value: whole, text: statement, lowerCaseWriter }) === false) continue;
    const role = match.groups?.role?.toLowerCase();
    return {
      rule,
      value: firstPart(whole),
      slot: toSlot(rule, role, { value: whole, text: statement, lowerCaseWriter }),
    };
  }
  return undefined;
}

/** "in a flat" and "in Basel" can both be true, but not two named places. */
const namedSlots = new Set(['home', 'employer', 'origin']);

function toSlot({ slot }: Rule, role: string | undefined, match: RuleMatch): string | undefined {
  if (slot !== undefined && namedSlots.has(slot) && !isProper(match)) return undefined;
  if (slot === undefined || !slot.includes('%')) return slot;
  if (slot.startsWith('relation') && !soleRoles.has(role ?? '')) return undefined;
  return slot.replace('%', role ?? '');
}

/** The value ends where the clause moves on to something else. */
function firstPart(value: string): string {
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
  const task = /^(?:to|that you|you|when|how|what|if|i (?:need|want|would like|'d like))\b|^i'?d like\b|\byourself\b/iu;
  if (
    tooVague.test(text) ||
    !(introduced || statesSomething.test(text)) ||
    !isConcrete(text) ||
    !outlivesTask({ text }) ||
    task.test(text)
  )
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

/** After "remember that …" or "remember: …" a statement must follow. */
function isIntroduced(clause: string, at: number): boolean {
  return /(?:\bthat|[:,–—-])\s*$/iu.test(clause.slice(0, at));
}

/** Returns whether the text is about someone or something in particular: "anything is possible" is not. */
function isConcrete(text: string): boolean {
  const general =
    /^(?:it takes|it'?s (?:ok|okay|important|never|always)|every|even|sometimes|life|there'?s always)\b/iu;
  return (
    !general.test(text) && (/\b(?:i|i'?m|my|we|our|us|me|the|he|she|they)\b/iu.test(text) || /\d|\s\p{Lu}/u.test(text))
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
    replaced: replacedPattern.exec(text)?.groups?.old,
    past: false,
    yearly: false,
  };
}
