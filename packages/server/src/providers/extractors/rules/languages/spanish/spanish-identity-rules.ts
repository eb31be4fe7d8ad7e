import { phrases, toPattern } from '../../phrases.js';
import { isProper, type Rule, type RuleMatch } from '../../rule.js';
import { isName, isTaste, outlives, pronoun, role, toRules } from './spanish-parts.js';
import { conditions, languages, nationalities, states, workRoles } from './spanish-words.js';

const noPlace = toPattern(
  /^(?:paz|miedo|el (?:pasado|presente|estrés)|un (?:sueño|mundo)|una (?:burbuja|pesadilla)|la (?:duda|esperanza|incertidumbre)|tensión|alerta|soledad)\b/iu,
);

const organisation = toPattern(
  /\b(?:empresa|banco|agencia|escuela|colegio|instituto|hospital|clínica|universidad|start-?up|bufete|ayuntamiento|ministerio|panadería|restaurante|hotel|museo|teatro|fábrica|asociación|estudio|editorial|aseguradora|taller|librería|farmacia|consultora|ong)\b/iu,
);

const field = toPattern(
  /^(?:marketing|ventas|educación|sanidad|salud|finanzas|banca|publicidad|hostelería|turismo|informática|construcción|logística|recursos humanos|investigación|la construcción|la industria|el sector|el campo|la administración|tecnología|atención al cliente|consultoría|medicina|derecho|comunicación)\b/iu,
);

function isPlace(match: RuleMatch): boolean {
  return !noPlace.test(match.value) && outlives(match);
}

function isEmployer(match: RuleMatch): boolean {
  return (isProper(match) || organisation.test(match.value)) && outlives(match);
}

function isAge({ value }: RuleMatch): boolean {
  return Number(value) >= 5 && Number(value) <= 110;
}

function hasDate({ value }: RuleMatch): boolean {
  return toPattern(
    /\d|\b(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)\b/iu,
  ).test(value);
}

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

const firstPerson = toRules('identity', 'other', [
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

export const identityRules: Rule[] = [...ended, ...firstPerson];
