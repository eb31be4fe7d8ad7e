import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type { Static, TObject } from 'typebox';
import type { Host, HostCaller } from '../../engine/host/host.js';

/** What a tool is called with besides its input. */
export interface ToolCall {
  caller: HostCaller;
  /** Tells a client that waits how far things are. */
  progress(done: number, total: number, message: string): Promise<void>;
}

/** One line of a table of tools. What a model is told of it follows what the plugin can do right now. */
export interface ToolDefinition<Input extends TObject = TObject, Output extends TObject = TObject> {
  /** Letters, digits, `_` and `-`: model APIs refuse others. */
  name: string;
  title: string;
  /** Read by a model that decides whether and how to call it. */
  describe(host: Host): string;
  input: Input;
  /** Members of the input that are there only while the plugin can do what they ask for. */
  needs?: { readonly [member: string]: (host: Host) => boolean };
  output: Output;
  annotations: ToolAnnotations;
  run(host: Host, call: ToolCall, input: Static<Input>): Promise<Static<Output>>;
}

// Tools of one table differ in their schemas; only `defineTool` sees them precisely.
// biome-ignore lint/suspicious/noExplicitAny: a tool takes exactly what its own schema lets through
export type McpTool = ToolDefinition<any, any>;

export function defineTool<Input extends TObject, Output extends TObject>(
  tool: ToolDefinition<Input, Output>,
): McpTool {
  return tool;
}

/** The input as it is right now, in plain JSON Schema. */
export function inputOf({ input, needs = {} }: McpTool, host: Host): TObject {
  const schema = structuredClone(input) as TObject;
  for (const [member, isPossible] of Object.entries(needs)) if (!isPossible(host)) delete schema.properties[member];
  return schema;
}
