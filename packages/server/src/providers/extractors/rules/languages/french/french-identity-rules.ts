import { phrases, toPattern } from '../../phrases.js';
import { isProper, type Rule, type RuleMatch } from '../../rule.js';
import { isName, isTaste, outlives, role, toRules } from './french-parts.js';
import { conditions, languages, nationalities, states, workRoles } from './french-words.js';

const noPlace = toPattern(
  /^(?:la peur|l'espoir|paix|colère|un (?:rêve|monde|cauchemar)|le (?:présent|passé|stress|doute)|permanence|attendant|même temps|principe)\b/iu,
);

const common = toPattern(
  /^(?:bureau|travail|marché|cinéma|sport|gymnase|garage|magasin|restaurant|médecin|coin|sud$|nord$)\b/iu,
);

const organisation = toPattern(
  /\b(?:entreprise|société|banque|agence|école|lycée|collège|hôpital|clinique|université|start-?up|cabinet|mairie|ministère|boulangerie|restaurant|hôtel|musée|théâtre|usine|association|studio|éditeur|assurance|garage|librairie|pharmacie)\b/iu,
);

function isPlace(match: RuleMatch): boolean {
  return !noPlace.test(match.value) && outlives(match);
}

function isOrigin(match: RuleMatch): boolean {
  return isProper(match) && !common.test(match.value);
}

function isEmployer(match: RuleMatch): boolean {
  return (
    (isProper(match) || organisation.test(match.value)) &&
    !/^(?:moi|lui|elle|eux|toi|nous|vous)\b/iu.test(match.value) &&
    outlives(match)
  );
}

function isAge({ value }: RuleMatch): boolean {
  return Number(value) >= 5 && Number(value) <= 110;
}

function hasDate({ value }: RuleMatch): boolean {
  return toPattern(
    /\d|\b(?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)\b/iu,
  ).test(value);
}

const to = "(?:à|au|aux|en|dans|près de|près d'|à côté de|du côté de|sur)";
const ended = toRules('identity', 'other', [
  [
    'left employer',
    0.88,
    "(?:je ne travaille plus (?:chez|pour|à)|je ne suis plus chez|j'ai quitté) {value}",
    { accepts: isEmployer, past: true },
  ],
  [
    'ended',
    0.86,
    "je (?:ne |n')(?:habite|vis|travaille|étudie|fume|bois|mange|joue|suis|ai) plus\\b(?! (?:sûre?|là|qu))",
    { accepts: outlives },
  ],
]);

const firstPerson = toRules('identity', 'other', [
  [
    'name',
    0.96,
    "(?:je m'appelle|(?:mon|le) (?:nom(?: complet| de famille)?|prénom) (?:est|c'est)|moi,? c'est) {name}",
    { accepts: isName, slot: 'name' },
  ],
  ['work', 0.92, "(?:je travaille|je bosse|j'exerce){adverb} (?:comme|en tant que) {value}"],
  [
    'employer',
    0.9,
    "(?:je travaille|je bosse){adverb}(?: à temps (?:partiel|plein))? (?:chez|pour|à la|à l'|au sein de) ?{value}",
    { accepts: isEmployer, slot: 'employer' },
  ],
  [
    'field',
    0.8,
    "je (?:travaille|bosse){adverb} (?:dans (?:le|la|les|l')|en) ?{value}",
    {
      accepts: (match) =>
        outlives(match) &&
        !toPattern(
          /^(?:train|bus|bureau|jardin|noir|silence|équipe|groupe|ce moment|urgence|musique|écoutant)\b/iu,
        ).test(match.value),
    },
  ],
  ['role', 0.88, `{suis}(?: une?)?(?: ancienn?e?| jeune)? (?<value>${phrases(workRoles)})(?![\\p{L}-])`],
  [
    'studies',
    0.85,
    "(?:j'étudie|je fais des études d(?:e|')) ?{value}",
    {
      accepts: (match) =>
        isTaste(match) && !/^(?:la (?:question|possibilité|proposition)|les options)/iu.test(match.value),
    },
  ],
  [
    'home',
    0.92,
    `(?:j'habite|je vis|je réside|je loge){adverb}(?: depuis [^,]{1,25}?)? ${to} ?{value}`,
    { accepts: isPlace, slot: 'home' },
  ],
  ['home', 0.9, "j'habite{adverb} (?<value>\\p{Lu}\\p{L}[^,]{1,40})", { accepts: isProper, slot: 'home' }],
  ['household', 0.85, "(?:j'habite|je vis) (?:seule?|avec (?:mon|ma|mes|deux|une?))\\b"],
  [
    'moved',
    0.9,
    "j'ai (?:récemment )?(?:déménagé|emménagé) (?:à|au|en|aux) {value}",
    { accepts: isProper, slot: 'home', past: true },
  ],
  [
    'origin',
    0.88,
    "(?:je viens|{suis} originaire) (?:de la |de l'|du |des |de |d'){value}",
    { accepts: isOrigin, slot: 'origin' },
  ],
  ['born', 0.92, 'je suis née? (?:à|au|en|le) {value}', { slot: 'born', yearly: true }],
  ['age', 0.9, '{ai} (?<value>\\d{1,3}) ans(?=$|[,.;!]| et\\b| mais\\b)', { accepts: isAge, slot: 'age' }],
  [
    'birthday',
    0.94,
    "(?:mon anniversaire (?:est|c'est|tombe)(?: en)?|je fête mon anniversaire) (?:le )?{value}",
    { accepts: hasDate, slot: 'birthday', yearly: true },
  ],
  [
    'language',
    0.9,
    `je parle(?: (?:couramment|bien|très bien|un peu|seulement|aussi|parfaitement)){0,2}(?: (?:le|l'|du|la))? ?${phrases(languages)}\\b`,
  ],
  ['language', 0.88, `j'apprends (?:le |l'|la )?${phrases(languages)}\\b`],
  ['language', 0.94, 'ma langue (?:maternelle|natale) est {value}', { slot: 'native language' }],
  [
    'allergy',
    0.95,
    '(?:{suis}(?: (?:très|gravement|fortement|légèrement|sévèrement))? (?:allergique|intolérante?|sensible) (?:à|au|aux) ?.+|{ai} (?:une )?(?:allergie|intolérance)s? (?:à|au|aux) .+|je (?:ne )?supporte pas (?:le lactose|le gluten|les noix|les arachides))',
    { accepts: outlives },
  ],
  [
    'state',
    0.92,
    `(?:{suis}|je ne suis pas)(?: (?:pas|une?|strictement|heureusement|récemment|nouvellement)){0,2} ${phrases(states)}(?![\\p{L}-])`,
  ],
  ['nationality', 0.85, `{suis}(?: à moitié)? ${phrases(nationalities)}(?=$|[,.;!]| (?:et|mais|d'origine)\\b)`],
  ['condition', 0.9, `(?:{ai}|je souffre (?:de|d')) ?${phrases(conditions)}(?![\\p{L}])`],
  ['condition', 0.86, 'je porte (?:des lunettes|des lentilles|un appareil auditif)\\b'],
  ['food', 0.88, "je ne (?:mange|bois|consomme) (?:pas|jamais) (?:de |d'|du ){value}", { accepts: outlives }],
  ['food', 0.88, 'je ne fume pas$'],
  ['food', 0.88, 'je mange{adverb} (?:halal|casher|végan|végétarien|bio|sans gluten|sans lactose)\\b'],
  [
    'family',
    0.9,
    '{ai} {count}(?: \\p{L}{3,12}s?)? (?:enfants?|fils|filles?|frères?|sœurs?|soeurs?|petits-enfants|jumeaux|jumelles|chiens?|chats?|chevaux|cheval|lapins?|hamsters?)\\b',
  ],
  [
    'music',
    0.82,
    "je joue{adverb} (?:du|de la|de l'|au|aux|à la) ?(?:piano|guitare|violon|alto|violoncelle|basse|batterie|flûte|clarinette|saxophone|trompette|trombone|harpe|orgue|accordéon|tennis|échecs|foot|football|basket|volley|golf|rugby|badminton|pétanque)\\b",
  ],
  ['time zone', 0.94, 'mon fuseau horaire est {value}', { slot: 'time zone' }],
  ['address', 0.85, 'mon adresse(?: postale)? est {value}', { accepts: outlives, slot: 'address' }],
  ['size', 0.88, 'ma (?<role>pointure|taille|groupe sanguin) est {value}', { slot: '% size' }],
  ['size', 0.85, '(?:je mesure \\d|je fais du \\d{2}|je chausse du \\d{2})'],
  ['work', 0.9, '(?:mon métier|ma profession) est {value}', { accepts: isTaste, slot: 'work' }],
  [
    'employer',
    0.85,
    "(?:mon employeur|mon entreprise|ma boîte) (?:est|s'appelle) {value}",
    { accepts: isProper, slot: 'employer' },
  ],
  [
    'contact',
    0.88,
    '(?:mon (?<role>e-?mail|adresse e-?mail|courriel|site)) est {value}',
    { accepts: ({ value }) => /^\S+$/.test(value), slot: '%' },
  ],
  ['name', 0.85, '{suis} {name}$', { accepts: (match) => isName(match) && !role.test(match.value), slot: 'name' }],
]);

export const identityRules: Rule[] = [...ended, ...firstPerson];
