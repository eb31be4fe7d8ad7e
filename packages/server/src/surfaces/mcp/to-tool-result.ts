import type { Json, Problem, ProblemCode } from '@memhall/core';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

/** What a model can do about a refusal. */
const advice: Partial<Record<ProblemCode, string>> = {
  INVALID_REQUEST: 'Correct the input as the message says and call again.',
  UNKNOWN_FIELD: 'Leave the field out, or check its name with tools/list: tools follow what the memory plugin can do.',
  FORBIDDEN: 'Choose one of list_writable_namespaces, or leave the namespace out for your own workspace.',
  NOT_FOUND:
    'Look for it with search_memory and use the memory_id and the namespace it shows. It may be forgotten already.',
  CONTENT_BLOCKED:
    'Do not store instructions to models, commands that send secrets, or invisible characters. Say in your own words what is worth knowing.',
  TIER_CAP_EXCEEDED:
    'Read the notes with memory_read, keep what matters in fewer words, and write them back with mode replace.',
  PAYLOAD_TOO_LARGE: 'Store less at once: one subject a memory.',
  QUOTA_EXCEEDED: 'Wait before you call again, and go on without memory meanwhile.',
  UNAVAILABLE: 'Go on without memory, tell the user if it matters, and try again later.',
  INTERNAL: 'Go on without memory. Whoever runs the server finds the cause in its log by the request id.',
};

/** As text and as data: clients show one or the other to the model. */
export function toToolResult(structured: { [key: string]: unknown }): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(structured) }], structuredContent: structured };
}

/** A refusal that a model can read and recover from. */
export function toToolError(problem: Problem, requestId: string): CallToolResult {
  const { code, message, details } = problem;
  const error: { [key: string]: Json } = {
    code,
    message,
    advice: advice[code] ?? 'Correct the input as the message says and call again.',
    ...(details === undefined ? {} : { details }),
    ...(problem.retryAfterSeconds === undefined ? {} : { retry_after_seconds: problem.retryAfterSeconds }),
    request_id: requestId,
  };
  return { content: [{ type: 'text', text: JSON.stringify({ error }) }], isError: true };
}
