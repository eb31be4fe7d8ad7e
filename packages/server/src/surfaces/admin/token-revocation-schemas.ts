import { Type } from 'typebox';
import { Id, Moment, nextCursor, pageQuery, Timestamp } from '../../http/wire-schemas.js';

const closed = { additionalProperties: false };

/** Identity providers choose the form of their ids. */
const TokenId = Type.String({ minLength: 1, maxLength: 256, description: 'The claim `jti` of the token' });

export const tenantParams = Type.Object({ tenant_id: Id });
export const revocationParams = Type.Object({ tenant_id: Id, revocation_id: Id });
export const revocationListQuery = Type.Object(pageQuery, closed);

export const revocationBody = Type.Object(
  {
    token_id: Type.Optional(TokenId),
    expires_at: Type.Optional(
      Type.Unsafe<string>({ ...Moment, description: 'When the token with token_id expires, if you know it' }),
    ),
    user_id: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'Revoke the tokens of this user' })),
    issued_before: Type.Optional(
      Type.Unsafe<string>({
        ...Moment,
        description:
          'Revoke tokens issued before this time: of user_id (default: now) or, without user_id, of everybody',
      }),
    ),
  },
  closed,
);

export const Revocation = Type.Object(
  {
    id: Type.String(),
    token_id: Type.Optional(Type.String()),
    user_id: Type.Optional(Type.String()),
    issued_before: Type.Optional(Timestamp),
    expires_at: Type.Optional(
      Type.Unsafe<string>({
        ...Timestamp,
        description: 'When all these tokens have expired. Absent if that is not known.',
      }),
    ),
    created_at: Timestamp,
  },
  { title: 'TokenRevocation' },
);

export const RevocationList = Type.Object(
  { token_revocations: Type.Array(Revocation), next_cursor: nextCursor },
  { title: 'TokenRevocationList' },
);
