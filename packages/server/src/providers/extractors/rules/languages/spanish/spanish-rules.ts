import { phrases, toPattern } from '../../phrases.js';
import { isProper, namePattern, type Rule, type RuleMatch, ruleTable } from '../../rule.js';
import { conditions, languages, nationalities, people, states, workRoles } from './spanish-words.js';

const adverb = phrases(
  'también, actualmente, ahora, ahora mismo, todavía, aún, siempre, ya, realmente, muy, principalmente, personalmente, absolutamente, sobre todo, además, hoy en día, mucho, muchísimo, bastante, especialmente',
);
const toRules = ruleTable({
  adverb: `(?:\\s${adverb}){0,3}`,
  yo: `(?:yo )?(?:${adverb} )?`,
  soy: `(?:yo )?(?:${adverb} )?(?:no )?soy(?:\\s${adverb}){0,2}`,
  estoy: `(?:yo )?(?:${adverb} )?(?:no )?estoy(?:\\s${adverb}){0,2}`,
  tengo: `(?:yo )?(?:${adverb} )?tengo(?:\\s${adverb}){0,2}`,
  favor: '(?:(?:por favor|porfa|y|entonces)[ ,]+)*',
  count: '(?:une?a?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|\\d{1,2})',
  mi: '(?:mi|mis|nuestro|nuestra)',
  name: namePattern(
    phrases(
      'y, e, pero, o, con, que, en, es, soy, yo, para, por, no, porque, sin, el, la, los, un, una, ahora, desde, si, cuando, ha, dice, vive, trabaja, tiene, tonto, tonta, a mí',
    ),
  ),
  value: '(?<value>.+)',
});

const shown = toPattern(
  /\b(?:(?:este|esta|estos|estas|ese|esa|esos|esas|tu|tus|vuestro|vuestra) \p{L}+|aquí|arriba|abajo|hoy(?! en día)|esta vez|que has|que hiciste|lo que|ti|contigo)\b/iu,
);
const pronoun = toPattern(
  /^(?:esto|eso|aquello|lo|que|cómo|cuando|nada|todo(?=$)|algo|(?:la|el) (?:idea|imagen|manera|forma|título|tono|texto|respuesta|versión|ejemplo|propuesta|primer[oa]?|segund[oa]|tercer[oa]?|últim[oa]|nuev[oa]))\b/iu,
);
const role = toPattern(`^(?:${phrases(workRoles)})\\b`);
const noPlace = toPattern(
  /^(?:paz|miedo|el (?:pasado|presente|estrés)|un (?:sueño|mundo)|una (?:burbuja|pesadilla)|la (?:duda|esperanza|incertidumbre)|tensión|alerta|soledad)\b/iu,
);
const organisation = toPattern(
  /\b(?:empresa|banco|agencia|escuela|colegio|instituto|hospital|clínica|universidad|start-?up|bufete|ayuntamiento|ministerio|panadería|restaurante|hotel|museo|teatro|fábrica|asociación|estudio|editorial|aseguradora|taller|librería|farmacia|consultora|ong)\b/iu,
);
const field = toPattern(
  /^(?:marketing|ventas|educación|sanidad|salud|finanzas|banca|publicidad|hostelería|turismo|informática|construcción|logística|recursos humanos|investigación|la construcción|la industria|el sector|el campo|la administración|tecnología|atención al cliente|consultoría|medicina|derecho|comunicación)\b/iu,
);
const isTaste = ({ value, text }: RuleMatch) => value !== '' && !pronoun.test(value) && !shown.test(text);
const outlives = ({ text }: RuleMatch) => !shown.test(text);
const isName = (match: RuleMatch) =>
  !match.lowerCaseWriter &&
  /^[\p{Lu}\p{Lo}]/u.test(match.value) &&
  match.value.split(' ').every((word) => /^\p{Lu}|^\p{Lo}|^(?:de|del|la|las|los|da|van|von)$/u.test(word)) &&
  /\p{Ll}|\p{Lo}/u.test(match.text);
const isPlace = (match: RuleMatch) => !noPlace.test(match.value) && outlives(match);
const isEmployer = (match: RuleMatch) => (isProper(match) || organisation.test(match.value)) && outlives(match);
const isAge = ({ value }: RuleMatch) => Number(value) >= 5 && Number(value) <= 110;
const hasDate = ({ value }: RuleMatch) =>
  toPattern(
    /\d|\b(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)\b/iu,
  ).test(value);

const ended = toRules('identity', 'other', [
  [
    'left employer',
    0.88,
    '(?:yo )?(?:ya no (?:trabajo (?:en|para)|estoy en)|he dejado|dejé) {value}',
    { accepts: isEmployer, past: true },
  ],
  [
    'ended',
    0.86,
    '(?:yo )?ya no (?:vivo|trabajo|estudio|fumo|bebo|como|juego|soy|tengo|estoy)\\b(?! (?:segur[oa]|aquí))',
    { accepts: outlives },
  ],
]);

const identity = toRules('identity', 'other', [
  ['name', 0.96, '(?:{yo}me llamo|mi (?:nombre(?: completo)?|apellido) es) {name}', { accepts: isName, slot: 'name' }],
  [
    'work',
    0.92,
    '{yo}trabajo{adverb} (?:como|de) {value}',
    { accepts: (match) => !/^(?:siempre|noche|día|lunes|costumbre|forma|manera|más|nueve|ocho)\b/iu.test(match.value) },
  ],
  [
    'employer',
    0.9,
    '{yo}trabajo{adverb}(?: a tiempo (?:parcial|completo))? (?:en|para) (?:el |la |un |una )?{value}',
    { accepts: isEmployer, slot: 'employer' },
  ],
  [
    'field',
    0.8,
    '{yo}(?:trabajo|me dedico){adverb} (?:en|al?|a la) {value}',
    { accepts: (match) => field.test(match.value) || (/dedico/iu.test(match.text) && isTaste(match)) },
  ],
  ['role', 0.88, `{soy}(?: una?)? (?<value>${phrases(workRoles)})(?![\\p{L}-])`],
  [
    'studies',
    0.85,
    '{yo}estudio{adverb} {value}',
    {
      accepts: (match) =>
        isTaste(match) && !/^(?:la (?:posibilidad|propuesta)|las opciones|para)\b/iu.test(match.value),
    },
  ],
  [
    'home',
    0.92,
    '{yo}(?:vivo|resido){adverb}(?: desde [^,]{1,25}?)? (?:en|cerca de|a las afueras de) {value}',
    { accepts: isPlace, slot: 'home' },
  ],
  ['household', 0.85, '{yo}vivo (?:sol[oa]|con (?:mi|mis|dos|una?))\\b'],
  [
    'moved',
    0.9,
    '{yo}(?:me he mudado|me mudé|me acabo de mudar|nos mudamos) (?:recientemente )?a {value}',
    { accepts: isProper, slot: 'home', past: true },
  ],
  [
    'origin',
    0.88,
    '{yo}(?:soy|vengo|provengo) (?:originari[oa] )?(?:de|del) (?:la |los )?{value}',
    { accepts: isProper, slot: 'origin' },
  ],
  ['born', 0.92, '{yo}nací (?:en|el) {value}', { slot: 'born', yearly: true }],
  ['age', 0.9, '{tengo} (?<value>\\d{1,3}) años(?=$|[,.;!]| y\\b| pero\\b)', { accepts: isAge, slot: 'age' }],
  [
    'turned',
    0.88,
    '{yo}(?:cumplo|voy a cumplir|cumpliré|acabo de cumplir) (?<value>\\d{1,3})\\b',
    { accepts: isAge, slot: 'age' },
  ],
  [
    'birthday',
    0.94,
    '(?:mi cumpleaños (?:es|cae)(?: el| en)?|cumplo años el) {value}',
    { accepts: hasDate, slot: 'birthday', yearly: true },
  ],
  [
    'language',
    0.9,
    `{yo}hablo(?: (?:también|bien|muy bien|un poco de|algo de|solo|sólo|perfectamente)){0,2} ${phrases(languages)}\\b`,
  ],
  ['language', 0.88, `(?:{estoy} aprendiendo|{yo}aprendo) ${phrases(languages)}\\b`],
  ['language', 0.94, 'mi (?:lengua|idioma) (?:materna|matern[oa]|nativ[oa]) es {value}', { slot: 'native language' }],
  [
    'allergy',
    0.95,
    '(?:{soy}(?: (?:muy|gravemente|altamente))? (?:alérgic[oa]|intolerante|sensible) (?:a|al) .+|{tengo} (?:una? )?(?:alergia|intolerancia)s? (?:a|al) .+)',
    { accepts: outlives },
  ],
  [
    'state',
    0.92,
    `(?:{soy}|{estoy})(?: (?:una?|estrictamente|felizmente|recién)){0,2} ${phrases(states)}(?![\\p{L}-])`,
  ],
  ['nationality', 0.85, `{soy}(?: medio)? ${phrases(nationalities)}(?=$|[,.;!]| (?:y|pero|de origen)\\b)`],
  ['condition', 0.9, `(?:{tengo}|{yo}(?:padezco|sufro)(?: de)?) ${phrases(conditions)}(?![\\p{L}])`],
  ['condition', 0.86, '{yo}(?:llevo|uso) (?:gafas|lentes|lentillas|audífonos?)\\b'],
  [
    'food',
    0.88,
    '(?:yo )?(?:no|nunca) (?:como|bebo|tomo|consumo) (?!nada\\b|mucho\\b|ni\\b|si\\b){value}',
    { accepts: (match) => outlives(match) && !pronoun.test(match.value) },
  ],
  ['food', 0.88, '(?:yo )?no fumo$'],
  ['food', 0.88, '{yo}(?:solo |sólo )?como{adverb} (?:halal|kosher|vegano|vegetariano|sin gluten|sin lactosa)\\b'],
  [
    'family',
    0.9,
    '{tengo} {count}(?: \\p{L}{3,15})? (?:hij[oa]s?|niñ[oa]s?|herman[oa]s?|niet[oa]s?|gemel[oa]s|mellizos|perr[oa]s?|gat[oa]s?|caballos?|conejos?)\\b',
  ],
  [
    'music',
    0.82,
    '{yo}(?:toco|juego)(?: también)? (?:el|la|al|a la) (?:piano|guitarra|violín|viola|violonchelo|bajo|batería|flauta|clarinete|saxofón|trompeta|trombón|arpa|órgano|acordeón|tenis|ajedrez|fútbol|baloncesto|voleibol|golf|rugby|pádel|bádminton)\\b',
  ],
  ['time zone', 0.94, 'mi (?:zona horaria|huso horario) es {value}', { slot: 'time zone' }],
  ['address', 0.85, 'mi (?:dirección|domicilio) es {value}', { accepts: outlives, slot: 'address' }],
  ['size', 0.88, 'mi (?<role>talla|número de pie|altura|grupo sanguíneo) es {value}', { slot: '% size' }],
  [
    'work',
    0.9,
    'mi (?:profesión|trabajo|oficio) es {value}',
    {
      accepts: (match) =>
        isTaste(match) && !/^(?:muy|tan|demasiado|\p{L}+ante|duro|difícil|aburrido)\b/iu.test(match.value),
      slot: 'work',
    },
  ],
  ['employer', 0.85, 'mi (?:empresa|compañía) (?:es|se llama) {value}', { accepts: isProper, slot: 'employer' }],
  [
    'contact',
    0.88,
    'mi (?<role>e-?mail|correo(?: electrónico)?|web) es {value}',
    { accepts: ({ value }) => /^\S+$/.test(value), slot: '%' },
  ],
  ['name', 0.85, '{soy} {name}$', { accepts: (match) => isName(match) && !role.test(match.value), slot: 'name' }],
]);

const relation = `(?<role>${phrases(people)})(?: (?:mayor|menor|pequeñ[oa]|nuev[oa]|actual|direct[oa]))?`;
const relationship = toRules('relationship', 'other', [
  [
    'named',
    0.94,
    `{mi} (?:nuev[oa] |querid[oa] )?${relation} se llama{adverb} {name}`,
    { accepts: isName, slot: 'relation %' },
  ],
  [
    'is',
    0.9,
    `{mi} ${relation} es (?<value>(?:el señor|la señora|don|doña|sr\\.|sra\\.|dr\\.|dra\\.) \\p{L}[\\p{L}\\p{M}'-]{1,30})`,
    { slot: 'relation %' },
  ],
  ['is', 0.88, `{mi} ${relation} es(?: ahora)? {name}$`, { accepts: isName, slot: 'relation %' }],
  [
    'apposition',
    0.86,
    `{mi} ${relation},? {name}`,
    { accepts: (match) => isProper(match) && !match.lowerCaseWriter, slot: 'relation %' },
  ],
  [
    'has',
    0.9,
    `{tengo} une?a? (?:\\p{L}{2,15} )?${relation},? (?:que se llama|llamad[oa]) {name}`,
    { accepts: isName },
  ],
  ['role', 0.88, `{name} es (?:mi|nuestro|nuestra) ${relation}$`, { accepts: isName, slot: 'relation %' }],
]);

const taste = toRules('preference', 'other', [
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
const noStory = (match: RuleMatch) =>
  !toPattern(/^(?:yo|nosotros|él|ella|ellos|es|mi|vivo|trabajo|soy|estoy|tengo|vamos|voy|me|nos)\b/iu).test(
    match.value,
  );
const order = toRules('preference', 'other', [
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

const isMatter = (match: RuleMatch) => isTaste(match) && !toPattern(/\bayer\b/iu).test(match.value);
const isChoice = (match: RuleMatch) => isMatter(match) && !/^(?:otr[oa]|más|algún)/iu.test(match.value);
const decision = toRules('decision', 'other', [
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

const circumstance = toRules('circumstance', 'other', [
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

export const spanishRules: Rule[] = [
  ...circumstance,
  ...relationship,
  ...ended,
  ...identity,
  ...order,
  ...taste,
  ...decision,
];
