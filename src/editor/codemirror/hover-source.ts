import type { HoverTooltipSource } from '@codemirror/view';
import { describeTypes, toTypeSet } from '../../lang/types.ts';
import { type Hover, hover } from '../hover.ts';
import { assertOnwhereOptions, type OnwhereOptions } from '../onwhere-options.ts';
import { renderDocumentation } from './render-documentation.ts';

/**
 * Creates a source for `hoverTooltip`, with the types and the documentation of the expression at a position.
 *
 * @throws {TypeError} for an unknown option, or one of the wrong type.
 */
export function createHoverSource(options: OnwhereOptions = {}): HoverTooltipSource {
  assertOnwhereOptions(options);
  const { schema } = options;
  return ({ state }, pos) => {
    const found = hover(state.doc.toString(), pos, schema);
    if (found === undefined) return null;
    return { pos: found.span.start, end: found.span.end, above: true, create: () => ({ dom: render(found) }) };
  };
}

function render({ code, types, documentation }: Hover): HTMLElement {
  const dom = document.createElement('div');
  dom.className = 'cm-onwhere-hover';
  const expression = document.createElement('code');
  expression.textContent = code;
  const summary = document.createElement('p');
  summary.append(expression, ` is ${describeTypes(toTypeSet(types))}`);
  dom.append(summary);
  if (documentation !== undefined) dom.append(renderDocumentation(documentation));
  return dom;
}
