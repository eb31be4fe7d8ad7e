import { type EachOptions, eachItem, type PageOptions, pageOf, type UserOptions, userOf } from './client-area.js';
import { FactsClient } from './facts-client.js';
import type { RecordState, RecordStates } from './generated/operations.js';

export interface OffTheRecordOptions extends UserOptions {
  /** When the session is on the record again by itself. Default: when `goOnTheRecord` is called. */
  until?: Date;
}

/** Calls about sessions of which nothing is stored for a while. */
export class OffTheRecordClient extends FactsClient {
  /** Takes a session off the record: nothing that comes from it is stored, through any surface that names it. */
  goOffTheRecord(sessionId: string, options: OffTheRecordOptions = {}): Promise<RecordState> {
    const body = { until: options.until?.toISOString(), ...userOf(options) };
    return this.answer('offTheRecord.start', { path: { session_id: sessionId }, body }, options);
  }

  /** Puts a session on the record again. */
  async goOnTheRecord(sessionId: string, options: UserOptions = {}): Promise<void> {
    await this.answer('offTheRecord.end', { path: { session_id: sessionId }, query: userOf(options) }, options);
  }

  /** Says whether a session is off the record. */
  getRecordState(sessionId: string, options: UserOptions = {}): Promise<RecordState> {
    return this.answer('offTheRecord.get', { path: { session_id: sessionId }, query: userOf(options) }, options);
  }

  /** Returns one page of the sessions that are off the record, ordered by id. */
  listOffTheRecord(options: PageOptions = {}): Promise<RecordStates> {
    return this.answer('offTheRecord.list', { path: {}, query: pageOf(options) }, options);
  }

  /** Yields all sessions that are off the record, ordered by id. */
  allOffTheRecord(options: EachOptions = {}): AsyncGenerator<RecordState, void, undefined> {
    return eachItem(
      (page) => this.listOffTheRecord({ ...options, ...page }),
      ({ sessions }) => sessions,
    );
  }
}
