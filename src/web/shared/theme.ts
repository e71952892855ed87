import { getById } from './dom.ts';

/** Key in the local storage: the choice is for all visits. */
const KEY = 'onwhere-theme';

const THEMES = ['light', 'dark'] as const;

const listeners = new Set<() => void>();

/** Lets the select with the id `theme` choose the theme. Without a choice it is that of the browser. */
export function addThemeSwitch(): void {
  const choice = getById<HTMLSelectElement>('theme');
  const apply = (chosen: string | null) => {
    const theme = THEMES.find((one) => one === chosen) ?? '';
    choice.value = theme;
    document.documentElement.style.colorScheme = theme;
    for (const listener of listeners) listener();
  };
  choice.addEventListener('change', () => {
    localStorage.setItem(KEY, choice.value);
    apply(choice.value);
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => apply(choice.value));
  apply(localStorage.getItem(KEY));
}

/** Calls a function whenever the colours of the page have changed. */
export function onThemeChange(listener: () => void): void {
  listeners.add(listener);
}

/** Returns the colour that a custom property has in the theme, for what CSS does not paint. */
export function readColor(element: HTMLElement, property: string): string {
  const before = element.style.color;
  element.style.color = `var(${property})`;
  const { color } = getComputedStyle(element);
  element.style.color = before;
  return color;
}
