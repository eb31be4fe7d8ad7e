import { phrases, toPattern } from '../../phrases.js';
import { isProper, namePattern, type Rule, type RuleMatch, ruleTable } from '../../rule.js';
import { conditions, languages, nationalities, people, states, workRoles } from './french-words.js';

const adverb = phrases(
  'aussi, actuellement, toujours, encore, vraiment, maintenant, déjà, très, plutôt, également, surtout, principalement, personnellement, absolument, en fait, en ce moment, depuis peu, moi-même, bien, beaucoup, énormément, particulièrement',
);
const toRules = ruleTable({
  adverb: `(?:\\s${adverb}){0,3}`,
  suis: `(?:je|j')(?: ne)? ?suis(?:\\s${adverb}){0,3}`,
  ai: `j'ai(?:\\s${adverb}){0,2}`,
  pas: '(?: (?:pas|plus|jamais))?',
  svp: "(?:(?:s'il (?:te|vous) plaît|stp|svp|merci de|et|alors)[ ,]+)*",
  count: '(?:une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|\\d{1,2})',
  mon: '(?:mon|ma|mes|notre|nos)',
  name: namePattern(
    phrases(
      "et, mais, ou, de la maison, avec, qui, dans, à, au, en, est, suis, je, j'ai, nous, pour, pas, car, sans, le, la, les, un, une, maintenant, depuis, si, quand, a, dit, s'il, svp, stp, chez, habite, travaille, vit, aime",
    ),
  ),
  value: '(?<value>.+)',
});

const shown = toPattern(
  /\b(?:(?:ce|cet|cette|ces|ton|ta|tes|votre|vos) \p{L}+|ici|ci-dessus|ci-dessous|aujourd'hui|cette fois|que tu|que vous|ce que|toi|celui-ci|celle-ci)\b/iu,
);
const pronoun = toPattern(
  /^(?:ça|cela|ceci|le(?=$)|la(?=$)|les(?=$)|ce|celui|celle|que|qu'|quand|comment|tout ça|rien|tout(?=$)|l'idée|l'image|la façon|le titre|le ton|le texte|la réponse|la version|l'exemple|(?:le|la) (?:premi(?:er|ère)|deuxième|second|seconde|troisième|derni(?:er|ère)|nouveau|nouvelle))\b/iu,
);
const role = toPattern(`^(?:${phrases(workRoles)})\\b`);
const noPlace = toPattern(
  /^(?:la peur|l'espoir|paix|colère|un (?:rêve|monde|cauchemar)|le (?:présent|passé|stress|doute)|permanence|attendant|même temps|principe)\b/iu,
);
const common = toPattern(
  /^(?:bureau|travail|marché|cinéma|sport|gymnase|garage|magasin|restaurant|médecin|coin|sud$|nord$)\b/iu,
);
const organisation = toPattern(
  /\b(?:entreprise|société|banque|agence|école|lycée|collège|hôpital|clinique|université|start-?up|cabinet|mairie|ministère|boulangerie|restaurant|hôtel|musée|théâtre|usine|association|studio|éditeur|assurance|garage|librairie|pharmacie)\b/iu,
);
const isTaste = ({ value, text }: RuleMatch) => value !== '' && !pronoun.test(value) && !shown.test(text);
const outlives = ({ text }: RuleMatch) => !shown.test(text);
const isName = (match: RuleMatch) =>
  !match.lowerCaseWriter &&
  match.value.split(' ').every((word) => /^\p{Lu}|^\p{Lo}|^(?:de|du|des|la|le|van|von|ben|el)$/u.test(word)) &&
  /^[\p{Lu}\p{Lo}]/u.test(match.value) &&
  /\p{Ll}|\p{Lo}/u.test(match.text);
const isPlace = (match: RuleMatch) => !noPlace.test(match.value) && outlives(match);
const isOrigin = (match: RuleMatch) => isProper(match) && !common.test(match.value);
const isEmployer = (match: RuleMatch) =>
  (isProper(match) || organisation.test(match.value)) &&
  !/^(?:moi|lui|elle|eux|toi|nous|vous)\b/iu.test(match.value) &&
  outlives(match);
const isAge = ({ value }: RuleMatch) => Number(value) >= 5 && Number(value) <= 110;
const hasDate = ({ value }: RuleMatch) =>
  toPattern(/\d|\b(?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)\b/iu).test(
    value,
  );
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

const identity = toRules('identity', 'other', [
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

const relation = `(?:(?:petite?|grande?|nouveau|nouvelle|vieux|vieille|ancien|ancienne|meilleure?) )?(?<role>${phrases(people)})(?: (?:aînée?|cadette?|actuelle?))?`;
const relationship = toRules('relationship', 'other', [
  [
    'named',
    0.94,
    `{mon} ${relation} (?:s'appelle|se prénomme|se nomme){adverb} {name}`,
    { accepts: isName, slot: 'relation %' },
  ],
  [
    'is',
    0.9,
    `{mon} ${relation},? (?:est|c'est) (?<value>(?:m\\.|mme|monsieur|madame|dr\\.?) \\p{L}[\\p{L}\\p{M}'-]{1,30})`,
    { slot: 'relation %' },
  ],
  ['is', 0.88, `{mon} ${relation},? (?:est|c'est)(?: maintenant)? {name}$`, { accepts: isName, slot: 'relation %' }],
  [
    'apposition',
    0.86,
    `{mon} ${relation},? {name}`,
    { accepts: (match) => isProper(match) && !match.lowerCaseWriter, slot: 'relation %' },
  ],
  [
    'has',
    0.9,
    `{ai} une? (?:\\p{L}{2,15} )?${relation},? (?:qui s'appelle|nommée?|appelée?|prénommée?) {name}`,
    { accepts: isName },
  ],
  ['role', 0.88, `{name} est (?:mon|ma|notre) ${relation}$`, { accepts: isName, slot: 'relation %' }],
]);

const taste = toRules('preference', 'other', [
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
const noStory = (match: RuleMatch) =>
  !toPattern(/^(?:je|j'|nous|on|il|elle|ils|c'est|mon|ma)\b/iu).test(match.value) && !/^j'/iu.test(match.value);
const order = toRules('preference', 'other', [
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

const isMatter = (match: RuleMatch) => isTaste(match) && !toPattern(/\bhier\b/iu).test(match.value);
const isChoice = (match: RuleMatch) =>
  isMatter(match) && !/^(?:une? autre|autre chose|plus|quelque)/iu.test(match.value);
const decision = toRules('decision', 'other', [
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

const circumstance = toRules('circumstance', 'other', [
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

export const frenchRules: Rule[] = [
  ...circumstance,
  ...relationship,
  ...ended,
  ...identity,
  ...order,
  ...taste,
  ...decision,
];
