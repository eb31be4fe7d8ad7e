import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import { useApi } from '../api/api.js';
import { Time } from '../parts/time.js';
import { applyTheme, storedTheme, type Theme, themes } from './theme.js';

const themeNames: Record<Theme, string> = { system: 'As the system', light: 'Light', dark: 'Dark' };

export function AccountMenu({ onHelp }: { onHelp(): void }) {
  const { session, signOut } = useApi();
  const [theme, setTheme] = useState(storedTheme);
  const choose = (next: string) => {
    applyTheme(next as Theme);
    setTheme(next as Theme);
  };
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="button account-button">Account</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="dropdown" align="end" sideOffset={6}>
          <div className="dropdown-text">
            <div>
              {session.user_id ?? session.service_id} <span className="muted">of {session.tenant_id}</span>
            </div>
            <div className="muted small">
              {session.roles.length === 0 ? 'own memory only' : session.roles.join(', ')} · until{' '}
              <Time at={session.expires_at} />
            </div>
          </div>
          <DropdownMenu.Separator className="dropdown-line" />
          <DropdownMenu.Label className="dropdown-label">Theme</DropdownMenu.Label>
          <DropdownMenu.RadioGroup value={theme} onValueChange={choose}>
            {themes.map((name) => (
              <DropdownMenu.RadioItem key={name} value={name} className="dropdown-item">
                <DropdownMenu.ItemIndicator className="dropdown-mark">✓</DropdownMenu.ItemIndicator>
                {themeNames[name]}
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
          <DropdownMenu.Separator className="dropdown-line" />
          <DropdownMenu.Item className="dropdown-item" onSelect={onHelp}>
            Keyboard shortcuts <kbd>?</kbd>
          </DropdownMenu.Item>
          <DropdownMenu.Item className="dropdown-item" onSelect={() => void signOut()}>
            Sign out
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
