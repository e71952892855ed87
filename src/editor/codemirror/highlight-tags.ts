import { type Tag, tags } from '@lezer/highlight';
import type { HighlightKind } from '../../lang/syntax/vocabulary.ts';

/** The tag of each highlight kind, which the highlighting styles of CodeMirror use. */
export const HIGHLIGHT_TAGS: Readonly<Record<HighlightKind, Tag>> = {
  text: tags.string,
  escape: tags.escape,
  number: tags.number,
  constant: tags.atom,
  scope: tags.special(tags.variableName),
  property: tags.propertyName,
  function: tags.function(tags.variableName),
  keyword: tags.operatorKeyword,
  operator: tags.operator,
  bracket: tags.bracket,
  punctuation: tags.separator,
  invalid: tags.invalid,
};
