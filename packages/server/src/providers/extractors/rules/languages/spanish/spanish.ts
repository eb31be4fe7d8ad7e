import { toPattern } from '../../phrases.js';
import type { Language } from '../language.js';
import { toLanguage } from '../to-language.js';
import { circumstanceRules, decisionRules } from './spanish-decision-rules.js';
import { identityRules } from './spanish-identity-rules.js';
import { orderRules, tasteRules } from './spanish-preference-rules.js';
import { relationshipRules } from './spanish-relationship-rules.js';
import { marks, soleRoles, stopWords } from './spanish-words.js';

export const spanish: Language = toLanguage({
  code: 'es',
  marks,
  stopWords,
  soleRoles,
  rules: [...circumstanceRules, ...relationshipRules, ...identityRules, ...orderRules, ...tasteRules, ...decisionRules],
  polite: 'por favor, porfa, y, entonces, también, bien, siempre',
  askingYou: 'puedes, podrías, puede, podría, quieres, me gustaría que, quiero que',
  remember:
    'recuerda, recuerde, recordar, acuérdate de, acuérdate, acuérdese de, no olvides, no olvide, no te olvides de, no se olvide de, ten en cuenta, tenga en cuenta, tener en cuenta, ten presente, anota, anote, apunta, apunte, toma nota de, toma nota, memoriza, memorice, guarda',
  that: 'que|de que',
  notes: 'para más tarde, para el futuro, para que conste, nota para mí, importante, recordatorio, nota',
  mentions: 'para tu información, para su información, solo para que lo sepas, para que sepas, que sepas, fyi, ojo',
  corrections:
    'no espera, espera, ups, perdón, perdona, perdone, disculpa, disculpe, lo siento, corrección, en realidad, mejor dicho, más bien, quise decir, quería decir, quiero decir, me equivoqué, me he equivocado, error mío, errata, eso no es cierto, eso es falso, he cambiado de opinión, cambié de opinión, hemos cambiado de opinión',
  no: 'no(?=\\s*[,.!;:…–—])',
  fillers:
    'bueno, pues, entonces, ah, oh, ay, vale, ok, okay, sí, claro, por cierto, a propósito, además, también, y, pero, o, hola, buenas, buenos días, buenas tardes, buenas noches, gracias, muchas gracias, genial, perfecto, estupendo, muy bien, sinceramente, la verdad, para ser sincero, para ser sincera, como dije, como he dicho, ahora, luego, por desgracia, desgraciadamente, por suerte, por supuesto, personalmente, por mi parte, actualización, un poco sobre mí, sobre mí, otra cosa, una cosa más, pd, primero, en primer lugar, porque, ya que, actualmente, en este momento',
  starter:
    'yo, me llamo, me gusta, me gustan, me encanta, me encantan, no me gusta, no me gustan, mi, mis, nuestro, nuestra, soy, estoy, tengo, vivo, trabajo, prefiero, odio, detesto, hablo, no como, no bebo, hemos, vamos a, por favor(?=\\W+\\p{L}), llámame, recuerda, no olvides, a partir de ahora, usa, utiliza, responde, ahora trabajo, ahora vivo',
  asking:
    'qué, que me, cuál, cuáles, cómo, dónde, adónde, quién, por qué, cuándo, cuánto, cuánta, debo, debería, puedo, puedes, podrías, hay, tienes, tiene, sabes',
  coordinators: 'y, e, pero, así que, además, también, pues, porque, sin embargo, por eso, aunque',
  tags: 'no, verdad, cierto, correcto, sí, vale, eh, a que sí, no es así, es así',
  dependentOpening:
    '(?:y |entonces )?(?:cuando (?:me )?(?:respondas|escribas|hables|contestes|expliques)|cada vez que (?:me )?\\p{L}+as|como \\p{L}+,)',
  condition: '(?:cuando|siempre que|cada vez que) (?:yo )?(?:\\p{L}+o|voy|estoy|me \\p{L}+o)\\b',
  adding: 'y',
  hedges:
    'creo, pienso, supongo, diría, me parece, quizás, quizá, tal vez, a lo mejor, probablemente, posiblemente, seguramente, que yo sepa, si mal no recuerdo, parece, imagino',
  doubted: 'quizás, quizá, tal vez, a lo mejor, posiblemente, no estoy seguro, no estoy segura, no sé si, puede que',
  hedged: 'creo, supongo, me parece, que yo sepa, imagino que',
  softened:
    'probablemente, seguramente, a veces, a menudo, normalmente, generalmente, más o menos, un poco, en este momento, suelo',
  emphasised: 'siempre, nunca, jamás, absolutamente, realmente, estrictamente, muchísimo',
  valueEnds:
    'y, pero, porque, desde, para, con, como, que, donde, mientras, ahora, actualmente, hasta, aunque, en lugar, por cierto, así',
  replaced: 'en lugar de|en vez de|y no|no',
  states:
    '\\b(?:es|son|está|están|era|eran|estaba|soy|estoy|será|ha|han|hay|tiene|tienen|puede|pueden|debe|deben|va|van|viene|empieza|termina|acaba|cierra|abre|cuesta|se llama|vive|trabaja|gusta|prefiere|odia|usa|sale|llega|necesita|quiere|vence|\\p{L}{3,}mos|\\p{L}{3,}[ae]n?)\\b',
  concrete: '\\b(?:yo|mi|mis|me|nos|nosotros|nuestr[oa]s?|el|la|los|las|él|ella)\\b',
  refused: [
    '^(?:de que tú|cuando |cómo |lo que |si |tú |usted |es (?:importante|normal)|cada uno|todo es |\\p{L}+(?:ar|er|ir)(?:me|te|lo|la)? )',
    '\\b(?:contraseña|aquí|arriba|abajo|est[ae] (?:frase|texto|párrafo|código|línea|función|archivo|respuesta|ejemplo))\\b',
  ],
  corrected:
    '(?:es|era|quise decir|quería decir|quiero decir|debería ser|son)?\\s*(?:en realidad |más bien |ahora )?(?<value>[\\p{L}\\p{N}][^,;]{0,60}?)(?:,? (?:y )?no (?<old>[^,;]{1,60}))?',
  swapped: '(?:no es|quise decir no|no) (?<old>[^,;]{1,60}?),? sino (?<value>[^,;]{1,60})',
  yes: 'sí, exacto, exactamente, correcto, eso es, así es, claro, por supuesto, efectivamente, es cierto, es verdad, cierto',
  aside:
    '^(?:entonces|así que|vale|ok|ya veo|de acuerdo)[,:]? |,? ¿?(?:verdad|no|correcto|cierto|es así|sí|es correcto)$',
  addressed:
    'eres|estás|vives|trabajas|tienes|prefieres|hablas|te|tu|odias|es usted|vive usted|usted|su|no comes|no bebes',
  toUsersVoice: (said) =>
    said
      .replace(toPattern(/\b(?:tú )?eres\b|\b(?:usted )?es usted\b/giu), 'soy')
      .replace(toPattern(/\bestás\b/giu), 'estoy')
      .replace(toPattern(/\btienes\b/giu), 'tengo')
      .replace(toPattern(/\bprefieres\b/giu), 'prefiero')
      .replace(toPattern(/\bte (llamas)\b/giu), 'me llamo')
      .replace(toPattern(/\bte (gustan?|encantan?)\b/giu), 'me $1')
      .replace(toPattern(/\b(viv|trabaj|habl|odi|com|beb)[ae]s\b/giu), '$1o')
      .replace(toPattern(/\btu\b/giu), 'mi'),
  turning: 'ya no, ahora, en su lugar, antes, actualmente, he cambiado',
  past: 'fue, fueron, era, eran, estaba, tenía, había, ayer, hace, desde, nací',
  hypothetical:
    'si viviera, si fuera, si tuviera, si yo, si mi, si nosotros, si vivo, si soy, si trabajo, si estoy, supongamos, supón, supongo que si, imagina, imaginemos, imagínate, digamos, pongamos, y si, por ejemplo, hipotéticamente, en teoría, me gustaría, ojalá, haz como si, hagamos como si, érase una vez, a menos que, quisiera',
  unmeant: [
    '^si [^.!?]{0,200}\\b\\p{L}+(?:ría|rías|ríamos|rían)\\b',
    '\\b(?:mi|el|la|nuestro|nuestra) (?:personaje|protagonista|héroe|heroína|novela|guion|narrador|narradora|avatar)\\b|\\ben (?:el|mi|este|un|la) (?:juego|novela|película|libro|sueño|cuento)\\b',
    '🙄|🙃|\\b(?:sí,? claro|claro que sí,? cómo no|lol|jaja\\p{L}*|ya,? claro|qué alegría|como si)\\b',
    '^(?:dicen|dice|cuentan|cuenta|dijo|dijeron) que\\b',
    '^(?:él|ella|ellos|alguien|la gente|(?:mi|mis|el|la|un|una) \\p{L}+|\\p{Lu}\\p{L}+) (?:me |nos )?(?:ha )?(?:dice|dicen|dijo|dicho|afirma|cree|piensa|cuenta|contó|escribió|preguntó|pregunta|respondió)\\b',
    '\\b(?:según (?:él|ella|mi|dicen)|supuestamente|al parecer)\\b',
  ],
  withdrawals:
    'olvídalo, olvida eso, olvida lo que he dicho, olvida lo que dije, ignora eso, borra eso, da igual, no importa, es broma, era broma, es una broma, era una broma, estoy bromeando, solo bromeaba, lo retiro, no recuerdes eso, mentí, no es verdad, te he mentido',
  playBegins:
    '\\b(?:juego de rol|juguemos a|juguemos|haz de cuenta|finge que|haz como si (?:fueras|yo)|ahora eres una?|actúa como|interpreta (?:a|el papel)|imagina que (?:eres|soy)|entrevista ficticia)\\b',
  playEnds:
    '\\b(?:(?:fin|termina|terminemos|basta) (?:del |de |el |con el )?(?:juego|juego de rol)|en la vida real|ahora en serio|volvamos a la realidad)\\b',
  calendar: [
    ['\\bpasado mañana\\b', 'the day after tomorrow'],
    ['\\b(?:anteayer|antes de ayer)\\b', 'the day before yesterday'],
    ['\\b(?:por|de) la mañana\\b', ''],
    ['\\bmañana\\b', 'tomorrow'],
    ['\\bayer\\b', 'yesterday'],
    ['\\bhoy\\b', 'today'],
    ['\\bhasta (?:el |la )?(?:final|finales|fin) de (?:la |el |este |esta )?', 'until end of '],
    ['\\b(?:a )?finales de\\b', 'end of'],
    ['\\bhasta (?:el |la )?', 'until '],
    ['\\b(?:la )?(?:semana que viene|próxima semana|semana próxima)\\b', 'next week'],
    ['\\b(?:el )?(?:mes que viene|próximo mes|mes próximo)\\b', 'next month'],
    ['\\b(?:el )?(?:año que viene|próximo año|año próximo)\\b', 'next year'],
    ['\\b(?:la )?semana pasada\\b', 'last week'],
    ['\\b(?:el )?mes pasado\\b', 'last month'],
    ['\\b(?:el )?año pasado\\b', 'last year'],
    ['\\besta semana\\b|\\btoda la semana\\b', 'this week'],
    ['\\beste mes\\b', 'this month'],
    ['\\beste año\\b', 'this year'],
    ['\\beste fin de semana\\b', 'this weekend'],
    ['\\bhace (\\p{L}+|\\d+) (día|semana|mes|año)(?:e?s)?\\b', '$1 $2 ago'],
    ['\\b(?:dentro de|en) (\\p{L}+|\\d+) (día|semana|mes|año)(?:e?s)?\\b', 'in $1 $2'],
    ['\\bl[oa]s próxim[oa]s (\\p{L}+|\\d+) (día|semana|mes|año)(?:e?s)?\\b', 'the next $1 $2'],
    ['\\buna?\\b', '1'],
    ['\\bdos\\b', '2'],
    ['\\btres\\b', '3'],
    ['\\bcuatro\\b', '4'],
    ['\\bcinco\\b', '5'],
    ['\\bdías?\\b', 'day'],
    ['\\bsemanas?\\b', 'week'],
    ['\\bmes(?:es)?\\b', 'month'],
    ['\\baños?\\b', 'year'],
    ['\\bpróximo (lunes|martes|miércoles|jueves|viernes|sábado|domingo)\\b', 'next $1'],
    ['\\b(lunes|martes|miércoles|jueves|viernes|sábado|domingo) pasado\\b', 'last $1'],
    ['\\bel (lunes|martes|miércoles|jueves|viernes|sábado|domingo)\\b', 'on $1'],
    ['\\ben\\b', 'in'],
    ['\\bdesde\\b', 'since'],
    ['\\b(\\d{1,2}) de\\b', '$1 of'],
    ['\\bde (\\d{4})\\b', '$1'],
    ['\\benero\\b', 'january'],
    ['\\bfebrero\\b', 'february'],
    ['\\bmarzo\\b', 'march'],
    ['\\babril\\b', 'april'],
    ['\\bmayo\\b', 'may'],
    ['\\bjunio\\b', 'june'],
    ['\\bjulio\\b', 'july'],
    ['\\bagosto\\b', 'august'],
    ['\\bseptiembre\\b', 'september'],
    ['\\boctubre\\b', 'october'],
    ['\\bnoviembre\\b', 'november'],
    ['\\bdiciembre\\b', 'december'],
    ['\\blunes\\b', 'monday'],
    ['\\bmartes\\b', 'tuesday'],
    ['\\bmiércoles\\b', 'wednesday'],
    ['\\bjueves\\b', 'thursday'],
    ['\\bviernes\\b', 'friday'],
    ['\\bsábado\\b', 'saturday'],
    ['\\bdomingo\\b', 'sunday'],
  ],
});
