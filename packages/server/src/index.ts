export { readConfig } from './config/read-config.js';
export type { Config } from './config/settings.js';
export { type RunningServer, startServer } from './main.js';
export { version } from './version.js';
