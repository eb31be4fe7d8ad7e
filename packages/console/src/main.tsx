import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createConsoleRouter } from './router.js';
import { SessionGate } from './session/session-gate.js';
import { reloadIfNewer } from './shell/reload-if-newer.js';
import { applyTheme, storedTheme } from './shell/theme.js';
import './styles/tokens.css';
import './styles/base.css';
import './styles/parts.css';
import './styles/shell.css';

applyTheme(storedTheme());
reloadIfNewer();
const router = createConsoleRouter();
const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <SessionGate>
        <RouterProvider router={router} />
      </SessionGate>
    </StrictMode>,
  );
}
