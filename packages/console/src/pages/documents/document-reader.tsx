import { type Json, toText } from '../../parts/json-value.js';
import { LongText } from '../../parts/text.js';

/** Content that cannot be changed here. `why` says so. */
export function DocumentReader({ content, why }: { content: Json; why: string }) {
  return (
    <section className="card" aria-label="Content">
      <header className="card-head">
        <h2>Content</h2>
        <span className="small muted">{why}</span>
      </header>
      <div className="card-body document-json">
        <LongText value={toText(content)} />
      </div>
    </section>
  );
}
