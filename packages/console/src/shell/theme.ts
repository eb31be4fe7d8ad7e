export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const key = 'memhall-theme';

export function storedTheme(): Theme {
  return themes.find((theme) => theme === window.localStorage.getItem(key)) ?? 'system';
}

export function applyTheme(theme: Theme): void {
  window.localStorage.setItem(key, theme);
  document.documentElement.dataset.theme = theme;
}
