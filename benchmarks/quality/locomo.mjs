const adversarial = 5;

/**
 * Reads the conversations of LoCoMo (Maharana et al., ACL 2024) and the questions whose evidence is among their turns.
 * @param {any[]} data
 * @returns {import('./data-set.mjs').Conversation[]}
 */
export function readLocomo(data) {
  return data.map((/** @type {any} */ entry, /** @type {number} */ number) => {
    const turns = readTurns(entry.conversation);
    const known = new Set(turns.map(({ id }) => id));
    const questions = entry.qa
      .filter((/** @type {any} */ { category }) => category !== adversarial)
      .map((/** @type {any} */ { question, evidence }) => ({
        text: String(question),
        evidence: readEvidence(evidence).filter((id) => known.has(id)),
      }))
      .filter((/** @type {import('./data-set.mjs').Question} */ { evidence }) => evidence.length > 0);
    return { id: `locomo-${number + 1}`, evidenceOf: 'turn', turns, questions };
  });
}

/** @param {any} conversation @returns {import('./data-set.mjs').Turn[]} */
function readTurns(conversation) {
  const sessions = Object.keys(conversation).filter((key) => /^session_\d+$/.test(key));
  return sessions.flatMap((session) => {
    const at = readDate(conversation[`${session}_date_time`]);
    return conversation[session].map((/** @type {any} */ turn, /** @type {number} */ place) => ({
      id: normalId(turn.dia_id),
      session,
      // Turns have no timestamps; spacing them a second apart keeps their order.
      at: new Date(at + place * 1000),
      text: `${turn.speaker}: ${turn.text}${turn.blip_caption ? ` [shares a photo: ${turn.blip_caption}]` : ''}`,
    }));
  });
}

/** Parses a date such as "1:56 pm on 8 May, 2023". @param {string} text */
function readDate(text) {
  const match = /(\d+):(\d+) (am|pm) on (\d+) (\w+), (\d+)/.exec(text);
  if (match === null) throw new Error(`not a session date: ${text}`);
  const [, hour, minute, half, day, month, year] = match;
  const hours = (Number(hour) % 12) + (half === 'pm' ? 12 : 0);
  return Date.parse(`${day} ${month} ${year} ${hours}:${minute} UTC`);
}

/** @param {unknown} evidence @returns {string[]} */
function readEvidence(evidence) {
  const found = JSON.stringify(evidence ?? []).match(/D\d+:\d+/g) ?? [];
  return [...new Set(found.map(normalId))];
}

/** Removes leading zeros: D1:03 becomes D1:3. @param {string} id */
function normalId(id) {
  return id.replace(/^D0*(\d+):0*(\d+)$/, 'D$1:$2');
}
