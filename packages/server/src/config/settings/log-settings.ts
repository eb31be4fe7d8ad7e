import { choice, integer, optionalText, type Setting } from '../setting.js';

export const logSettings = {
  logLevel: choice({
    env: 'MEMHALL_LOG_LEVEL',
    flag: '--log-level <level>',
    choices: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    default: 'info',
    defaultText: '`info` for a server and a worker, `warn` for other commands',
    description:
      'Minimum level of log lines, which are written to standard error: trace, debug, info, warn, error, fatal, silent.',
  }),
  logFormat: choice({
    env: 'MEMHALL_LOG_FORMAT',
    flag: '--log-format <format>',
    choices: ['auto', 'json', 'text'],
    default: 'auto',
    description:
      'Format of log lines: `json` (one object per line), `text` (for people to read) or `auto` (text if standard error is a terminal, otherwise JSON).',
  }),
  objectiveRecallMs: integer({
    env: 'MEMHALL_OBJECTIVE_RECALL_MS',
    default: 150,
    min: 1,
    max: 60_000,
    description:
      'What nineteen of twenty recalls should take at most, in milliseconds. `GET /v1/operations/latency` and the console compare with it.',
  }),
  objectiveWriteMs: integer({
    env: 'MEMHALL_OBJECTIVE_WRITE_MS',
    default: 150,
    min: 1,
    max: 60_000,
    description: 'The same for writes of agents, such as remembering and adding messages.',
  }),
  otlpEndpoint: optionalText({
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    description:
      'URL of an OpenTelemetry collector (OTLP over HTTP) that receives a span for each request and SQL statement. By default tracing is off.',
  }),
} satisfies Record<string, Setting<unknown>>;
