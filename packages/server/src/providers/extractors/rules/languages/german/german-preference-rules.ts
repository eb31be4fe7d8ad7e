import { phrases, toPattern } from '../../phrases.js';
import type { Rule, RuleMatch } from '../../rule.js';
import { first, isName, isTaste, outlives, toRules } from './german-parts.js';
import { languages } from './german-words.js';

const likeVerbs =
  '(?:esse|trinke|nehme|reise|fahre|lese|arbeite|schreibe|höre|schaue|gehe|laufe|fliege|sitze|schlafe|nutze|verwende|benutze|programmiere|kaufe|telefoniere|koche|spiele|mag|habe|bin)';

const noHabit = toPattern(
  /^ich (?:war|hatte|habe|hab|bin|weiß|brauche|will|möchte|dachte|glaube|kann|konnte|muss|würde|finde|sehe|verstehe|wollte|werde|kriege|bekomme|vergesse|denke|hoffe|frage)\b/iu,
);

export const tasteRules: Rule[] = toRules('preference', 'other', [
  ['prefer', 0.88, `${first('(?:bevorzuge|präferiere)')} {value}`, { accepts: isTaste }],
  ['prefer', 0.88, `${first('ziehe')} (?<value>[^,]{2,60}) vor$`, { accepts: isTaste }],
  ['prefer', 0.86, `${first(likeVerbs)}(?: [^,]{1,40}?)? (?:lieber|am liebsten) {value}`, { accepts: isTaste }],
  ['prefer', 0.86, `am liebsten ${likeVerbs} ich {value}`, { accepts: isTaste }],
  [
    'taste',
    0.84,
    '{mag}(?: (?:wirklich|sehr|besonders|total))?(?: gerne?)? {value}',
    {
      accepts: (match) =>
        isTaste(match) &&
        !/^(?:ein(?:en?)? (?:frage|termin|kaffee)|nicht (?:\p{L}+en|warten|reden))/iu.test(match.value),
    },
  ],
  [
    'dislike',
    0.84,
    'ich kann (?<value>[^,]{2,60}?) (?:nicht|überhaupt nicht|gar nicht) (?:leiden|ausstehen|ertragen|ab)$',
    { accepts: isTaste },
  ],
  [
    'fan',
    0.82,
    '{bin}(?: (?:ein|kein))?(?: (?:großer|riesen|riesiger|absoluter))? ?fan von {value}',
    { accepts: isTaste },
  ],
  [
    'fan',
    0.8,
    `(?:${first('interessiere')} mich für|${first('begeistere')} mich für|${first('stehe')} total auf) {value}`,
    { accepts: isTaste },
  ],
  [
    'habit',
    0.76,
    'ich \\p{L}{3,}e? (?:[^,]{1,30} )?(?:immer|nie|niemals|meistens|normalerweise|grundsätzlich|selten|nur) {value}',
    { accepts: (match) => isTaste(match) && !noHabit.test(match.text) },
  ],
  ['avoid', 0.8, `${first('(?:vermeide|meide)')} {value}`, { accepts: isTaste }],
  [
    'avoidance',
    0.72,
    `${first('(?:nutze|benutze|verwende|trage|schaue|kaufe)')} (?:keine?n?) {value}`,
    { accepts: isTaste },
  ],
  [
    'favourite',
    0.9,
    '{mein} lieblings-?(?<role>\\p{L}{2,40}) (?:ist|sind|heißt) {value}',
    { accepts: isTaste, slot: 'favourite %' },
  ],
]);

const orderVerb = phrases(
  'antworte, antworten sie, schreibe?, schreiben sie, sprich, rede, verwende, benutze?, nutze, gib, gib mir, erkläre?, zeige?, füge, nenne?, frage?, sage?, halte?, mach, mache, formatiere, fasse, zitiere, vermeide, prüfe, übersetze, runde, verzichte, schlage?, sei, lass, duze?, sieze?, denk, beginne?, beende, liste, sortiere, kürze',
);

const lasting = phrases(
  'von jetzt an, von nun an, ab jetzt, ab sofort, ab heute, künftig, zukünftig, in zukunft, fortan, ab nun, jedes mal',
);

function noStory(match: RuleMatch): boolean {
  return (
    !toPattern(/^(?:\p{L}+ )?(?:ich|wir|er|es|sie)\b/iu).test(match.value) && outlives({ ...match, text: match.value })
  );
}

export const orderRules: Rule[] = toRules('preference', 'other', [
  ['from now on', 0.92, `{bitte}${lasting},? {bitte}{value}`, { accepts: noStory }],
  ['from now on', 0.9, `{bitte}${orderVerb}\\b[^?]{3,200}? ${lasting}(?: bitte)?$`],
  [
    'language',
    0.86,
    `{bitte}(?:antworte|antworten sie|schreibe?|schreiben sie|sprich|sprechen sie|rede)(?: (?:mir|mit mir|bitte|immer|nur|stets)){0,4} (?:auf|in) ${phrases(languages)}\\b`,
  ],
  [
    'always',
    0.9,
    `{bitte}${orderVerb}\\b[^?]{0,60}?\\b(?:immer|stets|nie|niemals|grundsätzlich)\\b {value}`,
    { accepts: (match) => outlives(match) && match.value.includes(' ') },
  ],
  [
    'length',
    0.86,
    '{bitte}(?:halte|halt|mach|mache)(?: bitte)? (?:deine|ihre|die|alle) (?:antworten|erklärungen|texte|zusammenfassungen)(?: bitte)? {value}',
  ],
  [
    'none in answers',
    0.82,
    '{bitte}(?:keine|verzichte auf|vermeide|benutze keine|verwende keine) [^,.;]{2,60} in (?:deinen|ihren|allen) (?:antworten|texten|nachrichten)\\b',
  ],
  [
    'none please',
    0.7,
    '(?:bitte )?keine [\\p{L} -]{3,30}(?: mehr)?,? bitte$|bitte keine [\\p{L} -]{3,30} mehr$',
    { accepts: outlives },
  ],
  ['stop', 0.8, '{bitte}(?:hör|höre|hören sie)(?: bitte)? auf,? .+', { accepts: outlives }],
  [
    'instead',
    0.74,
    '{bitte}(?:verwende|benutze?|nutze|nimm) (?<value>[^,]{1,60}?),? (?:statt|anstatt|anstelle von|und nicht|nicht) [^,]{1,60}$',
    { accepts: isTaste },
  ],
  [
    'address',
    0.92,
    '{bitte}(?:nenne?|nennt|nennen sie) mich(?: (?:einfach|bitte|doch|lieber)){0,2} ["„\']?{name}',
    { accepts: isName, slot: 'form of address' },
  ],
  [
    'address',
    0.9,
    '(?:du kannst|sie können|alle|meine freunde|freunde) (?:nennen )?mich(?: (?:einfach|gern|gerne)){0,2} {name}(?: nennen)?$',
    { accepts: isName, slot: 'form of address' },
  ],
  ['address', 0.86, '{bitte}(?:duze?|sieze?|duzen sie|siezen sie) mich\\b'],
]);
