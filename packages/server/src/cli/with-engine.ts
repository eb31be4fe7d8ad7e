import { startEngine } from '../composition/start-engine.js';
import type { Engine } from '../engine/engine.js';
import { createLogger } from '../http/logging.js';
import { configFrom, type Environment } from './config-options.js';
import { StepLine } from './step-line.js';

/** Opens the engine for an operator command, closes it afterwards. Can share a running server's store; runs no jobs. */
export async function withEngine(
  environment: Environment,
  options: object,
  work: (engine: Engine) => Promise<void>,
): Promise<void> {
  const config = { ...configFrom(options, environment), embedderStart: 'wait' as const };
  const logger = createLogger(config.logLevel, config.logFormat);
  const line = new StepLine();
  const onStep = (doing: string) => line.show(`First start: ${doing} …`);
  const opening = startEngine(config, logger, { shareRunning: true, runJobs: false, onStep });
  const { engine, close } = await opening.finally(() => line.clear());
  try {
    await work(engine);
  } finally {
    await close();
  }
}
