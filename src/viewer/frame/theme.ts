// Light and dark: as the system says, unless the person chose one.

export type Theme = 'system' | 'light' | 'dark';
const THEMES: readonly Theme[] = ['system', 'light', 'dark'];
const STORED_AS = 'annals.theme';

export function chosenTheme(): Theme {
  return THEMES.find((theme) => theme === localStorage.getItem(STORED_AS)) ?? 'system';
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(STORED_AS, theme);
  applyTheme();
}

export function applyTheme(): void {
  document.documentElement.dataset.theme = chosenTheme();
}

export function nextTheme(theme: Theme): Theme {
  return THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!;
}
