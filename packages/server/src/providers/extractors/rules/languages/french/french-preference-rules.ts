import { phrases, toPattern } from '../../phrases.js';
import type { Rule, RuleMatch } from '../../rule.js';
import { isName, isTaste, outlives, toRules } from './french-parts.js';
import { languages } from './french-words.js';

export const tasteRules: Rule[] = toRules('preference', 'other', [
  [
    'prefer',
    0.88,
    'je préfère{adverb} {value}',
    { accepts: (match) => isTaste(match) && !/^(?:ne pas (?:répondre|dire)|attendre$)/iu.test(match.value) },
  ],
  [
    'taste',
    0.84,
    "(?:j'aime|j'adore|je déteste|je hais|j'apprécie|je n'aime|je n'apprécie|je ne supporte|j'ai horreur d(?:e|'))(?: (?:pas|plus|mieux|vraiment|beaucoup|énormément|bien|du tout|pas du tout|particulièrement)){0,3} ?{value}",
    { accepts: (match) => isTaste(match) && !/^(?:que|quand|comme|bien que|savoir|pas$|plus$)/iu.test(match.value) },
  ],
  [
    'fan',
    0.82,
    "{suis}(?: (?:pas|un|une|grande?|très|vraiment)){0,3} (?:fan|passionnée?|amateur|fana|accro) (?:de |du |des |d'|par |aux? )?{value}",
    { accepts: isTaste },
  ],
  ['fan', 0.8, "je m'intéresse (?:à|au|aux) {value}", { accepts: isTaste }],
  [
    'habit',
    0.76,
    "je (?:ne )?(?!suis\\b|l'ai\\b|sais\\b|veux\\b|peux\\b|dois\\b|vais\\b|pense\\b|crois\\b|vois\\b|comprends\\b|trouve\\b|me demande\\b|voulais\\b)\\p{L}+(?:e|s|x|ds|ts) (?:toujours|jamais|généralement|d'habitude|rarement|souvent|uniquement|seulement) {value}",
    { accepts: isTaste },
  ],
  ['avoid', 0.8, "j'évite(?: toujours)? {value}", { accepts: isTaste }],
  ['avoidance', 0.72, "je n'(?:utilise|achète) (?:pas|jamais) {value}", { accepts: isTaste }],
  [
    'favourite',
    0.9,
    "{mon} (?<role>(?!partie\\b|chose\\b)[\\p{L} -]{2,30}?) préférée?s? (?:est|sont|c'est|reste) {value}",
    { accepts: isTaste, slot: 'favourite %' },
  ],
  [
    'dislike',
    0.84,
    'je ne peux pas (?:supporter|souffrir|voir) {value}',
    {
      accepts: (match) =>
        isTaste(match) && !/^(?:le|la|les|l') ?(?:fichier|image|page|texte|message|vidéo|lien)/iu.test(match.value),
    },
  ],
]);

const orderVerb = phrases(
  'réponds, réponds-moi, répondez, répondez-moi, écris, écris-moi, écrivez, parle-moi, parlez-moi, utilise, utilisez, emploie, donne, donne-moi, donnez, explique, montre, ajoute, cite, évite, évitez, vérifie, commence, termine, propose, tutoie-moi, vouvoie-moi, vouvoyez-moi, sois, soyez, fais, faites, garde, arrondis, traduis, préfère, mets',
);

const lasting = phrases(
  "désormais, dorénavant, à partir de maintenant, à partir d'aujourd'hui, à l'avenir, dès maintenant, à chaque fois, par défaut",
);

function noStory(match: RuleMatch): boolean {
  return !toPattern(/^(?:je|j'|nous|on|il|elle|ils|c'est|mon|ma)\b/iu).test(match.value) && !/^j'/iu.test(match.value);
}

export const orderRules: Rule[] = toRules('preference', 'other', [
  ['from now on', 0.92, `{svp}${lasting},? {svp}{value}`, { accepts: noStory }],
  ['from now on', 0.9, `{svp}(?:n')?${orderVerb}\\b[^?]{3,200}? ${lasting}$`],
  [
    'always',
    0.9,
    `{svp}${orderVerb}(?: moi)?\\b[^?]{0,40}?\\b(?:toujours|systématiquement)\\b {value}`,
    { accepts: outlives },
  ],
  [
    'always',
    0.9,
    "{svp}(?:n'utilise|ne réponds|n'écris|ne me donne|n'ajoute|ne dis|ne me parle|n'emploie|n'utilisez|ne répondez|ne me propose) (?:jamais|plus(?: jamais)?) {value}",
    { accepts: outlives },
  ],
  [
    'language',
    0.86,
    `{svp}(?:réponds|réponds-moi|répondez|répondez-moi|écris|écris-moi|parle-moi|parle|écrivez-moi)(?: (?:toujours|uniquement|seulement)){0,2} en ${phrases(languages)}\\b`,
  ],
  [
    'length',
    0.86,
    '{svp}(?:garde|fais|faites|gardez)(?: moi)? (?:tes|vos|des|les|toutes tes) (?:réponses|explications|résumés|messages) {value}',
  ],
  [
    'none in answers',
    0.82,
    "{svp}(?:pas d(?:e |')|évite les |plus d(?:e |'))[^,.;]{2,60} dans (?:tes|vos|toutes tes) (?:réponses|messages|textes)\\b",
  ],
  [
    'none please',
    0.7,
    "(?:pas|plus) d(?:e |')[\\p{L} -]{3,30},? (?:s'il (?:te|vous) plaît|stp|svp|merci)$",
    { accepts: outlives },
  ],
  [
    'stop',
    0.8,
    "{svp}arrête(?:z)? (?:de |d')(?:utiliser|écrire|dire|ajouter|t'excuser|répéter|me demander|m'appeler|donner|envoyer|mettre) ?{value}",
    { accepts: outlives },
  ],
  [
    'instead',
    0.74,
    "{svp}(?:utilise|emploie|utilisez) (?<value>[^,]{1,60}?),? (?:au lieu de|au lieu d'|plutôt que|et pas|pas|et non) ?[^,]{1,60}$",
    { accepts: isTaste },
  ],
  [
    'address',
    0.92,
    '{svp}(?:appelle|appelez)-moi(?: (?:simplement|juste|plutôt)){0,2} [«"\']? ?{name}',
    { accepts: isName, slot: 'form of address' },
  ],
  [
    'address',
    0.9,
    "(?:tu peux|vous pouvez|on|tout le monde|mes amis) m'appel(?:er|le|lent)(?: (?:simplement|juste))? {name}",
    { accepts: isName, slot: 'form of address' },
  ],
  ['address', 0.86, '{svp}(?:tutoie|vouvoie|tutoyez|vouvoyez)-moi\\b'],
]);
