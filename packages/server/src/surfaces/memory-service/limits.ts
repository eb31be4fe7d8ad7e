import { Type } from 'typebox';

function id(maxLength: number) {
  return Type.String({
    pattern: `^[A-Za-z0-9._:@-]{1,${maxLength}}$`,
    description: `1 to ${maxLength} characters of A-Z a-z 0-9 . _ : @ -`,
  });
}

/** Ids whose maximum length in this contract differs from other surfaces. */
export const PlanId = id(100);
export const TaskId = id(100);
export const AgentId = id(100);
export const SessionId = id(256);
