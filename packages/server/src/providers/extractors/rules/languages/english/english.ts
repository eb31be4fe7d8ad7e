import { englishStopWords } from '@memhall/core';
import { phrases, toPattern } from '../../phrases.js';
import type { Opening, Rule } from '../../rule.js';
import type { Language } from '../language.js';
import { circumstanceRules, decisionRules } from './decision-rules.js';
import { clauses } from './english-clauses.js';
import { leads } from './english-leads.js';
import { pointing } from './english-parts.js';
import { playBegins, playEnds, unmeant, withdrawal } from './english-refusals.js';
import { identityRules } from './identity-rules.js';
import { orderRules, tasteRules } from './preference-rules.js';
import { relationshipRules } from './relationship-rules.js';
import { soleRoles } from './word-lists.js';

const rules: Rule[] = [
  ...circumstanceRules,
  ...relationshipRules,
  ...identityRules,
  ...orderRules,
  ...tasteRules,
  ...decisionRules,
];
const openings: [Opening, RegExp][] = [
  ['i', toPattern(/^i(?:\b|'|m\b|ve\b|d\b|ll\b)/iu)],
  ['my', toPattern(/^(?:my|our)\b/iu)],
  ['we', toPattern(/^(?:we|let'?s)\b/iu)],
];
const orders = rules.filter(({ opening }) => opening === 'order' || opening === 'other');
const byOpening = new Map(openings.map(([name]) => [name, rules.filter(({ opening }) => opening === name)]));

function rulesFor(statement: string): readonly Rule[] {
  const opening = openings.find(([, pattern]) => pattern.test(statement))?.[0];
  return (opening && byOpening.get(opening)) ?? orders;
}

function anyOf(list: string): RegExp {
  return toPattern(`\\b${phrases(list)}\\b`);
}

/** Phrases before a statement that the speaker is not fully sure of. */
const hedgedOpening = phrases(`
  i think, i guess, i suppose, i believe, i feel like, i'd say, i would say, maybe, perhaps, probably, possibly, it seems,
  i assume, if i remember correctly, as far as i know, afaik, i'm pretty sure, most likely
`);
const doubted = anyOf("maybe, perhaps, possibly, might, not sure, not certain, i'm unsure, dunno, could be");
const hedged = anyOf('i think, i guess, i suppose, i assume, it seems, as far as i know, afaik');
const softened = anyOf(`
  probably, i believe, i feel like, i'd say, sometimes, usually, often, mostly, generally, normally, typically, kind of,
  kinda, sort of, sorta, a bit, tend to, more or less, most likely, at the moment, these days
`);
const emphasised = anyOf('always, never, absolutely, definitely, strictly, severely, really, strongly');

const hedgeBefore = toPattern(`^(?:(?:and|but|so) )?${hedgedOpening}[, ]+(?:that )?`, 'iu');
const valueEnd =
  /[,;(]|[.!?…]+$|\s(?:and|but|because|since|so|for|with|as|who|which|while|where|now|at the moment|btw|by the way|instead|anymore|any more|until|last|next|this|from|though)(?=\s|$)/iu;
const replacedPattern = /,? (?:instead of|rather than|and not|not) (?<old>[^,.;!?]{1,60})$/iu;
const statesSomething = toPattern(
  /^(?:i|we|he|she|they|it) \p{L}+ |\b(?:is|are|was|were|am|be|has|have|had|will|won'?t|can|can'?t|cannot|must|should|do|does|don'?t|doesn'?t|need|needs|ends?|starts?|begins?|opens?|closes?|costs?|comes?|goes|takes?|gets?|means?|wants?|works?|lives?|likes?|prefers?|hates?|leaves?|arrives?|expires?|runs?|uses?|pays?|owes?|changed|moved|started|\p{L}+'(?:s|re|m|ve|ll))\b|'m\b|\bim\b|[:=]/iu,
);

const corrected =
  /^(?:it'?s|it is|it should be|that should be|should be|make (?:it|that)|i meant|i mean)?\s*(?:actually |really |now )?(?<value>[\p{L}\p{N}][^,;]{0,60}?)(?:,? (?:and )?not (?<old>[^,;]{1,60}))?$/iu;
const swapped = /^(?:it'?s |i meant )?not (?<old>[^,;]{1,60}?),? but (?<value>[^,;]{1,60})$/iu;
const yes =
  /^(?:(?:yes|yep|yup|yeah|correct|exactly|right|indeed|true|absolutely|definitely|that'?s (?:right|correct|true|it)|you(?:'?re| are) right|i (?:do|am))[\s,.!]*){1,4}$/iu;
const aside =
  /^(?:so|ok|okay|just to (?:confirm|check|be sure)|to confirm|got it|i see|right)[,:]? |,? (?:right|correct|is that (?:right|correct)|yes|no|don'?t you|aren'?t you)$/giu;

export const english: Language = {
  code: 'en',
  marks: englishStopWords,
  rules,
  rulesFor,
  leads,
  clauses,
  hedgeBefore,
  certainty: { doubted, hedged, softened, emphasised },
  valueEnd,
  replaced: replacedPattern,
  requested: {
    states: statesSomething,
    concrete: toPattern(/\b(?:i|i'?m|my|we|our|us|me|the|he|she|they)\b/iu),
    refused: [
      toPattern(/^(?:it takes|it'?s (?:ok|okay|important|never|always)|every|even|sometimes|life|there'?s always)\b/iu),
      toPattern(
        /^(?:to|that you|you|when|how|what|if|i (?:need|want|would like|'d like))\b|^i'?d like\b|\byourself\b/iu,
      ),
      pointing,
    ],
    introduced: toPattern(/(?:\bthat|[:,–—-])\s*$/iu),
    askingYou: toPattern(/\b(?:can|could|would|will) you\b/iu),
  },
  correction: { corrected, swapped },
  confirmation: {
    yes,
    aside,
    addressed: /^you/iu,
    toUsersVoice: (said) =>
      said
        .replace(toPattern(/\byou(?:'re| are)\b/giu), "I'm")
        .replace(toPattern(/\byour\b/giu), 'my')
        .replace(toPattern(/\byou\b/giu), 'I'),
  },
  turning: toPattern(/\b(?:no longer|any ?more|now|instead|used to|these days|changed my mind|switched|not)\b/iu),
  past: toPattern(/\b(?:was|were|did|had|went|ago|since)\b/iu),
  unmeant,
  withdrawal,
  playBegins,
  playEnds,
  soleRoles,
  inverted: undefined,
  calendar: [],
  stopWords: englishStopWords,
};
