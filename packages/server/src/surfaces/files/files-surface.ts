import { Problem } from '@memhall/core';
import { Type } from 'typebox';
import type { Engine } from '../../engine/engine.js';
import { commandMembers, toMemoryCommand } from '../../engine/memory-files/command-shape.js';
import { fileRootOf } from '../../engine/memory-files/memory-path.js';
import { runMemoryCommand } from '../../engine/memory-files/run-memory-command.js';
import { renderProblem } from '../../http/render-problem.js';
import { defineRoute, type RouteRequest } from '../../http/route.js';
import type { Surface } from '../../http/surface.js';
import { Id, onBehalfOf } from '../../http/wire-schemas.js';

const toolBody = Type.Object(
  {
    ...commandMembers,
    ...onBehalfOf,
    agent_id: Type.Optional(
      Type.Unsafe<string>({
        ...Id,
        description:
          "The agent whose files they are; default: the agent_id claim of the token or, without that claim, none: the user's own files. A token with the claim can name no other agent.",
      }),
    ),
  },
  { additionalProperties: false },
);

const ToolResult = Type.Object(
  {
    content: Type.String({ description: 'The result of the tool, for the model' }),
    is_error: Type.Boolean({ description: 'Whether the command was not carried out; `content` says why' }),
  },
  { title: 'ToolResult' },
);

export const filesSurface: Surface<Engine> = {
  name: 'files',
  title: 'Files of agents',
  description: 'The memory tool of the Messages API: files that a model keeps as its memory.',
  loadExamples: async () => (await import('./files-examples.js')).filesExamples,
  routes: [
    defineRoute({
      operation: 'files.run',
      method: 'POST',
      path: '/v1/memory-tool',
      summary: 'Carry out one command of the memory tool on the files of an agent.',
      description:
        'Takes the input that a model gives the tool memory_20250818 of the Messages API, and answers with what to return as the result of the tool. Files are governed documents, so every change is a version; recall finds what is in them. Secrets are removed.',
      access: 'user',
      request: { body: toolBody },
      responses: { 200: { description: 'The result, also if the command was not carried out', schema: ToolResult } },
      problems: ['FORBIDDEN'],
      async handle(engine: Engine, request) {
        const { agent_id: agentId, user_id: _, ...input } = request.body;
        const root = fileRootOf(agentOf(request, agentId));
        const { text, isError } = await runMemoryCommand(engine, request.caller, root, toMemoryCommand(input));
        return { body: { content: text, is_error: isError } };
      },
    }),
  ],
  renderProblem,
};

/** Throws FORBIDDEN if the token belongs to another agent. */
function agentOf({ identity }: Pick<RouteRequest, 'identity'>, named: string | undefined): string | null | undefined {
  const own = identity?.claims.agentId;
  if (named === undefined || own === null || own === undefined || named === own) return named ?? own;
  throw new Problem('FORBIDDEN', 'The token belongs to a different agent.');
}
