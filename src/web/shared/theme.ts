import { effect, signal } from '@preact/signals';

/** Key in the local storage: the choice is for all visits. */
const KEY = 'onwhere-theme';

/** The themes; the first follows the browser. */
export const THEMES = ['auto', 'light', 'dark'] as const;

export type Theme = (typeof THEMES)[number];

/** The chosen theme. */
export const theme = signal<Theme>(THEMES.find((one) => one === localStorage.getItem(KEY)) ?? 'auto');

/** Shows the page in the chosen theme from now on, and remembers it. */
export function followTheme(): void {
  effect(() => {
    document.documentElement.style.colorScheme = theme.value === 'auto' ? '' : theme.value;
    if (theme.value === 'auto') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme.value);
  });
}

/** Returns the colour that a custom property has in the theme, for what CSS does not paint. */
export function readColor(element: HTMLElement, property: string): string {
  const before = element.style.color;
  element.style.color = `var(${property})`;
  const { color } = getComputedStyle(element);
  element.style.color = before;
  return color;
}
