/** Word lists of the French rules. A missing word costs a fact, but causes no mistake. */

export const states = `
  végane?, végan(?:e)?, végétarien(?:ne)?, végétalien(?:ne)?, pescétarien(?:ne)?, flexitarien(?:ne)?, diabétique, asthmatique,
  épileptique, dyslexique, autiste, cœliaque, coeliaque, gauch(?:er|ère), droiti(?:er|ère), daltonien(?:ne)?, sourde?,
  malentendante?, aveugle, malvoyante?, myope, enceinte, mariée?, célibataire, divorcée?, veu(?:f|ve), fiancée?, pacsée?,
  retraitée?, à la retraite, au chômage, à mon compte, indépendante?, bilingue, intolérante? au (?:lactose|gluten),
  non-fumeu(?:r|se), fumeu(?:r|se), en fauteuil roulant, fil(?:s|le) unique
`;

export const conditions = `
  du diabète, de l'asthme, de l'épilepsie, des migraines, la maladie de crohn, la maladie cœliaque, de l'hypertension,
  de l'arthrose, des acouphènes, de l'eczéma, un pacemaker, une scoliose, le rhume des foins, une sclérose en plaques,
  un tdah, une endométriose, la goutte, de la tension
`;

export const languages = `
  français, anglais, allemand, espagnol, italien, portugais, néerlandais, danois, suédois, norvégien, finnois, islandais,
  polonais, tchèque, slovaque, hongrois, roumain, bulgare, grec, turc, kurde, russe, ukrainien, serbe, croate, slovène,
  albanais, arabe, hébreu, persan, ourdou, hindi, tamoul, chinois, mandarin, japonais, coréen, vietnamien, thaï, indonésien,
  swahili, wolof, berbère, catalan, basque, breton, occitan, corse, irlandais, latin, espéranto, langue des signes
`;

export const nationalities = `
  française?, belge, suisse, allemande?, italien(?:ne)?, espagnole?, portugaise?, polonaise?, grecque?, turc, turque, russe,
  ukrainien(?:ne)?, britannique, anglaise?, irlandaise?, danoise?, suédoise?, norvégien(?:ne)?, américaine?, canadien(?:ne)?,
  québécoise?, brésilien(?:ne)?, mexicaine?, marocaine?, algérien(?:ne)?, tunisien(?:ne)?, sénégalaise?, ivoirien(?:ne)?,
  camerounaise?, libanaise?, indien(?:ne)?, chinoise?, japonaise?, vietnamien(?:ne)?
`;

export const people = `
  femme, mari, époux, épouse, conjoint, conjointe, compagnon, compagne, fiancé, fiancée, copain, copine, petit ami,
  petite amie, mère, maman, père, papa, frère, sœur, soeur, fils, fille, enfant, bébé, oncle, tante, cousin, cousine, neveu,
  nièce, grand-mère, mamie, grand-père, papi, petit-fils, petite-fille, belle-mère, beau-père, beau-frère, belle-sœur,
  filleul, filleule, patron, patronne, chef, cheffe, manager, responsable, supérieur, supérieure, collègue, associé,
  associée, assistant, assistante, mentor, professeur, professeure, prof, médecin, médecin traitant, dentiste, thérapeute,
  psy, avocat, avocate, comptable, propriétaire, voisin, voisine, colocataire, coloc, ami, amie, meilleur ami,
  meilleure amie, entraîneur, entraîneuse, vétérinaire, ex, chien, chienne, chat, chatte, cheval, perroquet, lapin, hamster,
  cochon d'inde, tortue, poisson rouge, chiot, chaton
`;

export const soleRoles = `
  femme mari époux épouse conjoint conjointe compagnon compagne fiancé fiancée mère maman père papa patron patronne chef
  cheffe manager responsable propriétaire dentiste thérapeute
`;

export const workRoles = `
  étudiante?, élève, lycéen(?:ne)?, enseignante?, professeure?, prof, instituteur, institutrice, médecin, docteure?,
  infirmi(?:er|ère), aide-soignante?, sage-femme, chirurgien(?:ne)?, dentiste, vétérinaire, pharmacien(?:ne)?, psychologue,
  psychiatre, kiné, kinésithérapeute, orthophoniste, avocate?, juriste, notaire, juge, ingénieure?, développeu(?:r|se),
  programmeu(?:r|se), informaticien(?:ne)?, designer, graphiste, architecte, électricien(?:ne)?, plombi(?:er|ère),
  menuisi(?:er|ère), mécanicien(?:ne)?, maçon(?:ne)?, boulang(?:er|ère), pâtissi(?:er|ère), bouch(?:er|ère), cuisini(?:er|ère),
  serveu(?:r|se), coiffeu(?:r|se), vendeu(?:r|se), commerciale?, comptable, consultante?, cadre, chef de projet,
  cheffe de projet, chercheu(?:r|se), scientifique, physicien(?:ne)?, chimiste, biologiste, journaliste, rédact(?:eur|rice),
  écrivaine?, aut(?:eur|rice|eure), traduct(?:eur|rice), interprète, photographe, artiste, musicien(?:ne)?, chant(?:eur|euse),
  act(?:eur|rice), comédien(?:ne)?, danseu(?:r|se), polici(?:er|ère), gendarme, pompi(?:er|ère), militaire, soldate?,
  chauffeu(?:r|se), pilote, agricult(?:eur|rice), jardini(?:er|ère), éducat(?:eur|rice), bibliothécaire, secrétaire, assistante?,
  gérante?, direct(?:eur|rice), entrepreneu(?:r|se), fondat(?:eur|rice), freelance, auto-entrepreneu(?:r|se), fonctionnaire,
  doctorante?, stagiaire, apprentie?, retraitée?, analyste, banqui(?:er|ère), courti(?:er|ère), agent immobilier
`;

export const stopWords = `
  a à au aux avec ce ces cet cette ceci cela ça comme dans de des du elle elles en est et eux il ils je la le les leur leurs lui
  ma mais me même mes moi mon ne nos notre nous on ou où par pas pour qu que qui sa sans se ses si son sont sur ta te tes toi
  ton tu un une vos votre vous c' d' j' l' m' n' s' t' qu' y été être suis es sommes êtes ai as avons avez ont avoir fait faire plus très
  trop bien aussi alors donc car quand comment pourquoi quel quelle quels quelles tout tous toute toutes rien peu oui non merci
  bonjour salut svp jamais toujours aime préfère
`;

export const marks = `
  utilisons prenons gardons choisissons adoptons reportons partons restons utilise garde appelez tutoie vouvoie étudie joue
  mesure porte évite souffre née né originaire apprends enfants note mari femme anniversaire préféré préférée appelle-moi
  je habite appelle vis viens travaille parle déteste adore réponds désormais
  dorénavant souviens oublie retiens rappelle pardon depuis chez maintenant décidé choisi allons plaît jusqu mange bois
  peut-être voudrais aimerais ans
`;
