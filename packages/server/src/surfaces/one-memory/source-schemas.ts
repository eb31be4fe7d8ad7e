import { Type } from 'typebox';
import { Id, Moment, nextCursor, pageQuery, Timestamp } from '../../http/wire-schemas.js';
import { surfaceNames } from '../../ports/memory-origin.js';

const closed = { additionalProperties: false };
const name = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 256, description }));
const moment = (description: string) => Type.Optional(Type.Unsafe<string>({ ...Moment, description }));

export const tenantParams = Type.Object({ tenant_id: Id });
export const revertParams = Type.Object({ tenant_id: Id, revert_id: Id });
export const revertListQuery = Type.Object({ ...pageQuery }, closed);

export const revertBody = Type.Object(
  {
    filter: Type.Object(
      {
        author: name('Who wrote: the user of the token, else the service'),
        surface: Type.Optional(Type.Enum([...surfaceNames], { description: 'The way by which it was written' })),
        namespace: name('Only memories in this namespace'),
        resource_id: name('Only what was made from this file. The file itself stays'),
        from: moment('Only what was recorded at this time or later'),
        to: moment('Only what was recorded before this time'),
      },
      { ...closed, description: 'Names an author, a namespace or a file; all given members must match' },
    ),
    dry_run: Type.Boolean({ default: true, description: 'Only count what would be taken back' }),
  },
  closed,
);

export const RevertCounts = Type.Object(
  {
    users: Type.Integer({ description: 'Users concerned' }),
    memories: Type.Integer(),
    facts: Type.Integer({ description: 'Facts that nobody else stated or gave evidence for' }),
    restored: Type.Integer({ description: 'Facts that are as before the source ended them' }),
    patches: Type.Integer({ description: 'Versions of documents' }),
    unresolved: Type.Integer({ description: 'Versions that others changed since: each is an unresolved patch' }),
  },
  { title: 'RevertCounts' },
);

export const Reverted = Type.Object({
  revert_id: Type.Union([Type.String(), Type.Null()], { description: 'For the undo; null for a dry run' }),
  dry_run: Type.Boolean(),
  counts: RevertCounts,
});
export const Undone = Type.Object({ counts: RevertCounts });

export const SourceRevertList = Type.Object(
  {
    reverts: Type.Array(
      Type.Object(
        {
          revert_id: Type.String(),
          at: Timestamp,
          purge_at: Type.Unsafe<string>({ ...Timestamp, description: 'Until then it can be restored' }),
          users: Type.Integer(),
          memories: Type.Integer(),
          facts: Type.Integer(),
        },
        { title: 'SourceRevert' },
      ),
    ),
    next_cursor: nextCursor,
  },
  { title: 'SourceRevertList' },
);
