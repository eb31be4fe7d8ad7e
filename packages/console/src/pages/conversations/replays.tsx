import type { LearnedConversation } from '@memhall/client/operations';
import { Badge, type Tone } from '../../parts/badge.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';

type Replay = LearnedConversation['replays'][number];

const tones: Readonly<Record<Replay['status'], Tone>> = {
  queued: 'plain',
  running: 'accent',
  completed: 'ok',
  failed: 'danger',
};

export function isRunning({ status }: Replay): boolean {
  return status === 'queued' || status === 'running';
}

/** When snapshots were read for what is worth remembering, and what came of it. */
export function Replays({ replays }: { replays: readonly Replay[] }) {
  return (
    <section className="card" aria-labelledby="replays-title">
      <header className="card-head">
        <h2 id="replays-title">Replays</h2>
      </header>
      {replays.length === 0 ? (
        <p className="card-body muted">None yet. What a chat says is extracted when it is flushed.</p>
      ) : (
        <ol className="card-body steps" aria-live="polite">
          {replays.map((replay) => (
            <li key={replay.replay_id}>
              <Time at={replay.created_at} exact /> <Badge tone={tones[replay.status]}>{replay.status}</Badge>
              <p className="small muted">{sayOutcome(replay)}</p>
              {replay.error !== null && (
                <p className="small">
                  <Text value={replay.error} limit={500} />
                </p>
              )}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function sayOutcome({ outcome, profile_id: profile, attempts }: Replay): string {
  if (typeof outcome !== 'object' || outcome === null) return `${profile}, tried ${attempts} times`;
  const counts = outcome as Record<string, unknown>;
  const named = [
    ['facts_proposed', 'facts proposed'],
    ['facts_confirmed', 'confirmed'],
    ['patches_applied', 'patches applied'],
    ['patches_redirected', 'put off for confirmation'],
    ['patches_unresolved', 'waiting'],
  ] as const;
  return [profile, ...named.map(([name, words]) => `${Number(counts[name] ?? 0)} ${words}`)].join(' · ');
}
