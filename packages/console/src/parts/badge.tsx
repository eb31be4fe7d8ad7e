import type { ReactNode } from 'react';

export type Tone = 'plain' | 'ok' | 'warn' | 'danger' | 'accent';

export function Badge({ tone = 'plain', children, title }: { tone?: Tone; children: ReactNode; title?: string }) {
  return (
    <span className={`badge ${tone}`} title={title}>
      {children}
    </span>
  );
}

const trustTones: Readonly<Record<string, Tone>> = {
  user: 'ok',
  operator: 'ok',
  agent: 'accent',
  tool: 'warn',
  external: 'warn',
};

/** Says on whose word something is: user and operator are equal, then agent, tool, external. */
export function TrustBadge({ trust }: { trust: string }) {
  return (
    <Badge tone={trustTones[trust] ?? 'plain'} title={`On the word of: ${trust}`}>
      {trust}
    </Badge>
  );
}
