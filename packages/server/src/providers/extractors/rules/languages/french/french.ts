import { toPattern } from '../../phrases.js';
import type { Language } from '../language.js';
import { toLanguage } from '../to-language.js';
import { circumstanceRules, decisionRules } from './french-decision-rules.js';
import { identityRules } from './french-identity-rules.js';
import { orderRules, tasteRules } from './french-preference-rules.js';
import { relationshipRules } from './french-relationship-rules.js';
import { marks, soleRoles, stopWords } from './french-words.js';

export const french: Language = toLanguage({
  code: 'fr',
  marks,
  stopWords,
  soleRoles,
  rules: [...circumstanceRules, ...relationshipRules, ...identityRules, ...orderRules, ...tasteRules, ...decisionRules],
  polite: "s'il te plaît, s'il vous plaît, stp, svp, et, alors, aussi, bien, toujours, donc",
  askingYou:
    'peux-tu, pourrais-tu, tu peux, pouvez-vous, pourriez-vous, veux-tu, est-ce que tu peux, je voudrais que tu',
  remember:
    "souviens-toi, souvenez-vous, te souvenir, te rappeler, rappelle-toi, rappelez-vous, retiens, retenez, retenir, note, notez, noter, garde en tête, garde à l'esprit, gardez à l'esprit, n'oublie pas, n'oubliez pas, ne pas oublier, mémorise, mémorisez, enregistre, prends note, prenez note",
  that: "que|qu'",
  notes: 'pour plus tard, pour la suite, pour mémoire, note pour moi, important, à retenir, pour info à garder, rappel',
  mentions: 'pour info, pour information, juste pour info, fyi, sache, sachez, à titre indicatif, pour que tu saches',
  corrections:
    "non attends, attends, oups, pardon, désolé, désolée, excuse-moi, excusez-moi, correction, en fait, enfin, plutôt, je voulais dire, je veux dire, je me suis trompé, je me suis trompée, faute de frappe, erreur de ma part, c'est faux, ce n'est pas vrai, j'ai changé d'avis, on a changé d'avis, finalement",
  no: 'non(?=\\s*[,.!;:…–—])',
  fillers:
    "ben, eh bien, bon, alors, ah, oh, ok, okay, d'accord, oui, ouais, au fait, d'ailleurs, en passant, en plus, aussi, et, mais, ou, or, bonjour, salut, coucou, bonsoir, hello, merci, merci beaucoup, super, parfait, génial, très bien, honnêtement, franchement, pour être honnête, comme je l'ai dit, comme dit, maintenant, ensuite, malheureusement, heureusement, bien sûr, évidemment, personnellement, pour ma part, petite info, mise à jour, un peu sur moi, à propos de moi, autre chose, encore une chose, ps, d'abord, premièrement, deuxièmement, car, parce que, puisque, actuellement, en ce moment, moi",
  starter:
    "je, j', moi, mon, ma, mes, nous, notre, nos, on a, s'il te plaît(?=\\W+\\p{L}), appelle-moi, souviens-toi, n'oublie pas, désormais, dorénavant, utilise, réponds",
  asking:
    "que, qu'est-ce, quoi, quel, quelle, quels, quelles, comment, où, qui, pourquoi, quand, est-ce, dois-je, puis-je, peux-tu, pourrais-tu, pouvez-vous, y a-t-il, as-tu, avez-vous, combien, tu me conseilles",
  coordinators: 'et, mais, donc, alors, aussi, car, puis, cependant, pourtant, parce que',
  tags: "n'est-ce pas, non, oui, pas vrai, c'est ça, d'accord, hein, correct, c'est bien ça",
  dependentOpening: '(?:et |alors |donc )?(?:quand (?:tu|vous)|lorsque (?:tu|vous)|chaque fois que tu|en tant que?)\\b',
  condition: "(?:quand|lorsque|chaque fois que|lorsqu'|chaque fois qu') ?(?:je|j')",
  adding: 'et',
  hedges:
    'je pense, je crois, je suppose, je dirais, il me semble, peut-être, probablement, sans doute, sûrement, si je me souviens bien, autant que je sache, apparemment, on dirait',
  doubted: 'peut-être, pas sûr, pas sûre, pas certain, pas certaine, il se peut, je ne sais pas',
  hedged: 'je pense, je crois, je suppose, il me semble, autant que je sache',
  softened:
    'probablement, sans doute, parfois, souvent, en général, généralement, plutôt, un peu, plus ou moins, en ce moment, quelquefois',
  emphasised: 'toujours, jamais, absolument, vraiment, strictement, énormément, surtout pas',
  valueEnds:
    "et, mais, car, parce, depuis, pour, avec, comme, qui, où, pendant, maintenant, en ce moment, actuellement, au fait, jusqu'à, plutôt, bien que, donc",
  replaced: "au lieu de|au lieu d'|plutôt que|et pas|et non|pas",
  states:
    "\\b(?:est|sont|était|étaient|suis|sera|seront|a|ont|avait|aura|peut|peuvent|doit|doivent|faut|va|vont|vient|commence|finit|ferme|ouvre|coûte|s'appelle|habite|travaille|aime|préfère|déteste|utilise|part|arrive|se trouve|fait|veut|\\p{L}+ent)\\b|c'est|j'ai",
  concrete: "\\b(?:je|moi|mon|ma|mes|nous|notre|nos|le|la|les|il|elle|on)\\b|\\b(?:j|l|m)'",
  refused: [
    "^(?:de |d'|quand |comment |ce que |si |tu |vous |il est (?:important|normal)|c'est (?:important|normal|la vie)|chacun|tout est )",
    '\\b(?:mot de passe|ici|ci-dessus|ci-dessous|(?:ce|cette|ces) (?:phrase|texte|paragraphe|code|ligne|fonction|fichier|réponse|exemple))\\b',
  ],
  corrected:
    "(?:c'est|c'était|il s'agit de|je voulais dire|je veux dire|ce devrait être)?\\s*(?:en fait |plutôt |maintenant )?(?<value>[\\p{L}\\p{N}][^,;]{0,60}?)(?:,? (?:et )?(?:pas|non) (?<old>[^,;]{1,60}))?",
  swapped: "(?:ce n'est |c'est |je voulais dire )?pas (?<old>[^,;]{1,60}?),? mais (?<value>[^,;]{1,60})",
  yes: "oui, exactement, exact, c'est ça, tout à fait, correct, c'est exact, c'est juste, absolument, c'est vrai, voilà",
  aside:
    "^(?:donc|alors|ok|d'accord|je vois|si je comprends bien)[,:]? |,? (?:n'est-ce pas|c'est bien ça|c'est ça|correct|non|oui|pas vrai|c'est exact)$",
  addressed: "tu|vous|ton|ta|votre|t'",
  toUsersVoice: (said) =>
    said
      .replace(toPattern(/\btu (?:es|t'es)\b|\bvous êtes\b/giu), 'je suis')
      .replace(toPattern(/\btu as\b|\bvous avez\b/giu), "j'ai")
      .replace(toPattern(/\btu t'appelles\b|\bvous vous appelez\b/giu), "je m'appelle")
      .replace(toPattern(/\btu habites\b|\bvous habitez\b/giu), "j'habite")
      .replace(toPattern(/\btu aimes\b|\bvous aimez\b/giu), "j'aime")
      .replace(toPattern(/\btu vis\b|\bvous vivez\b/giu), 'je vis')
      .replace(toPattern(/\btu (\p{L}+e)s\b/giu), 'je $1')
      .replace(toPattern(/\bvous (\p{L}+)ez\b/giu), 'je $1e')
      .replace(toPattern(/\b(?:ton|votre)\b/giu), 'mon')
      .replace(toPattern(/\bta\b/giu), 'ma'),
  turning:
    'ne plus, n plus, plus chez, plus à, plus de, maintenant, désormais, à la place, auparavant, avant, finalement',
  past: "était, étaient, avait, avaient, a été, hier, il y a, depuis, j'ai été, suis allé, suis allée",
  hypothetical:
    "si j'étais, si j'avais, si j'habitais, si je, si nous, si mon, si ma, si on, supposons, suppose, supposez, imagine, imaginons, imaginez, disons, admettons, et si, par exemple, hypothétiquement, en théorie, j'aimerais, si seulement, fais comme si, faisons comme si, il était une fois, à moins que",
  unmeant: [
    "^si (?:je|j'|nous|on|mon|ma)[^.!?]{0,200}\\b\\p{L}+(?:rais|rait|rions|raient)\\b",
    '\\b(?:mon|ma|le|la|notre) (?:personnage|protagoniste|héros|héroïne|roman|histoire|scénario|narrateur|narratrice|avatar)\\b|\\bdans (?:le|mon|ce|un) (?:jeu|roman|film|livre|rêve|histoire)\\b',
    "🙄|🙃|\\b(?:ben voyons|mais bien sûr|c'est ça,? oui|lol|mdr|ptdr|haha|tu parles|quelle joie)\\b",
    "^(?!je\\b|j')(?:il|elle|ils|elles|quelqu'un|on|les gens|(?:mon|ma|mes|le|la|un|une) \\p{L}+|\\p{Lu}\\p{L}+) (?:m'a |a |me |nous a )?(?:dit|disent|prétend|pense|croit|raconte|raconté|écrit|affirme|demande|demandé|répondu|répète)\\b",
    '\\b(?:paraît-il|soi-disant|il paraît que|selon (?:lui|elle|mon|ma))\\b',
  ],
  withdrawals:
    "oublie ça, oublie, oublie ce que j'ai dit, oublie ce que je viens de dire, laisse tomber, ignore ça, ignore ce que j'ai dit, efface ça, annule ça, peu importe, je plaisante, je rigole, je plaisantais, je rigolais, c'était une blague, c'est une blague, pour rire, je retire ce que j'ai dit, ne retiens pas ça, j'ai menti, ce n'est pas vrai du tout",
  playBegins:
    '\\b(?:jeu de rôle|jouons (?:à|au|une)|faisons (?:un jeu|comme si)|fais comme si (?:tu|j)|tu es maintenant une?|joue le rôle|imagine que (?:tu es|je suis)|entretien fictif)\\b',
  playEnds:
    '\\b(?:(?:fin|arrête|arrêtons|stop) (?:du |le |au )?(?:jeu|jeu de rôle)|dans la vraie vie|sérieusement maintenant|retour à la réalité)\\b',
  calendar: [
    ['\\baprès-demain\\b', 'the day after tomorrow'],
    ['\\bavant-hier\\b', 'the day before yesterday'],
    ['\\bdemain\\b', 'tomorrow'],
    ['\\bhier\\b', 'yesterday'],
    ["\\baujourd'hui\\b", 'today'],
    ["\\bjusqu'(?:à |au |en )(?:la )?fin (?:de |du |d')?(?:la |l')?", 'until end of '],
    ['\\bfin (janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)\\b', 'end of $1'],
    ["\\bjusqu'(?:à|au|en) ?(?:ce |le )?", 'until '],
    ['\\b(?:la |cette )?semaine prochaine\\b', 'next week'],
    ['\\b(?:le )?mois prochain\\b', 'next month'],
    ["\\b(?:l')?année prochaine\\b|\\bl'an prochain\\b", 'next year'],
    ['\\b(?:la )?semaine dernière\\b', 'last week'],
    ['\\b(?:le )?mois dernier\\b', 'last month'],
    ["\\b(?:l')?année dernière\\b|\\bl'an dernier\\b", 'last year'],
    ['\\bcette semaine\\b|\\btoute la semaine\\b', 'this week'],
    ['\\bce mois-ci\\b', 'this month'],
    ['\\bcette année\\b', 'this year'],
    ['\\bce week-end\\b', 'this weekend'],
    ['\\bil y a (\\p{L}+|\\d+) (jour|semaine|mois|an|année)s?\\b', '$1 $2 ago'],
    ['\\bdans (\\p{L}+|\\d+) (jour|semaine|mois|an|année)s?\\b', 'in $1 $2'],
    ['\\b(?:les )?(\\p{L}+|\\d+) prochain(?:e)?s (jour|semaine|mois|an)s?\\b', 'the next $1 $2'],
    ['\\bprochain(?:e)?s (\\p{L}+|\\d+) (jour|semaine|mois|an)s?\\b', 'the next $1 $2'],
    ['\\bune?\\b', '1'],
    ['\\bdeux\\b', '2'],
    ['\\btrois\\b', '3'],
    ['\\bquatre\\b', '4'],
    ['\\bcinq\\b', '5'],
    ['\\bjours?\\b', 'day'],
    ['\\bsemaines?\\b', 'week'],
    ['\\bmois\\b', 'month'],
    ['\\b(?:ans?|années?)\\b', 'year'],
    ['\\b(lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche) prochain\\b', 'next $1'],
    ['\\b(lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche) dernier\\b', 'last $1'],
    ['\\ben\\b', 'in'],
    ['\\bdepuis\\b', 'since'],
    ['\\b1er\\b', '1'],
    ['\\bjanvier\\b', 'january'],
    ['\\bfévrier\\b', 'february'],
    ['\\bmars\\b', 'march'],
    ['\\bavril\\b', 'april'],
    ['\\bmai\\b', 'may'],
    ['\\bjuin\\b', 'june'],
    ['\\bjuillet\\b', 'july'],
    ['\\baoût\\b', 'august'],
    ['\\bseptembre\\b', 'september'],
    ['\\boctobre\\b', 'october'],
    ['\\bnovembre\\b', 'november'],
    ['\\bdécembre\\b', 'december'],
    ['\\blundi\\b', 'monday'],
    ['\\bmardi\\b', 'tuesday'],
    ['\\bmercredi\\b', 'wednesday'],
    ['\\bjeudi\\b', 'thursday'],
    ['\\bvendredi\\b', 'friday'],
    ['\\bsamedi\\b', 'saturday'],
    ['\\bdimanche\\b', 'sunday'],
  ],
});
