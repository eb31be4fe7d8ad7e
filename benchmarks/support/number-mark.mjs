/** Placeholder in a request for a number that no other request has. */
export const numberMark = '#unique-number#';
