import { phrases, toPattern } from '../../phrases.js';
import { isProper, type Rule, type RuleMatch } from '../../rule.js';
import { first, isName, isPersonName, isTaste, outlives, toRules } from './german-parts.js';
import { conditions, languages, nationalities, states, workRoles } from './german-words.js';

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

function isGreetedName(match: RuleMatch): boolean {
  return (
    isPersonName(match) &&
    greeting.test(match.lead) &&
    !toPattern(`^(?:${phrases(states)}|${phrases(nationalities)})\\b`).test(match.value)
  );
}

function isPlace(match: RuleMatch): boolean {
  return !noPlace.test(match.value) && outlives(match);
}

function isOrigin(match: RuleMatch): boolean {
  return (
    (isProper(match) && !noOrigin.test(match.value) && !/^(?:dem|der|den|einem|einer)\b/iu.test(match.value)) ||
    land.test(match.value)
  );
}

function isEmployer(match: RuleMatch): boolean {
  return (
    (isProper(match) || organisation.test(match.value)) &&
    !/^(?:mir|uns|dir|ihm|ihr|mich|Nacht|Tag|Regen|Bedarf)\b/iu.test(match.value) &&
    outlives(match)
  );
}

function isAge({ value }: RuleMatch): boolean {
  return Number(value) >= 5 && Number(value) <= 110;
}

function hasDate({ value }: RuleMatch): boolean {
  return toPattern(
    /\d|\b(?:januar|jänner|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)\b/iu,
  ).test(value);
}

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

const firstPerson = toRules('identity', 'other', [
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

export const identityRules: Rule[] = [...ended, ...firstPerson];
