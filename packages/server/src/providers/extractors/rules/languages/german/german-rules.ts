import { phrases, toPattern } from '../../phrases.js';
import { isProper, namePattern, type Rule, type RuleMatch, ruleTable } from '../../rule.js';
import { conditions, languages, nationalities, people, states, workRoles } from './german-words.js';

const adverb = phrases(
  'auch, gerade, derzeit, zurzeit, momentan, jetzt, schon, noch, eigentlich, wirklich, sehr, total, echt, absolut, immer, meistens, normalerweise, hauptsächlich, ursprünglich, inzwischen, mittlerweile, seit kurzem, übrigens, ja, selbst, nun, persönlich, überhaupt, gar, leider, einfach, aktuell',
);
const first = (verbs: string) => `(?:ich(?:\\s${adverb}){0,2} ${verbs}|${verbs} ich)(?:\\s${adverb}){0,3}`;
const toRules = ruleTable({
  bin: first('bin'),
  habe: first("hab(?:e|')?"),
  wohne: first('(?:wohne|lebe)'),
  arbeite: first('(?:arbeite|schaffe)'),
  mag: first('(?:mag|liebe|hasse|verabscheue|genieße)'),
  adverb: `(?:\\s${adverb}){0,3}`,
  bitte: '(?:(?:bitte|und|also|ab jetzt)[ ,]+)*',
  count: '(?:ein(?:e|en)?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|\\d{1,2})',
  mein: '(?:mein|meine|unser|unsere)',
  name: namePattern(
    phrases(
      'und, aber, oder, aus, von(?! der), mit, die, das, ist, bin, bei, als, ich, wir, für, nicht, seit, jetzt, bitte, so, weil, wenn, hat, sagt, kommt, mag, im, in, am, zu, ein, eine, er, sie, es, gut, gerade, auch',
    ),
  ),
  value: '(?<value>.+)',
});

const shown = toPattern(
  /\b(?:dies\p{L}*|jenes?|dein\p{L}*|hier|oben|unten|gerade eben|heute|diesmal|das du|die du|den du|was du|euch|dir|dich)\b/iu,
);
const pronoun = toPattern(
  /^(?:(?:[Ee]s|das|ihn|sie|ihr|dich|euch|so|wie|was|wenn|dass|beide|beides|alles|nichts|etwas|eins)(?=$|[,.]|\s(?!\p{Lu}|\p{L}+e[nrs]? \p{Lu}))|nicht mehr\b|(?:de[rmn]|die|das) (?:Idee|Vorschlag|Text|Bild|Titel|Version|Antwort|Entwurf|Ton|Stil|Farbe|Design|Art|Weise|Satz|Anfang|Ende|Schluss|ersten?|zweiten?|dritten?|letzten?|neuen?|alten?)\b)/u,
);
const role = toPattern(`^(?:${phrases(workRoles)}|\\p{L}{3,}(?:istin|ologe|ologin|erin|antin|entin|eurin|itekt))\\b`);
const noPlace = toPattern(
  /^(?:moment|augenblick|angst|frieden|ruhe|hoffnung|sorge|scheidung|trennung|saus|gefahr|der (?:hoffnung|vergangenheit|gegenwart)|einer? (?:traum|blase|illusion))\b/iu,
);
const noOrigin = toPattern(/^(?:versehen|zufall|prinzip|spaß|angst|liebe|neugier|gewohnheit)\b/iu);
const land =
  /^(?:der (?:Schweiz|Türkei|Ukraine|Slowakei|Mongolei|Nähe|Pfalz|Steiermark|Lausitz|Eifel)|den (?:USA|Niederlanden|Vereinigten)|dem (?:Iran|Irak|Libanon|Sudan|Jemen|Kosovo|Saarland|Allgäu|Ruhrgebiet|Norden|Süden|Osten|Westen))/u;
const organisation =
  /(?:firma|bank|agentur|schule|krankenhaus|klinik|universität|uni|hochschule|unternehmen|start-?up|verlag|behörde|stadt|praxis|kanzlei|bäckerei|versicherung|institut|konzern|verein|museum|theater|hotel|restaurant|werkstatt)\b/iu;
const greeting = toPattern(
  /\b(?:hallo|hi|hey|guten (?:tag|morgen|abend)|servus|moin|grüß (?:gott|dich|sie)|grüezi)\b/iu,
);

const isTaste = ({ value, text }: RuleMatch) => value !== '' && !pronoun.test(value) && !shown.test(text);
const outlives = ({ text }: RuleMatch) => !shown.test(text);
const isName = (match: RuleMatch) =>
  !match.lowerCaseWriter &&
  match.value.split(' ').every((word) => /^\p{Lu}|^\p{Lo}|^(?:von|van|der|de|zu)$/u.test(word)) &&
  /\p{Ll}|\p{Lo}/u.test(match.text);
const isPersonName = (match: RuleMatch) => isName(match) && !role.test(match.value);
const isGreetedName = (match: RuleMatch) =>
  isPersonName(match) &&
  greeting.test(match.lead) &&
  !toPattern(`^(?:${phrases(states)}|${phrases(nationalities)})\\b`).test(match.value);
const isPlace = (match: RuleMatch) => !noPlace.test(match.value) && outlives(match);
const isOrigin = (match: RuleMatch) =>
  (isProper(match) && !noOrigin.test(match.value) && !/^(?:dem|der|den|einem|einer)\b/iu.test(match.value)) ||
  land.test(match.value);
const isEmployer = (match: RuleMatch) =>
  (isProper(match) || organisation.test(match.value)) &&
  !/^(?:mir|uns|dir|ihm|ihr|mich|Nacht|Tag|Regen|Bedarf)\b/iu.test(match.value) &&
  outlives(match);
const isAge = ({ value }: RuleMatch) => Number(value) >= 5 && Number(value) <= 110;
const hasDate = ({ value }: RuleMatch) =>
  toPattern(
    /\d|\b(?:januar|jänner|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)\b/iu,
  ).test(value);

const ended = toRules('identity', 'other', [
  [
    'left employer',
    0.88,
    '(?:{arbeite} nicht mehr (?:bei|für)|{bin} nicht mehr bei) {value}',
    { accepts: isEmployer, past: true },
  ],
  [
    'ended',
    0.86,
    `${first('(?:wohne|lebe|arbeite|studiere|rauche|trinke|esse|spiele|fahre|habe|bin)')} (?:[^,]{1,60} )?(?:nicht mehr|keine?n? (?:[^,]{1,40} )?mehr)\\b(?! (?:sicher|weit|lange|da|dazu))`,
    { accepts: outlives },
  ],
]);

const identity = toRules('identity', 'other', [
  [
    'name',
    0.96,
    '(?:ich heiße|{mein}(?: voller| vollständiger| richtiger)? (?:name|vorname|nachname) (?:ist|lautet)) {name}',
    { accepts: isName, slot: 'name' },
  ],
  ['work', 0.92, '{arbeite} als {value}'],
  [
    'employer',
    0.9,
    '{arbeite}(?: (?:in teilzeit|in vollzeit|seit [^,]{1,25}?))? (?:bei|für) (?:der |dem |die |den )?{value}',
    { accepts: isEmployer, slot: 'employer' },
  ],
  [
    'field',
    0.8,
    '{arbeite}(?: seit [^,]{1,25}?)? (?:in der|im|in einem|in einer) {value}',
    {
      accepts: (match) =>
        outlives(match) &&
        !/^(?:büro|garten|moment|keller|homeoffice|zug|dunkeln|hintergrund|gruppe|pause)\b/iu.test(match.value),
    },
  ],
  [
    'role',
    0.88,
    `{bin}(?: von beruf| gelernter?| studierter?)?(?: eine?)?(?: \\p{L}+e[rn]?)? (?<value>${phrases(workRoles)})\\b(?!-)`,
  ],
  ['studies', 0.85, `${first('studiere')} {value}`, { accepts: isTaste }],
  [
    'home',
    0.92,
    '{wohne}(?: seit [^,]{1,30}?)?{adverb} (?:in|bei|im|auf|nahe|an der|am|in der nähe von) {value}',
    { accepts: isPlace, slot: 'home' },
  ],
  ['household', 0.85, '{wohne}(?: \\p{L}+)? (?:allein|alleine|mit (?:mein\\p{L}*|zwei|drei|einer|einem))\\b'],
  [
    'moved',
    0.9,
    '{bin}(?: [^,]{1,40}?)? nach (?<value>\\p{L}[^,]{1,40}?) (?:gezogen|umgezogen)\\b',
    { accepts: isProper, slot: 'home', past: true },
  ],
  ['origin', 0.88, `${first('(?:komme|stamme)')} aus {value}`, { accepts: isOrigin, slot: 'origin' }],
  ['born', 0.92, '(?:ich (?:wurde|bin)) (?:am|im|in) (?<value>[^,]{2,60}?) geboren\\b', { slot: 'born', yearly: true }],
  [
    'age',
    0.9,
    '{bin} (?<value>\\d{1,3})(?: jahre(?: alt)?\\b|(?=\\s*(?:$|[,.]|und\\b)))',
    { accepts: isAge, slot: 'age' },
  ],
  [
    'turned',
    0.88,
    `${first('werde')} (?:[^,]{1,20} )?(?<value>\\d{1,3})(?: jahre alt)?$`,
    { accepts: isAge, slot: 'age' },
  ],
  [
    'birthday',
    0.94,
    '(?:{mein} geburtstag ist(?: am| im)?) {value}',
    { accepts: hasDate, slot: 'birthday', yearly: true },
  ],
  [
    'birthday',
    0.94,
    '{habe} (?:am|im) (?<value>[^,]{2,30}?) geburtstag\\b',
    { accepts: hasDate, slot: 'birthday', yearly: true },
  ],
  [
    'language',
    0.9,
    `${first('spreche')}(?: (?:fließend|gut|sehr gut|nur|auch|etwas|ein bisschen|ein wenig|perfekt|kaum|muttersprachlich)){0,2} ${phrases(languages)}\\b`,
  ],
  ['language', 0.88, `${first('lerne')} ${phrases(languages)}\\b`],
  ['language', 0.94, 'meine (?:muttersprache|erstsprache) ist {value}', { slot: 'native language' }],
  [
    'state',
    0.92,
    `{bin}(?: (?:nicht|eine?|überzeugte[rn]?|strikte[rn]?|glücklich|frisch|streng)){0,2} ${phrases(states)}(?![\\p{L}-])`,
  ],
  ['nationality', 0.85, `{bin}(?: gebürtige[rn]?| halb)? ${phrases(nationalities)}(?=$|[,.;!]| (?:und|aber)\\b)`],
  [
    'allergy',
    0.95,
    '(?:{bin}(?: (?:stark|schwer|hochgradig|leicht|extrem))? allergisch (?:gegen|auf) .+|{habe}(?: eine?)?(?: \\p{L}+e)? ?\\p{L}*(?:allergie|unverträglichkeit|intoleranz)\\b|' +
      first('vertrage') +
      ' (?:keine?n?|nicht) .+)',
    { accepts: outlives },
  ],
  [
    'condition',
    0.9,
    `(?:{habe}|${first('leide')} (?:an|unter))(?: (?:schwere[sn]?|chronische|leichtes|typ[- ][12][- ]?)){0,2} ?${phrases(conditions)}\\b`,
  ],
  ['condition', 0.86, `${first('trage')} (?:eine brille|kontaktlinsen|ein hörgerät|hörgeräte|eine zahnspange)\\b`],
  [
    'food',
    0.88,
    `${first('(?:esse|trinke)')} (?:keine?n?|nichts) {value}`,
    {
      accepts: (match) =>
        outlives(match) && !toPattern(/\b(?:mehr|jetzt|zeit|gerade|derzeit|momentan)\b/iu).test(match.text),
    },
  ],
  ['food', 0.88, `${first('rauche')} nicht$`],
  [
    'food',
    0.88,
    `${first('(?:esse|ernähre mich|lebe)')}(?: nur)? (?:halal|koscher|vegan|vegetarisch|glutenfrei|laktosefrei|ketogen|zuckerfrei)\\b`,
  ],
  [
    'family',
    0.9,
    '{habe} {count}(?: \\p{L}{3,15}e[nrs]?)? (?:kind|kinder|sohn|söhne|tochter|töchter|geschwister|bruder|brüder|schwester|schwestern|enkel|enkelkinder|zwillinge|hund|hunde|katze|katzen|kater|pferde?|kaninchen|hamster|meerschweinchen)\\b',
  ],
  [
    'music',
    0.82,
    `${first('spiele')} (?:klavier|gitarre|geige|cello|bratsche|bass|schlagzeug|flöte|klarinette|saxofon|saxophon|trompete|posaune|harfe|orgel|akkordeon|tennis|schach|fußball|basketball|volleyball|golf|handball|badminton|hockey)\\b`,
  ],
  ['time zone', 0.94, '{mein} zeitzone ist {value}', { slot: 'time zone' }],
  ['address', 0.85, 'meine (?:adresse|anschrift) (?:ist|lautet) {value}', { accepts: outlives, slot: 'address' }],
  [
    'size',
    0.88,
    'meine (?<role>schuhgröße|kleidergröße|hosengröße|ringgröße|blutgruppe|größe) ist {value}',
    { slot: '% size' },
  ],
  ['work', 0.9, 'mein beruf ist {value}', { accepts: isTaste, slot: 'work' }],
  ['employer', 0.85, '(?:mein arbeitgeber|meine firma) (?:ist|heißt) {value}', { accepts: isProper, slot: 'employer' }],
  [
    'contact',
    0.88,
    '(?:meine (?<role>e-?mail(?:-?adresse)?|webseite|website)) (?:ist|lautet) {value}',
    { accepts: ({ value }) => /^\S+$/.test(value), slot: '%' },
  ],
  ['name', 0.85, '{bin}(?: der| die)? {name}$', { accepts: isGreetedName, slot: 'name' }],
]);

const relation = `(?:(?:älteste[rn]?|jüngste[rn]?|ältere[rn]?|jüngere[rn]?|kleine[rn]?|große[rn]?|neue[rn]?|beste[rn]?|direkte[rn]?|verstorbene[rn]?) )?(?<role>${phrases(people)})`;
const relationship = toRules('relationship', 'other', [
  ['named', 0.94, `{mein} ${relation} (?:heißt|hat den namen){adverb} {name}`, { accepts: isName, slot: 'relation %' }],
  [
    'is',
    0.9,
    `{mein} ${relation} ist (?<value>(?:frau|herr|dr\\.|prof\\.) \\p{L}[\\p{L}\\p{M}'-]{1,30})`,
    { slot: 'relation %' },
  ],
  ['is', 0.88, `{mein} ${relation} ist(?: jetzt| nun)? {name}$`, { accepts: isPersonName, slot: 'relation %' }],
  [
    'apposition',
    0.86,
    `{mein} ${relation},? {name}`,
    { accepts: (match) => isProper(match) && !match.lowerCaseWriter && !role.test(match.value), slot: 'relation %' },
  ],
  [
    'has',
    0.9,
    `{habe} (?:einen?|eine) (?:\\p{L}{2,15} )?${relation},? (?:namens|mit (?:dem )?namen|der heißt|die heißt) {name}`,
    { accepts: isName },
  ],
  ['role', 0.88, `{name} ist (?:mein|meine|unser|unsere) ${relation}$`, { accepts: isPersonName, slot: 'relation %' }],
]);

const likeVerbs =
  '(?:esse|trinke|nehme|reise|fahre|lese|arbeite|schreibe|höre|schaue|gehe|laufe|fliege|sitze|schlafe|nutze|verwende|benutze|programmiere|kaufe|telefoniere|koche|spiele|mag|habe|bin)';
const noHabit = toPattern(
  /^ich (?:war|hatte|habe|hab|bin|weiß|brauche|will|möchte|dachte|glaube|kann|konnte|muss|würde|finde|sehe|verstehe|wollte|werde|kriege|bekomme|vergesse|denke|hoffe|frage)\b/iu,
);
const taste = toRules('preference', 'other', [
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
const noStory = (match: RuleMatch) =>
  !toPattern(/^(?:\p{L}+ )?(?:ich|wir|er|es|sie)\b/iu).test(match.value) && outlives({ ...match, text: match.value });
const order = toRules('preference', 'other', [
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

const decided = '(?:entschieden|beschlossen|vereinbart|abgemacht|festgelegt|darauf geeinigt|verständigt)';
const isMatter = (match: RuleMatch) =>
  (isTaste(match) || (/^dass\b/iu.test(match.value) && outlives(match))) &&
  !toPattern(/\b(?:gestern|vorhin)\b/iu).test(match.value);
const decision = toRules('decision', 'other', [
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

const circumstance = toRules('circumstance', 'other', [
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

export const germanRules: Rule[] = [
  ...circumstance,
  ...relationship,
  ...ended,
  ...identity,
  ...order,
  ...taste,
  ...decision,
];
