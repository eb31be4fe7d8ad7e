import { toPattern } from '../../phrases.js';
import type { Language } from '../language.js';
import { toLanguage } from '../to-language.js';
import { circumstanceRules, decisionRules } from './german-decision-rules.js';
import { identityRules } from './german-identity-rules.js';
import { orderRules, tasteRules } from './german-preference-rules.js';
import { relationshipRules } from './german-relationship-rules.js';
import { marks, soleRoles, stopWords } from './german-words.js';

export const german: Language = toLanguage({
  code: 'de',
  marks,
  stopWords,
  soleRoles,
  rules: [...circumstanceRules, ...relationshipRules, ...identityRules, ...orderRules, ...tasteRules, ...decisionRules],
  polite: 'bitte, auch, mal, doch, und, also, immer, einfach',
  askingYou: 'kannst du, könntest du, würdest du, können sie, könnten sie, ich möchte dass du',
  remember:
    'merk dir, merke dir, merken sie sich, dir merken, notiere, notiere dir, notier dir, schreib dir auf, schreibe dir auf, denk daran, denke daran, denk dran, denken sie daran, vergiss nicht, vergiss bitte nicht, vergessen sie nicht, behalte im kopf, behalte im hinterkopf, erinnere dich daran, erinnere dich, speichere, speicher',
  that: 'dass|daß',
  notes: 'für später, fürs protokoll, für die zukunft, notiz an mich, wichtig, notiz, merke',
  mentions:
    'zur info, zu deiner info, nur zur info, fyi, nur damit du es weißt, damit du bescheid weißt, du solltest wissen dass',
  corrections:
    'nein moment, moment, stopp, ups, hoppla, korrektur, entschuldigung, entschuldige, sorry, verzeihung, tut mir leid, eigentlich, vielmehr, besser gesagt, ich meinte, ich meine, ich habe mich vertan, ich habe mich verschrieben, vertippt, falsch, das stimmt nicht, das war falsch, das ist falsch, ich habe meine meinung geändert, doch nicht',
  no: 'nein(?=\\s*[,.!;:…–—])|nee(?=\\s*[,.!])',
  fillers:
    'na ja, naja, tja, also, ach, oh, ok, okay, ja, genau, übrigens, nebenbei, nebenbei bemerkt, außerdem, und, aber, oder, hallo, hi, hey, servus, moin, guten tag, guten morgen, guten abend, grüß gott, danke, vielen dank, super, klar, prima, gut, schön, ehrlich gesagt, um ehrlich zu sein, wie gesagt, wie erwähnt, nun, jetzt, dann, schließlich, derzeit, momentan, zurzeit, aktuell, inzwischen, mittlerweile, im moment, seit kurzem, nach langem überlegen, leider, zum glück, natürlich, kurze info, kurzes update, update, ein bisschen über mich, über mich, noch etwas, noch was, ps, erstens, zweitens, zunächst, weil, denn, da',
  starter:
    'ich, mein, meine, wir, unser, unsere, bitte, nenn mich, nenne mich, lass uns, lasst uns, merk dir, vergiss nicht, ab sofort, ab jetzt, von jetzt an, denk daran, verwende, benutze, antworte, bevorzuge ich, mag ich, trinke ich, esse ich, nehme ich, hasse ich, fahre ich, bin ich, habe ich, arbeite ich, wohne ich, nutze ich',
  asking:
    'was, welche, welcher, welches, wie, wo, wohin, woher, wer, warum, wieso, weshalb, wann, soll ich, sollte ich, kann ich, kannst du, könntest du, können sie, hast du, haben sie, gibt es, ist das, gibt, darf ich, magst du, weißt du',
  coordinators: 'und, aber, also, außerdem, jedoch, deshalb, daher, denn, sondern, doch',
  tags: 'oder, nicht wahr, richtig, stimmt das, gell, ne, ja, nein, okay, ok, korrekt',
  dependentOpening:
    '(?:und |also |bitte )?(?:wenn du|wann immer du|falls du|als (?:\\p{L}+ )?\\p{L}+ (?:bin|habe|arbeite) ich)\\b',
  condition: '(?:wenn|immer wenn|sobald) ich ',
  adding: 'und',
  hedges:
    'ich glaube, ich denke, ich schätze, ich vermute, ich nehme an, ich würde sagen, vielleicht, wahrscheinlich, vermutlich, möglicherweise, eventuell, soweit ich weiß, wenn ich mich recht erinnere, es scheint',
  doubted: 'vielleicht, möglicherweise, eventuell, unsicher, nicht sicher, könnte sein, keine ahnung',
  hedged: 'ich glaube, ich denke, ich schätze, ich vermute, ich nehme an, soweit ich weiß, anscheinend',
  softened:
    'wahrscheinlich, vermutlich, manchmal, meistens, normalerweise, oft, meist, irgendwie, ein bisschen, momentan, im moment, derzeit, eher',
  emphasised: 'immer, niemals, absolut, definitiv, streng, wirklich, unbedingt, überhaupt',
  valueEnds:
    'und, aber, weil, da, denn, seit, für, mit, als, der, die, das, wo, während, jetzt, momentan, übrigens, statt, bis, obwohl, nicht mehr, letztes, nächstes, dieses',
  replaced: 'statt|anstatt|anstelle von|und nicht|nicht',
  states:
    '\\b(?:ist|sind|war|waren|bin|sei|hat|haben|hatte|wird|werden|kann|können|muss|müssen|soll|sollen|darf|liegt|steht|kommt|geht|beginnt|endet|kostet|beträgt|öffnet|schließt|heißt|braucht|will|wohnt|arbeitet|mag|läuft|gilt|findet|fährt|bleibt|gehört|\\p{L}{3,}t)\\b',
  concrete: '\\b(?:ich|mein\\p{L}*|wir|uns|unser\\p{L}*|mir|mich|der|die|das|dem|den|er|sie)\\b',
  refused: [
    '^(?:zu |was |wie |wann |wo |wenn |ob |du |mich |mir |es ist (?:okay|wichtig|nie)|man |jeder |alles )',
    '\\b(?:passwort|kennwort|hier|oben|unten|diese[rsn]? (?:satz|text|absatz|code|zeile|funktion|datei|antwort|beispiel))\\b',
  ],
  corrected:
    '(?:es ist|es heißt|ich meinte|ich meine|gemeint war|richtig ist|es sollte|es war)?\\s*(?:eigentlich |natürlich |jetzt )?(?<value>[\\p{L}\\p{N}][^,;]{0,60}?)(?:,? (?:und )?nicht (?<old>[^,;]{1,60}))?',
  swapped: '(?:es ist |ich meinte )?nicht (?<old>[^,;]{1,60}?),? sondern (?<value>[^,;]{1,60})',
  yes: 'ja, genau, richtig, stimmt, korrekt, jawohl, absolut, das stimmt, so ist es, ganz genau',
  aside:
    '^(?:also|ok|okay|verstehe|gut|alles klar|nur zur sicherheit)[,:]? |,? (?:richtig|oder|nicht wahr|stimmt das|korrekt|ja|ist das richtig)$',
  addressed: 'du|sie (?:sind|wohnen|arbeiten|heißen|haben|mögen|bevorzugen)|dein|ihr(?:e)? ',
  toUsersVoice: (said) =>
    said
      .replace(toPattern(/\b(?:du bist|sie sind)\b/giu), 'ich bin')
      .replace(toPattern(/\b(?:du hast|sie haben)\b/giu), 'ich habe')
      .replace(toPattern(/\b(?:du magst|sie mögen)\b/giu), 'ich mag')
      .replace(toPattern(/\bdu heißt\b/giu), 'ich heiße')
      .replace(toPattern(/\bdu isst\b/giu), 'ich esse')
      .replace(toPattern(/\bdu (\p{L}{3,}?)e?st\b/giu), (_, stem: string) => `ich ${stem}e`)
      .replace(toPattern(/\bsie (\p{L}{3,})en\b/giu), (_, stem: string) => `ich ${stem}e`)
      .replace(toPattern(/\b(?:dein|ihr)(e?)\b/giu), (_, end: string) => `mein${end}`),
  turning:
    'nicht mehr, kein mehr, keine mehr, jetzt, nun, stattdessen, inzwischen, mittlerweile, nicht, umgestiegen, früher',
  past: 'war, waren, hatte, hatten, wurde, gestern, vor kurzem, seit, ging, kam',
  hypothetical:
    'falls, angenommen, stell dir vor, stellen sie sich vor, nehmen wir an, mal angenommen, sagen wir, gesetzt den fall, hypothetisch, theoretisch, was wäre wenn, zum beispiel, beispielsweise, ich wünschte, tu so, tun wir so, es war einmal, wäre ich, hätte ich',
  unmeant: [
    '^wenn (?:ich|wir|mein|meine)\\b[^.!?]{0,200}\\b(?:würde|wäre|hätte|könnte|müsste|bräuchte)\\b',
    '\\b(?:ich|mein\\p{L}*|wir) (?:wäre|wären|hätte|hätten|würde|würden)\\b(?! (?:lieber|mich freuen))',
    '\\b(?:meine?|die|der|unsere?) (?:figur|hauptfigur|protagonist\\p{L}*|heldin?|charakter|roman|geschichte|drehbuch|spielfigur)\\b|\\bim (?:spiel|roman|film|traum|buch|stück)\\b',
    '🙄|🙃|\\b(?:ja klar|na klar|na toll|na super|als ob|wer\\p{L}* nicht|haha|lol|von wegen|wie schön für)\\b[,!]|\\bironie\\b',
    '^(?:er|sie|jemand|man|leute|alle|mein\\p{L}* \\p{L}+|der \\p{L}+|die \\p{L}+|ein\\p{L}* \\p{L}+|\\p{Lu}\\p{L}+) (?:sagt|sagte|meint|meinte|behauptet|behauptete|denkt|glaubt|schreibt|schrieb|fragt|fragte|erzählt|erzählte|findet)\\b',
    '\\b(?:angeblich|laut (?:ihm|ihr|meinem|meiner))\\b',
  ],
  withdrawals:
    'vergiss das, vergiss es, vergiss was ich gesagt habe, ignorier das, ignoriere das, streich das, streiche das, lösch das, egal, schon gut, nur spaß, war nur spaß, das war nur spaß, das war ein scherz, nur ein scherz, ich mache nur spaß, ich nehme das zurück, merk dir das nicht, das stimmt gar nicht, ich habe gelogen',
  playBegins:
    '\\b(?:rollenspiel|lass uns (?:ein spiel )?spielen|textabenteuer|tu so als|spiel(?:e)? (?:den|die|einen|eine)|du bist (?:jetzt|ab jetzt) eine?|stell dir vor,? (?:du bist|ich bin|ich wäre)|bewerbungsgespräch üben)\\b',
  playEnds:
    '\\b(?:(?:ende|schluss|stopp|beende) (?:des |das |mit dem )?(?:rollenspiels?|spiels?)|rollenspiel beendet|im echten leben|im ernst jetzt|zurück zur realität)\\b',
  inverted: toPattern(/^\p{L}+ (?:ich|wir)\b/iu),
  calendar: [
    ['\\bübermorgen\\b', 'the day after tomorrow'],
    ['\\bvorgestern\\b', 'the day before yesterday'],
    ['\\bgestern\\b', 'yesterday'],
    ['\\bheute\\b', 'today'],
    ['\\bbis (?:zum )?(?:ende|schluss) (?:der |des |dieser |dieses )?', 'until end of '],
    ['\\bende (?:der |des |dieser |dieses )?', 'end of '],
    ['\\b(?:bis morgen|morgen)\\b', 'tomorrow'],
    ['\\bnächste[rsn]?\\b', 'next'],
    ['\\b(?:letzte[rsn]?|vorige[rsn]?)\\b', 'last'],
    ['\\b(?:diese[rsn]?)\\b', 'this'],
    ['\\bfür die next\\b', 'for the next'],
    ['\\bdie next\\b', 'the next'],
    ['\\bvor (\\p{L}+|\\d+) (tag|woche|monat|jahr)(?:en|n|e)?\\b', '$1 $2 ago'],
    ['\\bin (\\p{L}+|\\d+) (tag|woche|monat|jahr)(?:en|n|e)?\\b', 'in $1 $2'],
    ['\\b(?:einem|einer|eine|ein)\\b', '1'],
    ['\\bzwei\\b', '2'],
    ['\\bdrei\\b', '3'],
    ['\\bvier\\b', '4'],
    ['\\bfünf\\b', '5'],
    ['\\bsechs\\b', '6'],
    ['\\btag(?:e|en)?\\b', 'day'],
    ['\\bwochenende\\b', 'weekend'],
    ['\\bwochen?\\b', 'week'],
    ['\\bmonat(?:e|en|s)?\\b', 'month'],
    ['\\bjahr(?:e|en|es)?\\b', 'year'],
    ['\\bbis (?:zum |einschließlich )?', 'until '],
    ['\\bseit\\b', 'since'],
    ['\\b(?:im|in)\\b', 'in'],
    ['\\bam\\b', 'on'],
    ['\\b(\\d{1,2})\\. ?', '$1 '],
    ['\\bjän?nuar\\b|\\bjänner\\b|\\bjanuar\\b', 'january'],
    ['\\bfebruar\\b', 'february'],
    ['\\bmärz\\b', 'march'],
    ['\\bmai\\b', 'may'],
    ['\\bjuni\\b', 'june'],
    ['\\bjuli\\b', 'july'],
    ['\\boktober\\b', 'october'],
    ['\\bdezember\\b', 'december'],
    ['\\bmontag\\b', 'monday'],
    ['\\bdienstag\\b', 'tuesday'],
    ['\\bmittwoch\\b', 'wednesday'],
    ['\\bdonnerstag\\b', 'thursday'],
    ['\\bfreitag\\b', 'friday'],
    ['\\b(?:samstag|sonnabend)\\b', 'saturday'],
    ['\\bsonntag\\b', 'sunday'],
  ],
});
