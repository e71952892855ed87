import { syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tagHighlighter } from '@lezer/highlight';
import type { HighlightKind } from '../../lang/syntax/vocabulary.ts';
import { HIGHLIGHT_TAGS } from './highlight-tags.ts';

type Row = readonly [kind: HighlightKind, light: string, dark: string];

/**
 * Colours for light and dark themes. Other kinds have the colour of the surrounding text, even `invalid`: an incomplete
 * word is not an error yet.
 */
const COLOURS: readonly Row[] = [
  ['text', '#176b2e', '#9fd69f'],
  ['escape', '#9a4b00', '#e8b96c'],
  ['number', '#1750a8', '#8cc4ff'],
  ['constant', '#1750a8', '#8cc4ff'],
  ['scope', '#6b3fa0', '#c9a6f5'],
  ['property', '#8a3b12', '#f0b48c'],
  ['function', '#00627a', '#6fd0dd'],
  ['keyword', '#a3006d', '#f59ad0'],
];

const colours = COLOURS.flatMap(([kind, light, dark]) => [
  [`&light .cm-onwhere-${kind}`, { color: light }],
  [`&dark .cm-onwhere-${kind}`, { color: dark }],
]);

const highlighter = tagHighlighter(
  COLOURS.map(([kind]) => ({ tag: HIGHLIGHT_TAGS[kind], class: `cm-onwhere-${kind}` })),
);

/** Colours for editors without a highlighting style, and the style of tooltips. */
export const defaultLook: Extension = [
  syntaxHighlighting(highlighter, { fallback: true }),
  EditorView.baseTheme({
    ...Object.fromEntries(colours),
    '.cm-diagnosticText': { whiteSpace: 'pre-line' },
    '.cm-onwhere-hover': { padding: '0 0.6em', maxWidth: '40em', maxHeight: '20em', overflow: 'auto' },
    '.cm-onwhere-hover p, .cm-onwhere-documentation p': { margin: '0.5em 0', overflowWrap: 'anywhere' },
  }),
];
