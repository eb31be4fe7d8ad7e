import { toPattern } from '../../phrases.js';
import type { Rule, RuleMatch } from '../../rule.js';
import { isTaste, toRules } from './spanish-parts.js';

function isMatter(match: RuleMatch): boolean {
  return isTaste(match) && !toPattern(/\bayer\b/iu).test(match.value);
}

function isChoice(match: RuleMatch): boolean {
  return isMatter(match) && !/^(?:otr[oa]|más|algún)/iu.test(match.value);
}

export const decisionRules: Rule[] = toRules('decision', 'other', [
  [
    'decided',
    0.92,
    '(?:nosotros )?(?:hemos )?(?:decidido|acordado|decidimos|acordamos|optado por|optamos por|resuelto|resolvimos|quedado en|quedamos en)(?: que)? (?!algo\\b|nada\\b){value}',
    { accepts: (match) => isMatter(match) && /\p{L}+mos\b/iu.test(match.text) },
  ],
  [
    'chose',
    0.88,
    '(?:hemos elegido|hemos escogido|hemos adoptado|hemos aprobado|elegimos|escogimos) {value}',
    { accepts: isChoice },
  ],
  [
    'going with',
    0.84,
    '(?:nos quedamos con|nos decantamos por|seguimos con|apostamos por) {value}',
    { accepts: isChoice },
  ],
  [
    'will',
    0.82,
    'vamos a (?:usar|utilizar|adoptar|pasar a|aplazar|cancelar|comprar|contratar|lanzar|alquilar|reemplazar|posponer) {value}',
    { accepts: isChoice },
  ],
  ['let us', 0.84, '(?:usemos|elijamos|utilicemos|adoptemos|aplacemos|quedémonos con) {value}', { accepts: isChoice }],
  [
    'decided',
    0.86,
    '(?:yo )?(?:he (?:decidido|optado por|resuelto)|decidí|opté por|me he decidido por|me decidí por)(?: que)? {value}',
    { accepts: isMatter },
  ],
  ['stated', 0.9, '(?:la|nuestra|mi) decisión(?: final)?(?: es|:)(?: que)? {value}', { accepts: isMatter }],
  ['it is decided', 0.88, '(?:está|queda|ha quedado) (?:decidido|acordado)(?: que|:|,) ?{value}'],
]);

export const circumstanceRules: Rule[] = toRules('circumstance', 'other', [
  [
    'until',
    0.86,
    '(?:{estoy}|estaré|me quedo|{yo}trabajo|{yo}vivo|{tengo}|no puedo) [^?]{2,120}?\\b(?:hasta|durante l[oa]s próxim[oa]s)\\b',
    { accepts: ({ text }) => !/hasta (?:ahora|aquí|luego|pronto|que)/iu.test(text) },
  ],
  [
    'this week',
    0.8,
    '(?:{estoy}|estaré) (?:de (?:vacaciones|viaje|baja|permiso)|fuera|ausente|enferm[oa]|en el extranjero) [^?]{0,60}?\\b(?:esta semana|este mes|toda la semana)\\b',
  ],
]);
