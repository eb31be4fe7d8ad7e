/** Word lists for the rules. They need not be complete: a missing word costs a fact, but causes no mistake. */

const workRoleNames = `
  nurse doctor chef cook pilot student freelancer clerk judge coach priest pastor model athlete architect analyst surgeon
  vet lawyer paralegal solicitor barrister secretary ceo cto cfo coo pm dev devops sre sysadmin postdoc undergrad graduate
  intern apprentice trainee professor lecturer tutor mechanic plumber electrician carpenter farmer gardener florist butcher
  baker barber hairdresser stylist tailor seamstress engineer developer programmer designer manager director consultant
  contractor researcher scientist accountant bookkeeper auditor banker trader broker economist statistician mathematician
  physicist chemist biologist geologist psychologist psychiatrist therapist physiotherapist counsellor counselor midwife
  paramedic pharmacist dentist optician teacher educator librarian journalist reporter editor writer author novelist poet
  translator interpreter photographer videographer filmmaker illustrator animator painter sculptor artist musician singer
  composer producer guitarist pianist drummer violinist actor dancer comedian lifeguard firefighter officer detective
  soldier sailor veteran driver trucker courier cashier bartender waiter waitress barista receptionist assistant
  administrator technician operator builder roofer welder machinist surveyor planner strategist marketer copywriter
  salesperson realtor entrepreneur founder cofounder co-founder owner landlord politician diplomat translator astronomer
  radiologist cardiologist oncologist paediatrician pediatrician neurologist dermatologist anaesthetist veterinarian
  historian archaeologist anthropologist sociologist philosopher linguist curator conductor beekeeper winemaker brewer
  electrician tester architect recruiter trainer instructor nanny carer caregiver housekeeper cleaner janitor superviser
  supervisor specialist representative agent advisor adviser executive associate partner principal headteacher retiree
`;
const lifeRoles = `
  vegetarian vegan pescatarian diabetic coeliac celiac insomniac introvert extrovert native citizen resident expat immigrant
  refugee teenager pensioner parent mother father mom mum dad grandmother grandfather grandparent stepmother stepfather
  widow widower twin homeowner smoker non-smoker runner cyclist swimmer climber hiker morning-person speaker
`;
/** Final words of a description of what someone is. */
export const roles: ReadonlySet<string> = toSet(workRoleNames + lifeRoles);
/** What people do for a living. */
export const workRoles: ReadonlySet<string> = toSet(workRoleNames);

export const states = `
  vegan, vegetarian, pescatarian, flexitarian, celiac, coeliac, gluten[- ]free, dairy[- ]free, lactose[- ]intolerant,
  gluten[- ]intolerant, diabetic, prediabetic, asthmatic, epileptic, dyslexic, autistic, left[- ]handed, right[- ]handed,
  colou?r[- ]?blind, deaf, hard of hearing, blind, short[- ]sighted, near[- ]sighted, hearing[- ]impaired,
  visually[- ]impaired, in a wheelchair, a wheelchair user, pregnant, married, single, divorced, widowed, engaged, retired,
  self[- ]employed, unemployed, bilingual, trilingual, neurodivergent, an only child, teetotal
`;

export const conditions = `
  diabetes, asthma, adhd, add, autism, dyslexia, arthritis, epilepsy, migraines, chronic migraines?, celiac disease,
  coeliac disease, crohn's, crohn's disease, ibs, hypertension, high blood pressure, high cholesterol, low blood pressure,
  tinnitus, insomnia, eczema, psoriasis, a pacemaker, a heart condition, a bad back, a bad knee, bad knees, hay fever,
  endometriosis, lupus, anaemia, anemia, parkinson's, multiple sclerosis, vertigo, sleep apnea, scoliosis,
  hypothyroidism, colou?r blindness
`;

export const languages = `
  english, spanish, portuguese, french, german, italian, dutch, danish, swedish, norwegian, finnish, icelandic, polish,
  czech, slovak, hungarian, romanian, bulgarian, greek, turkish, russian, ukrainian, serbian, croatian, slovenian,
  albanian, arabic, hebrew, persian, farsi, urdu, hindi, bengali, punjabi, gujarati, marathi, tamil, telugu, kannada,
  malayalam, sinhala, nepali, chinese, mandarin, cantonese, japanese, korean, vietnamese, thai, lao, khmer, burmese,
  indonesian, malay, tagalog, filipino, swahili, amharic, yoruba, igbo, hausa, zulu, afrikaans, catalan, basque,
  galician, irish, welsh, scottish gaelic, estonian, latvian, lithuanian, georgian, armenian, latin, esperanto,
  sign language, asl, bsl
`;

export const nationalities = `
  american, british, english, scottish, welsh, irish, canadian, australian, german, austrian, swiss, french, italian,
  spanish, portuguese, dutch, belgian, danish, swedish, norwegian, finnish, icelandic, polish, czech, slovak, hungarian,
  romanian, bulgarian, greek, turkish, russian, ukrainian, serbian, croatian, slovenian, albanian, egyptian, moroccan,
  algerian, tunisian, nigerian, ghanaian, kenyan, ethiopian, south african, indian, pakistani, bangladeshi, sri lankan,
  nepali, chinese, taiwanese, japanese, korean, vietnamese, thai, indonesian, malaysian, filipino, singaporean, israeli,
  lebanese, syrian, iraqi, iranian, persian, afghan, brazilian, argentinian, chilean, peruvian, colombian, mexican, cuban,
  venezuelan, estonian, latvian, lithuanian, georgian, armenian
`;

export const people = `
  wife, husband, spouse, partner, fianc[ée]e?, boyfriend, girlfriend, mother, mom, mum, father, dad, brother, sister, son,
  daughter, kid, child, baby, toddler, twin, uncle, aunt, cousin, nephew, niece, grandmother, grandma, grandfather, grandpa,
  grandson, granddaughter, stepson, stepdaughter, stepmother, stepfather, mother-in-law, father-in-law, brother-in-law,
  sister-in-law, godson, goddaughter, boss, manager, supervisor, team lead, tech lead, director, colleague, co-?worker,
  co-?founder, business partner, assistant, mentor, advisor, adviser, teacher, tutor, professor, doctor, gp, dentist,
  therapist, physio, lawyer, solicitor, accountant, landlord, landlady, neighbou?r, roommate, flatmate, housemate, friend,
  best friend, coach, trainer, vet, nanny, babysitter, ex, ex-wife, ex-husband, editor, agent, contact person, intern
`;
export const animals = `
  dog, puppy, cat, kitten, horse, pony, parrot, budgie, rabbit, bunny, hamster, guinea pig, ferret, tortoise, turtle, snake,
  lizard, gecko, goldfish, fish, bird, chicken, goat, pet
`;
/** Only one at a time, so a new name replaces the old one. */
export const soleRoles: ReadonlySet<string> = toSet(
  'wife husband spouse partner fiancé fiancée boyfriend girlfriend mother mom mum father dad boss manager supervisor landlord landlady gp dentist therapist',
);

function toSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}
