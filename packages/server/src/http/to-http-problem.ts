import { Problem, type ProblemCode } from '@memhall/core';
import type { ErrorObject } from 'ajv';
import type { FastifyError } from 'fastify';
import { internalProblem } from './render-problem.js';

/** Maps Fastify error codes to the Problem that the client receives. */
const fastifyProblems: Record<string, (bodyLimitBytes: number) => Problem> = {
  FST_ERR_CTP_BODY_TOO_LARGE: (bodyLimitBytes) =>
    new Problem(
      'PAYLOAD_TOO_LARGE',
      `The request body is larger than ${sizeOf(bodyLimitBytes)}. Split it into smaller requests.`,
    ),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new Problem('UNSUPPORTED_MEDIA_TYPE', 'Send the body as JSON, with Content-Type: application/json.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new Problem('INVALID_REQUEST', 'The length of the body does not match Content-Length.'),
  FST_ERR_CTP_INVALID_JSON_BODY: () => new Problem('INVALID_REQUEST', 'The body is not valid JSON.'),
  FST_ERR_BAD_URL: () => new Problem('INVALID_REQUEST', 'The URL is not valid. Check its percent-encoding.'),
  FST_ERR_MAX_PARAM_LENGTH: () => new Problem('INVALID_REQUEST', 'A path parameter is too long.'),
  FST_ERR_ASYNC_CONSTRAINT: () => new Problem('INVALID_REQUEST', 'The URL is not valid.'),
};

function sizeOf(bytes: number): string {
  return bytes < 2 ** 20 ? `${bytes / 2 ** 10} KiB` : `${bytes / 2 ** 20} MiB`;
}

/** Problem codes for validation faults, by top-level member of the body. */
type FaultCodes = Readonly<Record<string, ProblemCode>>;

export function toHttpProblem(
  error: unknown,
  { faultCodes = {}, bodyLimitBytes = 2 ** 20 }: { faultCodes?: FaultCodes | undefined; bodyLimitBytes?: number } = {},
): Problem {
  if (error instanceof Problem) return error;
  const { code = '', statusCode = 500, validation, validationContext } = error as Partial<FastifyError>;
  if (validation !== undefined) {
    return toValidationProblem(validation[0] as ErrorObject, validationContext ?? 'body', faultCodes);
  }
  const known = fastifyProblems[code]?.(bodyLimitBytes);
  if (known !== undefined) return known;
  if (code.startsWith('FST_ERR_') && statusCode < 500)
    return new Problem('INVALID_REQUEST', 'The request is not valid.');
  return internalProblem(error);
}

const partNames: Record<string, string> = {
  querystring: 'query parameter',
  params: 'path parameter',
  headers: 'header',
};

function toValidationProblem(fault: ErrorObject | undefined, context: string, faultCodes: FaultCodes): Problem {
  if (fault === undefined) return new Problem('INVALID_REQUEST', 'The request does not match its schema.');
  const pointer = fault.instancePath;
  if (fault.keyword === 'additionalProperties') {
    const field = `${pointer}/${fault.params.additionalProperty}`.slice(1).replaceAll('/', '.');
    const known = context === 'querystring' ? 'query parameter' : 'field';
    return new Problem(
      'UNKNOWN_FIELD',
      `Unknown ${known} "${field.slice(0, 200)}". Remove it, or check its spelling.`,
      {
        details: { field: field.slice(0, 200) },
      },
    );
  }
  const rule = fault.keyword;
  const subject = describeSubject(fault, context);
  const code = (context === 'body' && faultCodes[pointer.split('/')[1] ?? '']) || 'INVALID_REQUEST';
  return new Problem(code, `${subject} ${describeRule(fault)}.`, { details: { pointer, rule } });
}

function describeSubject(fault: ErrorObject, context: string): string {
  const path = fault.instancePath.slice(1).replaceAll('/', '.');
  const part = partNames[context];
  const inside = fault.keyword === 'required' ? [path, fault.params.missingProperty].filter(Boolean).join('.') : path;
  if (inside === '') return 'The body';
  return part === undefined ? `"${inside}"` : `The ${part} "${inside}"`;
}

const typeNames: Record<string, string> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
};

function describeRule(fault: ErrorObject): string {
  const { limit } = fault.params;
  switch (fault.keyword) {
    case 'type':
      return `must be ${[fault.params.type]
        .flat()
        .map((type) => typeNames[type] ?? type)
        .join(' or ')}`;
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`;
    case 'maxLength':
      return `must have at most ${limit} characters`;
    case 'minItems':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} items`;
    case 'maxItems':
      return `must have at most ${limit} items`;
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must be at most ${limit}`;
    case 'exclusiveMinimum':
      return `must be greater than ${limit}`;
    case 'required':
      return 'is required';
    case 'pattern':
      return `must match ${fault.params.pattern}`;
    case 'enum':
      return `must be one of ${(fault.params.allowedValues as unknown[]).join(', ')}`;
    case 'const':
      return `must be ${JSON.stringify(fault.params.allowedValue)}`;
    default:
      return fault.message ?? 'is not valid';
  }
}
