import { Times } from './times.mjs';

/**
 * @typedef {object} Outcome
 * @property {string} operation
 * @property {number} tenant 0 is the busiest
 * @property {number} dueMs when it was meant to be sent, since the start of the measured time
 * @property {number} tookMs since it was meant to be sent
 * @property {'answered' | 'lost' | 'timed out'} how
 * @property {number} [status]
 * @property {boolean} [saysWhen] It has Retry-After.
 * @property {number} [bytes]
 */

/** Number of the busiest tenants that are counted apart from all others. */
const busiest = 1;

/** What came of the requests of one run. A run that refuses or fails some is not faster for it: only answers of success have times. */
export class Outcomes {
  #all = new Times();
  #shed = new Times();
  /** @type {Map<string, Times>} */
  #operations = new Map();
  /** @type {Map<number, { times: Times, refused: number, unanswered: number }>} */
  #intervals = new Map();
  #tenants = { busiest: { sent: 0, times: new Times() }, others: { sent: 0, times: new Times() } };
  /** @type {Record<string, number>} */
  #refused = {};
  #silentRefusals = 0;
  #lost = 0;
  #timedOut = 0;
  #bytes = 0;
  #intervalMs;

  /** @param {number} intervalMs of the times over time */
  constructor(intervalMs) {
    this.#intervalMs = intervalMs;
  }

  /** @param {Outcome} outcome */
  add({ operation, tenant, dueMs, tookMs, how, status = 0, saysWhen = false, bytes = 0 }) {
    const group = tenant < busiest ? this.#tenants.busiest : this.#tenants.others;
    const interval = this.#intervalAt(dueMs);
    group.sent += 1;
    this.#bytes += bytes;
    if (how !== 'answered') {
      interval.unanswered += 1;
      if (how === 'lost') this.#lost += 1;
      else this.#timedOut += 1;
    } else if (status >= 200 && status < 300) {
      for (const times of [this.#all, this.#timesOf(operation), interval.times, group.times]) times.add(tookMs);
    } else {
      interval.refused += 1;
      this.#refused[status] = (this.#refused[status] ?? 0) + 1;
      if (status === 429 || status === 503) {
        this.#shed.add(tookMs);
        if (!saysWhen) this.#silentRefusals += 1;
      }
    }
  }

  summarise() {
    const share = (/** @type {{ sent: number, times: Times }} */ { sent, times }) => ({
      sent,
      succeeded: times.count,
      times: times.summarise(),
    });
    return {
      succeeded: this.#all.summarise(),
      operations: Object.fromEntries([...this.#operations].map(([name, times]) => [name, times.summarise()])),
      refusedByStatus: this.#refused,
      shed: this.#shed.summarise(),
      shedWithoutRetryAfter: this.#silentRefusals,
      lost: this.#lost,
      timedOut: this.#timedOut,
      bytesReceived: this.#bytes,
      busiestTenant: share(this.#tenants.busiest),
      otherTenants: share(this.#tenants.others),
      intervals: [...this.#intervals]
        .sort(([one], [other]) => one - other)
        .map(([number, { times, refused, unanswered }]) => {
          const { count, p50, p99 } = times.summarise();
          return { atSeconds: (number * this.#intervalMs) / 1000, succeeded: count, p50, p99, refused, unanswered };
        }),
    };
  }

  /** @param {string} operation */
  #timesOf(operation) {
    const found = this.#operations.get(operation) ?? new Times();
    this.#operations.set(operation, found);
    return found;
  }

  /** @param {number} dueMs */
  #intervalAt(dueMs) {
    const number = Math.floor(dueMs / this.#intervalMs);
    const found = this.#intervals.get(number) ?? { times: new Times(), refused: 0, unanswered: 0 };
    this.#intervals.set(number, found);
    return found;
  }
}

/** @typedef {ReturnType<Outcomes['summarise']>} OutcomesSummary */
