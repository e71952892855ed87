/** The icons of the page, drawn on a square of 16. */
const PATHS = {
  chevron: 'M4.5 6.5 8 10l3.5-3.5',
  close: 'm4.5 4.5 7 7m0-7-7 7',
  plus: 'M8 3.5v9M3.5 8h9',
  link: 'M6.8 9.2a2.6 2.6 0 0 0 3.7 0l2-2a2.6 2.6 0 0 0-3.7-3.7l-.7.7m1.1 2.6a2.6 2.6 0 0 0-3.7 0l-2 2a2.6 2.6 0 0 0 3.7 3.7l.7-.7',
  theme: 'M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11',
  help: 'M6.2 6.2A1.9 1.9 0 0 1 8 4.8c1 0 1.9.7 1.9 1.7C9.9 7.9 8 8 8 9.4m0 2v.1M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2',
  search: 'M7 2.8a4.2 4.2 0 1 0 0 8.4 4.2 4.2 0 0 0 0-8.4m3 7.2 3.2 3.2',
  back: 'M12.5 8h-9m3.5-3.5L3.5 8 7 11.5',
} as const;

/** An icon, for eyes only: what it stands beside says the same in words. */
export function Icon({ name }: { readonly name: keyof typeof PATHS }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        stroke-width="1.4"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}
