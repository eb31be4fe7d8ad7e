import { Problem } from '@memhall/core';
import { type CallToolResult, ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import type { Host, HostCaller } from '../../engine/host/host.js';
import { internalProblem } from '../../http/render-problem.js';
import type { McpRequests, RequestContext } from './build-mcp-server.js';
import { checkInput } from './check-input.js';
import { type Capabilities, inputOf, type McpTool, type ToolCall } from './mcp-tool.js';
import type { McpTools } from './mcp-tools.js';
import { listPrompts, renderPrompt } from './prompts.js';
import { listResources, readResource, resourceTemplates } from './resources.js';
import { toToolError, toToolResult } from './to-tool-result.js';
import { ToolProgress } from './tool-progress.js';

export interface McpServices {
  /** Resolves when the store is open. Rejects with a problem if it cannot be opened. */
  host(): Promise<Host>;
  /** Known before the store is open, unless an outside plugin has to be asked. */
  capabilities(): Promise<Capabilities>;
  tools: McpTools;
  onFault(error: unknown, doing: string): void;
}

/** Member of `_meta` with which a client takes one tool call off the record. */
const offTheRecordMeta = 'memhall/off_the_record';

const resourceNotFound = -32_002;

/** Answers the requests of one client. `callerFor` returns the caller of a request. */
export function toMcpRequests(services: McpServices, callerFor: (operation: string) => HostCaller): McpRequests {
  const { tools } = services;
  return {
    async listTools() {
      const capabilities = await withRpcErrors(services, () => services.capabilities());
      return { tools: tools.listed.map((tool) => describeTool(capabilities, tool)) };
    },
    async callTool({ name, arguments: input = {} }, context) {
      const tool = [...tools.listed, ...tools.unlisted].find((candidate) => candidate.name === name);
      if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, 'Unknown tool. See tools/list.');
      return callTool(services, tool, input, toToolCall(callerFor(`mcp.${name}`), context));
    },
    listResources: (params) =>
      withRpcErrors(services, async () =>
        listResources(await services.host(), callerFor('mcp.resources.list'), params?.cursor),
      ),
    listResourceTemplates: async () => ({ resourceTemplates }),
    readResource: ({ uri }) =>
      withRpcErrors(services, async () => readResource(await services.host(), callerFor('mcp.resources.read'), uri)),
    listPrompts: async () => ({ prompts: listPrompts() }),
    getPrompt: async ({ name, arguments: values = {} }) => renderPrompt(name, values),
  };
}

function describeTool(capabilities: Capabilities, tool: McpTool) {
  const { name, title, annotations, output } = tool;
  const schemas = { inputSchema: plain(inputOf(tool, capabilities)), outputSchema: plain(output) };
  return { name, title, description: tool.describe(capabilities), ...schemas, annotations };
}

/** Removes non-JSON members that the schema library adds. */
function plain(schema: object): { type: 'object' } {
  return JSON.parse(JSON.stringify(schema));
}

interface OpenCall extends Omit<ToolCall, 'progress'> {
  progress: ToolProgress;
}

function toToolCall(caller: HostCaller, { _meta, signal, sendNotification }: RequestContext): OpenCall {
  const isAsked = caller.offTheRecord?.isAsked === true || _meta?.[offTheRecordMeta] === true;
  return {
    caller: { ...caller, signal, offTheRecord: { isAsked, unstored: 'nothing' } },
    progress: new ToolProgress(_meta?.progressToken, sendNotification),
  };
}

async function callTool(
  services: McpServices,
  tool: McpTool,
  input: { [name: string]: unknown },
  { caller, progress }: OpenCall,
): Promise<CallToolResult> {
  let telemetry: Host['engine']['telemetry'] | undefined;
  try {
    const host = await progress.during(services.host(), 'opening the store');
    telemetry = host.engine.telemetry;
    checkInput(inputOf(tool, host.capabilities), input);
    const call = { caller, progress: progress.report.bind(progress) };
    const answer = (await tool.run(host, call, input)) as { [name: string]: unknown };
    const isStored = caller.offTheRecord?.unstored !== 'all';
    const result = toToolResult(isStored ? answer : { ...answer, off_the_record: true });
    telemetry.countToolCall(tool.name, 'ok');
    return result;
  } catch (error) {
    caller.signal?.throwIfAborted();
    const problem = toReported(services, error, `tool ${tool.name}, request ${caller.requestId}`);
    telemetry?.countToolCall(tool.name, problem.code);
    return toToolError(problem, caller.requestId);
  }
}

function toReported({ onFault }: McpServices, error: unknown, doing: string): Problem {
  const problem = error instanceof Problem ? error : internalProblem(error);
  if (problem.status >= 500) onFault(problem.cause ?? problem, doing);
  return problem;
}

/** Turns problems into JSON-RPC errors. */
async function withRpcErrors<T>(services: McpServices, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const problem = toReported(services, error, 'handling an MCP request');
    const isMissing = problem.status === 404;
    const code = isMissing
      ? resourceNotFound
      : problem.status < 500
        ? ErrorCode.InvalidRequest
        : ErrorCode.InternalError;
    throw new McpError(code, problem.message, { code: problem.code, ...problem.details });
  }
}
