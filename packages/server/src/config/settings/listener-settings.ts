import { integer, networks, optionalPort, type Setting, text } from '../setting.js';

export const listenerSettings = {
  host: text({
    env: 'MEMHALL_HOST',
    flag: '--host <address>',
    default: '127.0.0.1',
    description: 'Address that the main listener binds to.',
  }),
  port: integer({
    env: 'MEMHALL_PORT',
    flag: '--port <number>',
    default: 8010,
    min: 0,
    max: 65_535,
    description: 'Port of the main listener. 0 picks a free port.',
  }),
  drainMs: integer({
    env: 'MEMHALL_DRAIN_MS',
    default: 0,
    min: 0,
    max: 300_000,
    description:
      'Time in milliseconds that a server goes on serving after SIGTERM while `/ready` answers 503, so that a load balancer sends requests elsewhere before it stops. See docs/operate/scale.md.',
  }),
  requestTimeoutMs: integer({
    env: 'MEMHALL_REQUEST_TIMEOUT_MS',
    default: 30_000,
    min: 100,
    max: 600_000,
    description:
      'Time in milliseconds that a client has to send a complete request. Slower requests fail with status 408.',
  }),
  uploadMaxMegabytes: integer({
    env: 'MEMHALL_UPLOAD_MAX_MB',
    default: 25,
    min: 1,
    max: 1024,
    description:
      'Largest file, in MiB, that can be uploaded to the gateway. Larger files are rejected with status 413.',
  }),
  trustedProxies: networks({
    env: 'MEMHALL_TRUSTED_PROXIES',
    defaultText: 'none',
    description:
      'Comma-separated list of addresses and networks of reverse proxies, such as `127.0.0.1,10.0.0.0/8`. The address of a client is then read from the X-Forwarded-For header that they send. It is used to limit wrong user keys.',
  }),
  webhookNetworks: networks({
    env: 'MEMHALL_WEBHOOK_NETWORKS',
    defaultText: 'none',
    description:
      'Comma-separated list of addresses and networks, such as `10.1.0.0/16`, that webhooks may reach although they are private, local or reserved.',
  }),
  stallMs: integer({
    env: 'MEMHALL_STALL_MS',
    default: 100,
    min: 0,
    max: 60_000,
    description:
      'Delay of the event loop in milliseconds from which the operation that caused it is logged and counted. 0 logs none.',
  }),
  shedDelayMs: integer({
    env: 'MEMHALL_SHED_DELAY_MS',
    default: 1000,
    min: 0,
    max: 60_000,
    description:
      'Time in milliseconds that requests may have to wait. A request that would wait longer for its turn gets status 503, and so does every new request while the event loop was later than this for three seconds, on average. 0 never refuses a request.',
  }),
  metricsHost: text({
    env: 'MEMHALL_METRICS_HOST',
    flag: '--metrics-host <address>',
    default: '127.0.0.1',
    description: 'Address that the metrics listener of a worker binds to.',
  }),
  metricsPort: optionalPort({
    env: 'MEMHALL_METRICS_PORT',
    flag: '--metrics-port <number|off>',
    default: 0,
    description:
      'Port of the metrics listener of a worker: `/metrics`, `/health` and `/ready`. 0 picks a free port; `off` disables the listener.',
  }),
} satisfies Record<string, Setting<unknown>>;
