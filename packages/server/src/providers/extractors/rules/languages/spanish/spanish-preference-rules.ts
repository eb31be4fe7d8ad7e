import { phrases, toPattern } from '../../phrases.js';
import type { Rule, RuleMatch } from '../../rule.js';
import { isName, isTaste, outlives, toRules } from './spanish-parts.js';
import { languages } from './spanish-words.js';

export const tasteRules: Rule[] = toRules('preference', 'other', [
  [
    'prefer',
    0.88,
    '{yo}prefiero{adverb} {value}',
    { accepts: (match) => isTaste(match) && !/^(?:no (?:responder|decir)|esperar$)/iu.test(match.value) },
  ],
  [
    'taste',
    0.84,
    '(?:a mí )?(?:no )?me (?:gustan?|encantan?|fascinan?|disgustan?|apasionan?|molestan?)(?: (?:mucho|muchísimo|nada|especialmente|bastante|más))? {value}',
    { accepts: (match) => isTaste(match) && !/^(?:que|cómo|si|saber|más$|mucho$|nada$)/iu.test(match.value) },
  ],
  [
    'taste',
    0.84,
    '{yo}(?:odio|detesto|aborrezco|adoro|no soporto|amo) {value}',
    { accepts: (match) => isTaste(match) && !/^(?:que|cuando|tener que)/iu.test(match.value) },
  ],
  [
    'fan',
    0.82,
    '{soy}(?: (?:un|una|muy|gran|bastante)){0,3} (?:fan|fanátic[oa]|aficionad[oa]|amante|apasionad[oa]) (?:de|del|al?|por) {value}',
    { accepts: isTaste },
  ],
  [
    'fan',
    0.8,
    'me interesan? (?:mucho )?{value}',
    { accepts: (match) => isTaste(match) && /mucho/iu.test(match.text) },
  ],
  [
    'habit',
    0.76,
    '(?:yo )?(?:siempre|nunca|normalmente|generalmente|casi siempre|casi nunca|suelo|rara vez) (?!(?:he|había|me he|lo|la|es|son|está|hay|quise|pensé|supe|se|te|fue|soy|estoy|pasa|digo)\\b){value}',
    {
      accepts: (match) =>
        isTaste(match) && match.value.includes(' ') && /^\p{L}*(?:o|oy|r|rme)\b|^me \p{L}+o\b/iu.test(match.value),
    },
  ],
  ['avoid', 0.8, '{yo}evito {value}', { accepts: isTaste }],
  [
    'avoidance',
    0.72,
    '(?:yo )?no (?:uso|utilizo|veo|compro|llevo) {value}',
    { accepts: (match) => isTaste(match) && !/^(?:el|la|los|las|mi|bien|por|nada|ningún)\b/iu.test(match.value) },
  ],
  [
    'favourite',
    0.9,
    '{mi} (?<role>(?!parte\\b|cosa\\b)[\\p{L} -]{2,30}?) (?:favorit[oa]s?|preferid[oa]s?) (?:es|son) {value}',
    { accepts: isTaste, slot: 'favourite %' },
  ],
]);

const orderVerb = phrases(
  'responde, respóndeme, contesta, contéstame, responda, respóndame, escribe, escríbeme, escriba, háblame, habla, usa, use, utiliza, utilice, emplea, da, dame, explica, explícame, muestra, añade, cita, evita, evite, verifica, comprueba, empieza, termina, propón, tutéame, trátame, sé, sea, haz, haga, mantén, mantenga, redondea, traduce, pon, incluye',
);

const lasting = phrases(
  'a partir de ahora, de ahora en adelante, en adelante, desde ahora, a partir de hoy, en el futuro, de aquí en adelante, cada vez, por defecto, en lo sucesivo',
);

function noStory(match: RuleMatch): boolean {
  return !toPattern(/^(?:yo|nosotros|él|ella|ellos|es|mi|vivo|trabajo|soy|estoy|tengo|vamos|voy|me|nos)\b/iu).test(
    match.value,
  );
}

export const orderRules: Rule[] = toRules('preference', 'other', [
  ['from now on', 0.92, `{favor}${lasting},? {favor}{value}`, { accepts: noStory }],
  ['from now on', 0.9, `{favor}(?:no )?${orderVerb}\\b[^?]{3,200}? ${lasting}$`],
  [
    'always',
    0.9,
    `{favor}(?:${orderVerb}\\b[^?]{0,40}?\\bsiempre\\b|siempre ${orderVerb}) {value}`,
    { accepts: outlives },
  ],
  [
    'always',
    0.9,
    '{favor}(?:nunca|no) (?:uses|utilices|respondas|escribas|me des|añadas|digas|me hables|use|utilice|me propongas|pongas|incluyas) (?:nunca |jamás |más )?{value}',
    { accepts: (match) => outlives(match) && toPattern(/\b(?:nunca|jamás|más)\b/iu).test(match.text) },
  ],
  [
    'language',
    0.86,
    `{favor}(?:responde|respóndeme|contéstame|contesta|escríbeme|escribe|háblame|habla|respóndame)(?: (?:siempre|solo|sólo|únicamente)){0,2} en ${phrases(languages)}\\b`,
  ],
  [
    'length',
    0.86,
    '{favor}(?:mantén|haz|mantenga)(?: siempre)? (?:tus|sus|las|todas tus) (?:respuestas|explicaciones|resúmenes|mensajes) {value}',
  ],
  [
    'none in answers',
    0.82,
    '{favor}(?:nada de|sin|evita|no uses|no incluyas) [^,.;]{2,60} en (?:tus|sus|todas tus) (?:respuestas|mensajes|textos)\\b',
  ],
  ['none please', 0.7, '(?:nada de|no más) [\\p{L} -]{3,30},? (?:por favor|porfa)$', { accepts: outlives }],
  [
    'stop',
    0.8,
    '{favor}(?:deja|deje) de (?:usar|escribir|decir|añadir|disculparte|repetir|preguntarme|llamarme|dar|enviar|poner|utilizar) ?{value}',
    { accepts: outlives },
  ],
  [
    'instead',
    0.74,
    '{favor}(?:usa|utiliza|emplea|use) (?<value>[^,]{1,60}?),? (?:en lugar de|en vez de|y no|no) [^,]{1,60}$',
    { accepts: isTaste },
  ],
  [
    'address',
    0.92,
    '{favor}(?:llámame|llamadme|llámeme)(?: (?:simplemente|solo|sólo)){0,2} [«"\']?{name}',
    { accepts: isName, slot: 'form of address' },
  ],
  [
    'address',
    0.9,
    '(?:puedes|puede|todos|mis amigos|la gente) (?:me )?llam(?:arme|an|a)(?: (?:simplemente|solo))? {name}',
    { accepts: isName, slot: 'form of address' },
  ],
  ['address', 0.86, '{favor}(?:tutéame|trátame de (?:tú|usted)|tráteme de (?:tú|usted))(?=$|[,. ])'],
]);
