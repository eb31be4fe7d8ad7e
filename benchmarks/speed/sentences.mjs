/** Memories and questions that read like notes about people. The same number gives the same text on every machine. */

const people =
  'Anna Ben Carla David Elena Farid Grace Hiro Ines Jonas Karim Lena Marco Nadia Oscar Priya Quentin Rosa Samir Tessa Umar Vera Walter Ximena Yuki Zoe Amir Bianca Cedric Dana Emil Fiona Gustav Hanna Ivan Julia Klaus Lucia Mina Noah'.split(
    ' ',
  );
const places =
  'Lisbon Oslo Nairobi Kyoto Denver Leipzig Porto Cusco Bergen Tallinn Seville Quebec Hanoi Krakow Bristol Ghent Turin Malmo Split Galway Austin Perth Dakar Lima Riga Zadar Bilbao Cork Utrecht Basel'.split(
    ' ',
  );
const things =
  'piano|mountain bike|espresso machine|old camera|sailing boat|telescope|sewing machine|vinyl collection|chess set|tent|kayak|greenhouse|typewriter|drone|violin|standing desk|bread oven|record player|garden shed|motorbike|sketchbook|wood stove|electric car|guitar|beehive|aquarium'.split(
    '|',
  );
const activities =
  'hiking|baking bread|learning Portuguese|painting with watercolours|playing chess|running half marathons|gardening|climbing|restoring furniture|singing in a choir|writing short stories|volunteering at the shelter|practising yoga|repairing bicycles|watching birds|playing the cello|swimming in the lake|brewing beer|studying statistics|photographing insects|knitting|fencing|rowing|learning to code'.split(
    '|',
  );
const foods =
  'lentil soup|sushi|dark chocolate|mango|sourdough|pad thai|tomato salad|goat cheese|oat porridge|mushroom risotto|falafel|apple pie|green curry|pancakes|grilled fish|dumplings|peanut butter|rye bread|olives|ramen'.split(
    '|',
  );
const work =
  'the budget for the new office|the migration of the billing service|an interview with the local paper|a workshop on accessibility|the contract with the supplier|the annual report|a talk about bridges|the hiring plan|the release of the mobile app|a grant for the museum|the design of the school library|the audit of the warehouse|a study on sleep|the renovation of the kitchen'.split(
    '|',
  );
const months = 'January February March April May June July August September October November December'.split(' ');
const days = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ');
const moods = 'happy|nervous|relieved|tired|proud|curious|a little sad|excited|calm|annoyed'.split('|');

/** @typedef {(pick: (list: string[]) => string, number: (below: number) => number) => string} Template */

/** @type {Template[]} */
const memories = [
  (pick, number) =>
    `${pick(people)} moved to ${pick(places)} in ${pick(months)} ${2005 + number(20)} and started ${pick(activities)}.`,
  (pick) => `${pick(people)} is allergic to ${pick(foods)} but loves ${pick(foods)}.`,
  (pick, number) =>
    `On ${pick(days)} ${pick(people)} and ${pick(people)} meet at ${7 + number(13)}:${10 + number(50)} to talk about ${pick(work)}.`,
  (pick, number) =>
    `${pick(people)} bought a ${pick(things)} for ${20 + number(4000)} euros from a neighbour in ${pick(places)}.`,
  (pick) => `I was ${pick(moods)} when ${pick(people)} told me about ${pick(work)} over ${pick(foods)}.`,
  (pick, number) =>
    `${pick(people)}'s daughter turned ${3 + number(20)} in ${pick(months)}; she wants a ${pick(things)} and dreams of ${pick(activities)}.`,
  (pick) =>
    `For the trip to ${pick(places)} we need the ${pick(things)}, some ${pick(foods)} and a map that ${pick(people)} drew.`,
  (pick, number) =>
    `The user prefers ${pick(foods)} for lunch, works from ${pick(places)} on ${pick(days)}s and finishes before ${14 + number(6)}:00.`,
  (pick) =>
    `${pick(people)} gave up ${pick(activities)} because of an injury and now spends every ${pick(days)} ${pick(activities)}.`,
  (pick, number) =>
    `Remind ${pick(people)} to send ${pick(work)} by the ${1 + number(28)}th of ${pick(months)}; ${pick(people)} will review it.`,
];

/** @type {Template[]} */
const questions = [
  (pick) => `When did ${pick(people)} move to ${pick(places)}?`,
  (pick) => `Who is allergic to ${pick(foods)}?`,
  (pick) => `What do ${pick(people)} and ${pick(people)} discuss on ${pick(days)}?`,
  (pick) => `How much did ${pick(people)} pay for the ${pick(things)}?`,
  (pick) => `Who told me about ${pick(work)}?`,
  (pick) => `What does ${pick(people)}'s daughter want for her birthday?`,
  (pick) => `What should we take along to ${pick(places)}?`,
  (pick) => `Why did ${pick(people)} stop ${pick(activities)}?`,
];

/** @param {number} index */
export function memoryText(index) {
  return fill(memories, index);
}

/** @param {number} index */
export function questionText(index) {
  return fill(questions, 0x5eed_0000 + index);
}

/**
 * @param {Template[]} templates
 * @param {number} seed
 */
function fill(templates, seed) {
  const random = randomNumbers(seed);
  const number = (/** @type {number} */ below) => Math.floor(random() * below);
  const pick = (/** @type {string[]} */ list) => list[number(list.length)] ?? '';
  return templates[number(templates.length)]?.(pick, number) ?? '';
}

/**
 * Mulberry32: small, fast, and the same everywhere.
 * @param {number} seed
 * @returns {() => number} 0 … 1
 */
export function randomNumbers(seed) {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
