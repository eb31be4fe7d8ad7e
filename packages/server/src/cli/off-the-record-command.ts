import { Command } from 'commander';
import type { Engine } from '../engine/engine.js';
import { checkLabel } from '../engine/memories/memory-input.js';
import type { Member } from '../engine/one-memory/member.js';
import { goOffTheRecord, goOnTheRecord, listUnrecorded } from '../engine/state/unrecorded-sessions.js';
import { toRecordState } from '../surfaces/one-memory/to-record-state.js';
import { addStoreOptions, type Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { momentOption } from './memory-options.js';
import { addOwnerOptions, memberOf, type OwnerOptions } from './memory-owner.js';
import { toUnrecordedTable } from './operator-tables.js';
import { printAll } from './print-listed.js';
import { addJsonOption, printResult } from './report.js';
import { withEngine } from './with-engine.js';

interface Options extends OwnerOptions {
  until?: Date;
  json?: true;
}

type Work = (engine: Engine, member: Member, sessionId: string, options: Options) => Promise<void>;

/** Sessions of which nothing is remembered for a while. */
export function offTheRecordCommand(environment: Environment): Command {
  const command = new Command('off-the-record')
    .description(
      'Take sessions off the record: nothing that comes from them is stored, through any surface that names the session. What was stored before stays.',
    )
    .addCommand(
      sessionCommand(environment, {
        name: 'start',
        description: 'Take a session off the record. Repeat it to change the end.',
        async work(engine, member, sessionId, { until = null, json }) {
          checkLabel('session', sessionId);
          await goOffTheRecord(engine, member, { sessionId, until });
          const end = until?.toISOString() ?? null;
          printResult(
            json,
            { session_id: sessionId, off_the_record: true, until: end },
            `Off the record${end === null ? '' : ` until ${end}`}: ${sessionId}`,
          );
        },
      }).addOption(momentOption('--until <date>', 'When it is on the record again by itself')),
    )
    .addCommand(
      sessionCommand(environment, {
        name: 'end',
        description: 'Put a session on the record again.',
        async work(engine, member, sessionId, { json }) {
          await goOnTheRecord(engine, member, sessionId);
          printResult(json, { session_id: sessionId, off_the_record: false }, `On the record: ${sessionId}`);
        },
      }),
    )
    .addCommand(listCommand(environment));
  return withExamples(
    command,
    'memhall off-the-record start chat-7 --until 2026-12-24T18:00:00Z',
    'memhall off-the-record list',
    'memhall off-the-record end chat-7',
  );
}

function sessionCommand(
  environment: Environment,
  { name, description, work }: { name: 'start' | 'end'; description: string; work: Work },
): Command {
  const command = new Command(name)
    .description(description)
    .argument('<session>', 'Id of the session, as the surface that is used names it.');
  addStoreOptions(addOwnerOptions(addJsonOption(command)));
  withExamples(command, `memhall off-the-record ${name} chat-7`);
  return command.action((sessionId: string, options: Options) =>
    withEngine(environment, options, (engine) =>
      work(engine, memberOf(options, `cli.offTheRecord.${name}`), sessionId, options),
    ),
  );
}

function listCommand(environment: Environment): Command {
  const command = new Command('list').description('List the sessions that are off the record.');
  addJsonOption(command, 'Print one JSON object per line, as in the HTTP API.');
  addStoreOptions(addOwnerOptions(command));
  withExamples(command, 'memhall off-the-record list --user alice');
  return command.action((options: Options) =>
    withEngine(environment, options, (engine) =>
      printAll(environment, options, {
        read: (page) => listUnrecorded(engine, memberOf(options, 'cli.offTheRecord.list'), page),
        toWire: toRecordState,
        toText: toUnrecordedTable,
        nothing: 'Every session is on the record. Take one off it with `memhall off-the-record start`.\n',
      }),
    ),
  );
}
