import type { Span } from '../../lang/source.ts';
import type { Model, Range } from './monaco.ts';

/** Converts a span to lines and columns of a model. Both count UTF-16 code units. */
export function toMonacoRange(model: Model, span: Span): Range {
  const [start, end] = [model.getPositionAt(span.start), model.getPositionAt(span.end)];
  return {
    startLineNumber: start.lineNumber,
    startColumn: start.column,
    endLineNumber: end.lineNumber,
    endColumn: end.column,
  };
}
