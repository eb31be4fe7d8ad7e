import { toPattern } from '../../phrases.js';
import type { Rule, RuleMatch } from '../../rule.js';
import { first, isTaste, outlives, toRules } from './german-parts.js';

const decided = '(?:entschieden|beschlossen|vereinbart|abgemacht|festgelegt|darauf geeinigt|verständigt)';

function isMatter(match: RuleMatch): boolean {
  return (
    (isTaste(match) || (/^dass\b/iu.test(match.value) && outlives(match))) &&
    !toPattern(/\b(?:gestern|vorhin)\b/iu).test(match.value)
  );
}

export const decisionRules: Rule[] = toRules('decision', 'other', [
  [
    'decided',
    0.92,
    `(?:wir haben|haben wir) uns{adverb} (?:für|gegen|auf) (?<value>[^,]{1,120}?) (?:entschieden|geeinigt|festgelegt)\\b`,
    { accepts: isMatter },
  ],
  [
    'decided',
    0.92,
    `(?:wir haben|haben wir)(?: uns)?{adverb}(?: gemeinsam| im team)? ${decided},? {value}`,
    { accepts: isMatter },
  ],
  [
    'chose',
    0.88,
    '(?:wir haben|haben wir){adverb} (?<value>[^,]{1,80}?) (?:gewählt|ausgewählt|ausgesucht)$',
    { accepts: isMatter },
  ],
  [
    'going with',
    0.84,
    'wir (?:nehmen(?! (?:an|ab|teil|uns|mit|es)\\b)|bleiben bei|setzen auf|entscheiden uns für|gehen mit|steigen um auf|wechseln zu) {value}',
    { accepts: isMatter },
  ],
  [
    'will',
    0.82,
    'wir werden (?<value>[^,]{1,120}?) (?:nehmen|verwenden|nutzen|einführen|verschieben|absagen|kaufen|einstellen|veröffentlichen|mieten|ersetzen)$',
    { accepts: isMatter },
  ],
  [
    'let us',
    0.84,
    'lass(?:t)? uns (?<value>[^,]{1,80}?) (?:nehmen|verwenden|nutzen|wählen|verschieben|absagen)$',
    { accepts: isMatter },
  ],
  ['decided', 0.86, `{habe}(?: mich)?{adverb} ${decided},? {value}`, { accepts: isMatter }],
  ['decided', 0.86, '{habe} mich{adverb} (?:für|gegen) (?<value>[^,]{1,120}?) entschieden\\b', { accepts: isMatter }],
  [
    'stated',
    0.9,
    '(?:die|unsere|meine)(?: endgültige)? entscheidung(?: ist| lautet|:),? {value}',
    { accepts: isMatter },
  ],
  ['it is decided', 0.88, 'es (?:ist|wurde) (?:beschlossen|entschieden|vereinbart)(?: worden)?[,:] {value}'],
]);

export const circumstanceRules: Rule[] = toRules('circumstance', 'other', [
  [
    'until',
    0.86,
    `${first('(?:bin|bleibe|arbeite|wohne|habe|kann|mache)')} (?:[^?]{0,120}? )?(?:bis|für die nächsten|noch) .+`,
    {
      accepts: ({ text }) =>
        toPattern(/\b(?:bis|die nächsten)\b/iu).test(text) &&
        !toPattern(/\b(?:bis jetzt|bis dahin|bis zu|bis bald)\b/iu).test(text),
    },
  ],
  [
    'this week',
    0.8,
    '{bin} (?:[^?]{0,60}?)?(?:diese woche|die ganze woche|diesen monat)(?: [^?]{0,60}?)?(?:im urlaub|krank|unterwegs|verreist|auf dienstreise|nicht da|nicht erreichbar|weg)\\b',
  ],
]);
