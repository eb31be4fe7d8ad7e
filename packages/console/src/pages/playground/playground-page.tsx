import { type FormEvent, useState } from 'react';
import { useAsk } from '../../api/api.js';
import { Answer } from '../../parts/answer.js';
import { Page } from '../../parts/page.js';
import './playground.css';
import { MemorySide } from './memory-side.js';
import { Talk } from './talk.js';
import { usePlayground } from './use-playground.js';

/** A talk with a model, beside the memory that it reads and writes. */
export function PlaygroundPage() {
  const models = useAsk('chat.models', { path: {} });
  return (
    <Page
      title="Playground"
      lead="Talk to a model, and see what it is shown from memory and what is remembered. It is stored as any talk is."
    >
      <Answer of={models}>{({ models: listed }) => <Playground models={listed} />}</Answer>
    </Page>
  );
}

function Playground({ models }: { models: readonly { id: string; scripted: boolean }[] }) {
  const [model, setModel] = useState(models[0]?.id ?? '');
  const { turns, isBusy, send, startOver, sessionId } = usePlayground(model);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const prompt = String(new FormData(form).get('prompt')).trim();
    if (prompt === '' || isBusy) return;
    form.reset();
    await send(prompt);
  };
  return (
    <div className="playground">
      <section className="card" aria-label="Talk">
        <header className="card-head">
          <div className="row">
            <label htmlFor="model" className="small muted">
              Model
            </label>
            <select id="model" value={model} onChange={(event) => setModel(event.target.value)}>
              {models.map(({ id, scripted }) => (
                <option key={id} value={id}>
                  {scripted ? 'scripted: says what it is shown' : id}
                </option>
              ))}
            </select>
          </div>
          <button type="button" className="button small" disabled={turns.length === 0} onClick={startOver}>
            New talk
          </button>
        </header>
        <Talk turns={turns} isBusy={isBusy} />
        <form onSubmit={submit} className="row card-body playground-say">
          <input
            name="prompt"
            aria-label="Message"
            placeholder="Say something, or ask   m"
            data-shortcut="m"
            maxLength={20_000}
            autoComplete="off"
            required
          />
          <button type="submit" className="button primary" disabled={isBusy}>
            Send
          </button>
        </form>
      </section>
      <MemorySide turns={turns} sessionId={sessionId} />
    </div>
  );
}
