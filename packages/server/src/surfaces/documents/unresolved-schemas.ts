import { Type } from 'typebox';
import { Timestamp } from '../../http/wire-schemas.js';

export const Status = Type.Enum(['waiting', 'review'], {
  description: 'waiting: retried automatically; review: needs a decision',
});

export const unresolvedPatch = {
  patch_id: Type.String(),
  user_id: Type.String({ description: 'The owner of the document' }),
  replay_id: Type.String(),
  profile_id: Type.String(),
  binding_id: Type.String(),
  namespace: Type.String(),
  path: Type.String(),
  ops: Type.Array(Type.Unknown()),
  confidence: Type.Number(),
  evidence: Type.Unknown(),
  status: Status,
  attempts: Type.Integer(),
  problem: Type.Object({ code: Type.String(), message: Type.String() }),
  next_attempt_at: Type.Union([Timestamp, Type.Null()]),
  created_at: Timestamp,
  updated_at: Timestamp,
};
