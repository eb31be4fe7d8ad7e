import { choice, optionalText, type Setting } from '../setting.js';

export const logSettings = {
  logLevel: choice({
    env: 'MEMHALL_LOG_LEVEL',
    flag: '--log-level <level>',
    choices: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    default: 'info',
    description:
      'Minimum level of log lines, which are written as JSON to standard error: trace, debug, info, warn, error, fatal, silent.',
  }),
  otlpEndpoint: optionalText({
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    description:
      'URL of an OpenTelemetry collector (OTLP over HTTP) that receives a span for each request and SQL statement. By default tracing is off.',
  }),
} satisfies Record<string, Setting<unknown>>;
