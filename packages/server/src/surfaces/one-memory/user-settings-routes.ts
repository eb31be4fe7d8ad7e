import { Type } from 'typebox';
import type { Engine } from '../../engine/engine.js';
import { getUserSettings, putUserSettings } from '../../engine/users/user-settings.js';
import { defineRoute } from '../../http/route.js';
import { Id, onBehalfOf } from '../../http/wire-schemas.js';

const closed = { additionalProperties: false };
const path = '/v1/user';
const TimeZone = Type.String({
  minLength: 1,
  maxLength: 100,
  description:
    'A name of the IANA list, such as Europe/Oslo. Days and weeks in statements and queries are those of this zone',
});

const UserSettings = Type.Object({ user_id: Id, time_zone: TimeZone }, { title: 'UserSettings' });
const settingsQuery = Type.Object({ ...onBehalfOf }, closed);
const settingsBody = Type.Object({ time_zone: TimeZone, ...onBehalfOf }, closed);

export const userSettingsRoutes = [
  defineRoute({
    operation: 'users.getSettings',
    method: 'GET',
    path,
    summary: 'Read the settings of the user.',
    access: 'user',
    request: { query: settingsQuery },
    responses: { 200: { description: 'The settings; the time zone is UTC if none is set', schema: UserSettings } },
    async handle(engine: Engine, { caller }) {
      const { timeZone } = await getUserSettings(engine, caller);
      return { body: { user_id: caller.userId, time_zone: timeZone } };
    },
  }),
  defineRoute({
    operation: 'users.putSettings',
    method: 'PUT',
    path,
    summary: 'Set the time zone of the user.',
    description: 'Applies to what is said and asked from now on. Other nodes of a server know it after half a minute.',
    access: 'user',
    request: { body: settingsBody },
    responses: { 200: { description: 'The settings', schema: UserSettings } },
    async handle(engine: Engine, { caller, body }) {
      const { timeZone } = await putUserSettings(engine, caller, { timeZone: body.time_zone });
      return { body: { user_id: caller.userId, time_zone: timeZone } };
    },
  }),
];
