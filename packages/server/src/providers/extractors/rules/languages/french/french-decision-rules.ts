import { toPattern } from '../../phrases.js';
import type { Rule, RuleMatch } from '../../rule.js';
import { isTaste, toRules } from './french-parts.js';

function isMatter(match: RuleMatch): boolean {
  return isTaste(match) && !toPattern(/\bhier\b/iu).test(match.value);
}

function isChoice(match: RuleMatch): boolean {
  return isMatter(match) && !/^(?:une? autre|autre chose|plus|quelque)/iu.test(match.value);
}

export const decisionRules: Rule[] = toRules('decision', 'other', [
  [
    'decided',
    0.92,
    "(?:nous avons|on a){adverb} (?:décidé|convenu|opté|résolu|voté)(?: ensemble)? (?:de |d'|que |qu'|pour |contre ){value}",
    { accepts: isMatter },
  ],
  [
    'decided',
    0.9,
    "(?:nous nous sommes|on s'est) (?:mis d'accord|décidés|accordés) (?:sur|pour) {value}",
    { accepts: isMatter },
  ],
  [
    'chose',
    0.88,
    '(?:nous avons|on a){adverb} (?:choisi|retenu|adopté|sélectionné|approuvé) {value}',
    { accepts: isChoice },
  ],
  [
    'going with',
    0.84,
    '(?:nous (?:partons|restons|optons)|on (?:part|reste|opte)) (?:sur|avec|pour) {value}',
    { accepts: isChoice },
  ],
  [
    'will',
    0.82,
    '(?:nous allons|on va) (?:utiliser|adopter|passer à|garder|reporter|annuler|acheter|embaucher|lancer|louer|remplacer) {value}',
    { accepts: isChoice },
  ],
  [
    'let us',
    0.84,
    '(?:prenons|utilisons|gardons|choisissons|partons sur|restons sur|adoptons|reportons) {value}',
    { accepts: isChoice },
  ],
  ['decided', 0.86, "{ai} (?:décidé|choisi|résolu) (?:de |d'|que |qu'|pour ){value}", { accepts: isMatter }],
  ['decided', 0.86, '(?:{ai} opté|je me suis décidée?) pour {value}', { accepts: isMatter }],
  ['stated', 0.9, "(?:la|notre|ma) décision(?: finale)?(?: est| :|:) ?(?:de |d'|que )?{value}", { accepts: isMatter }],
  ['it is decided', 0.88, "(?:c'est|il est|il a été) décidé(?: que| :|:|,) ?{value}"],
]);

export const circumstanceRules: Rule[] = toRules('circumstance', 'other', [
  [
    'until',
    0.86,
    "(?:{suis}|je serai|je reste|je travaille|j'habite|je loge|{ai}|je ne peux) [^?]{2,120}?\\b(?:jusqu'(?:à|au|en)|pour les prochain)",
    { accepts: ({ text }) => !/jusqu'(?:à présent|ici|à maintenant)/iu.test(text) },
  ],
  [
    'this week',
    0.8,
    "(?:{suis}|je serai) (?:en (?:vacances|congé|déplacement|voyage|télétravail|arrêt)|absente?|malade|indisponible|à l'étranger) [^?]{0,60}?\\b(?:cette semaine|ce mois-ci|toute la semaine)\\b",
  ],
]);
