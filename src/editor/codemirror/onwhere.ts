import { acceptCompletion, completionStatus } from '@codemirror/autocomplete';
import { LanguageSupport } from '@codemirror/language';
import { linter } from '@codemirror/lint';
import { hoverTooltip, type KeyBinding, keymap } from '@codemirror/view';
import { SETTLING_TIME } from '../calm.ts';
import { assertOnwhereOptions, type OnwhereOptions } from '../onwhere-options.ts';
import { createCompletionSource } from './completion-source.ts';
import { defaultLook } from './default-look.ts';
import { formatCommand } from './format-command.ts';
import { createHoverSource } from './hover-source.ts';
import { createLintCleaner, createLintSource } from './lint-source.ts';
import { onwhereLanguage } from './onwhere-language.ts';

/**
 * Tab accepts a completion, and Shift-Alt-f formats. While completions are loading, Tab does nothing, so that a fast
 * typist does not leave the editor.
 */
export const onwhereKeymap: readonly KeyBinding[] = [
  { key: 'Tab', run: (view) => acceptCompletion(view) || completionStatus(view.state) !== null },
  { key: 'Shift-Alt-f', run: formatCommand },
];

/**
 * Returns a CodeMirror extension for expressions: highlighting, completion, diagnostics with fixes, types and
 * documentation on hover, and the keys of `onwhereKeymap`.
 *
 * Completion and bracket matching need the extensions `autocompletion()`, `closeBrackets()` and `bracketMatching()`.
 * To change the options later, put the extension into a `Compartment`.
 *
 * @example
 * new EditorView({ parent, extensions: [basicSetup, onwhere({ use: 'where', schema })] });
 *
 * @throws {TypeError} for an unknown option, or one of the wrong type.
 */
export function onwhere(options: OnwhereOptions = {}): LanguageSupport {
  assertOnwhereOptions(options);
  return new LanguageSupport(onwhereLanguage, [
    onwhereLanguage.data.of({ autocomplete: createCompletionSource(options) }),
    linter(createLintSource(options), { delay: SETTLING_TIME }),
    createLintCleaner(options),
    hoverTooltip(createHoverSource(options)),
    keymap.of(onwhereKeymap),
    defaultLook,
  ]);
}
