import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type { Static, TObject } from 'typebox';
import type { CapabilityWatch } from '../../engine/host/capability-watch.js';
import type { Host, HostCaller } from '../../engine/host/host.js';

/** What the memory plugin can do. It decides which parameters the tools have. */
export type Capabilities = Pick<CapabilityWatch, 'has'>;

/** Context of a tool call. */
export interface ToolCall {
  caller: HostCaller;
  /** Reports progress to the client if it asked for it. */
  progress(done: number, total: number, message: string): Promise<void>;
}

/** One tool. Its description and input depend on the current capabilities of the memory plugin. */
interface ToolDefinition<Input extends TObject = TObject, Output extends TObject = TObject> {
  /** Letters, digits, `_` and `-` only: model APIs reject other characters. */
  name: string;
  title: string;
  /** Returns the description that a model reads to decide whether and how to call the tool. */
  describe(capabilities: Capabilities): string;
  input: Input;
  /** Input members that are offered only while the plugin supports them. */
  needs?: { readonly [member: string]: (capabilities: Capabilities) => boolean };
  output: Output;
  annotations: ToolAnnotations;
  run(host: Host, call: ToolCall, input: Static<Input>): Promise<Static<Output>>;
}

// Tools have different schemas; only `defineTool` knows their exact types.
// biome-ignore lint/suspicious/noExplicitAny: a tool receives exactly what its own schema accepts
export type McpTool = ToolDefinition<any, any>;

export function defineTool<Input extends TObject, Output extends TObject>(
  tool: ToolDefinition<Input, Output>,
): McpTool {
  return tool;
}

/** Returns the current input schema, without the members that the plugin does not support. */
export function inputOf({ input, needs = {} }: McpTool, capabilities: Capabilities): TObject {
  const schema = structuredClone(input) as TObject;
  for (const [member, isPossible] of Object.entries(needs))
    if (!isPossible(capabilities)) delete schema.properties[member];
  return schema;
}
