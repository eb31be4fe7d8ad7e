import type { RouteExample } from '../../../http/route.js';

export const userSettingsExamples: Readonly<Record<string, RouteExample>> = {
  'users.getSettings': {
    response: {
      user_id: 'me',
      time_zone: 'UTC',
    },
  },
  'users.putSettings': {
    body: {
      time_zone: 'Europe/Oslo',
    },
    response: {
      user_id: 'me',
      time_zone: 'Europe/Oslo',
    },
  },
};
