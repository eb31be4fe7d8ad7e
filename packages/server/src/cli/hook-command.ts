import { text as readText } from 'node:stream/consumers';
import { Command, Option } from 'commander';
import { type AgentName, agentNames, recallTimes } from './clients/agent-hooks.js';
import { type HookEvent, readHookEvent } from './coding/hook-event.js';
import { logHook } from './coding/hook-state.js';
import { type HookOptions, hasToKeep, keepForHook, recallForHook, startKeeping } from './coding/run-hook.js';
import { addConfigOptions, type Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { countOption } from './memory-options.js';

/** Nobody waits for what runs in the background. */
const backgroundPatienceSeconds = 120;

interface Options extends HookOptions {
  patience: number;
  background?: true;
}

export function hookCommand(environment: Environment): Command {
  const command = new Command('hook')
    .description(
      'Handle a hook of a coding agent, which writes what happened to standard input. `memhall install` puts this command into its configuration. It never fails and never takes long: what goes wrong is in ~/.memhall/hooks/hooks.log. What is said is stored by a process of its own. Outside of git repositories it does nothing.',
    )
    .argument('<agent>', `The agent: ${agentNames.join(', ')}.`)
    .addOption(
      new Option('--recall <time>', 'When memories are shown to the model: start of a session, each prompt, or never.')
        .choices(recallTimes)
        .default('start'),
    )
    .option('--server <url>', 'Use this Memhall server, with the token in MEMHALL_TOKEN, instead of opening the store.')
    .option('--tenant <id>', 'Tenant to act for, without --server.', 'default')
    .option('--user <id>', 'User to act for, without --server.', 'me')
    .addOption(countOption('--patience <seconds>', 'Longest time that the agent waits, 1 to 14.', [1, 14], 4))
    .addOption(new Option('--background', 'Store what was said, and wait for it.').hideHelp());
  addConfigOptions(command, ['dataDirectory', 'databaseUrl', 'embedder']);
  withExamples(
    command,
    'memhall hook claude-code --data ~/.memhall',
    'memhall hook codex --server http://127.0.0.1:8010',
  );
  return command.action(async (agent: string, options: Options) => {
    const isKnown = (agentNames as readonly string[]).includes(agent);
    if (!isKnown) return logHook(agent.slice(0, 40), 'hook', 'there is no such agent');
    await handle(agent as AgentName, options, environment);
  });
}

/** Answers in time and ends the process, whatever happens. */
async function handle(agent: AgentName, options: Options, environment: Environment): Promise<void> {
  const isBackground = options.background === true;
  let event: HookEvent | undefined;
  let answer: string | undefined;
  const end = () => {
    const printed = isBackground ? '' : toOutput(agent, event, answer);
    process.stdout.write(printed, () => process.exit(0));
  };
  const deadline = setTimeout(
    () => {
      logHook(agent, event?.name ?? 'hook', 'it took too long and was given up');
      end();
    },
    (isBackground ? backgroundPatienceSeconds : options.patience) * 1000,
  );
  try {
    const input = await readText(process.stdin);
    event = readHookEvent(agent, input, new Date());
    if (isBackground) await keepForHook(agent, event, options, environment);
    else {
      if (hasToKeep(event)) await startKeeping(process.argv.slice(2), input);
      answer = await recallForHook(event, options, environment);
    }
  } catch (error) {
    logHook(agent, event?.name ?? 'hook', describe(error));
  }
  clearTimeout(deadline);
  end();
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error as { cause?: { code?: string } };
  return cause?.code === undefined ? error.message : `${error.message} (${cause.code})`;
}

/** Each agent reads its own form of JSON. Nothing is printed if there is nothing to say. */
function toOutput(agent: AgentName, event: HookEvent | undefined, answer: string | undefined): string {
  if (agent === 'cursor') {
    if (event?.kind === 'start') return answer === undefined ? '{}' : JSON.stringify({ additional_context: answer });
    return event?.kind === 'prompt' ? '{"continue":true}' : '{}';
  }
  if (event === undefined || answer === undefined) return agent === 'gemini' ? '{}' : '';
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event.name, additionalContext: answer } });
}
