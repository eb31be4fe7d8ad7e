import { Problem } from '@memhall/core';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { OffTheRecord } from '../ports/off-the-record.js';

/** In requests: store nothing of this call. In responses: whether that was done, `true` or `partly`. */
export const offTheRecordHeader = 'off-the-record';

/** For bodies in which it is natural; the header works with every call. */
export const offTheRecordField = {
  off_the_record: Type.Optional(
    Type.Boolean({ description: 'True: store nothing of this call, as with the header Off-The-Record' }),
  ),
};

export const offTheRecordParameter = {
  name: 'Off-The-Record',
  in: 'header',
  required: false,
  description: 'If `true`, nothing that the call brings is stored. The response then has the same header.',
  schema: { type: 'string', enum: ['true', 'false'] },
};

/** Returns what a request says about it. Throws INVALID_REQUEST. */
export function readOffTheRecord(request: Pick<FastifyRequest, 'headers' | 'body'>): OffTheRecord {
  const body = request.body as { off_the_record?: unknown } | null | undefined;
  const isAsked = asksOffTheRecord(request.headers) || body?.off_the_record === true;
  return { isAsked, unstored: 'nothing' };
}

/** Can be asked before the body is read. Throws INVALID_REQUEST. */
export function asksOffTheRecord(headers: FastifyRequest['headers']): boolean {
  const said = headers[offTheRecordHeader];
  if (said === undefined || said === 'false') return false;
  if (said === 'true') return true;
  throw new Problem('INVALID_REQUEST', 'The header Off-The-Record must be true or false.');
}
