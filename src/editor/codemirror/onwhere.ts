import { acceptCompletion, completionStatus } from '@codemirror/autocomplete';
import { LanguageSupport } from '@codemirror/language';
import { linter } from '@codemirror/lint';
import { hoverTooltip, type KeyBinding, keymap } from '@codemirror/view';
import { createCompletionSource } from './completion-source.ts';
import { defaultLook } from './default-look.ts';
import { formatCommand } from './format-command.ts';
import { createHoverSource } from './hover-source.ts';
import { createLintSource } from './lint-source.ts';
import { onwhereLanguage } from './onwhere-language.ts';
import { assertOnwhereOptions, type OnwhereOptions } from './onwhere-options.ts';

/** Tab takes what a completion offers and, in a hurry, does not leave the editor before there is one; Shift-Alt-f formats. */
export const onwhereKeymap: readonly KeyBinding[] = [
  { key: 'Tab', run: (view) => acceptCompletion(view) || completionStatus(view.state) !== null },
  { key: 'Shift-Alt-f', run: formatCommand },
];

/**
 * Support for expressions in CodeMirror: highlighting, brackets and completions as the editor's own extensions ask for them, diagnostics
 * with fixes, types and documentation on hover, and the keys of `onwhereKeymap`. In a `Compartment` its options can change.
 */
export function onwhere(options: OnwhereOptions = {}): LanguageSupport {
  assertOnwhereOptions(options);
  return new LanguageSupport(onwhereLanguage, [
    onwhereLanguage.data.of({ autocomplete: createCompletionSource(options) }),
    linter(createLintSource(options)),
    hoverTooltip(createHoverSource(options)),
    keymap.of(onwhereKeymap),
    defaultLook,
  ]);
}
