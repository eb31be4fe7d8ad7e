/** An answer that is an error of the contract. */
export class Refusal extends Error {
  /** @param {number} status @param {'bad_request' | 'not_found' | 'forbidden' | 'internal' | 'unavailable'} code @param {string} message */
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}
