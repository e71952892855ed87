import { formatInteger, pluralize } from '../../base/strings.ts';
import type { SegmentationResult } from '../../data/segmentation.ts';
import type { OutputStream } from '../terminal/output-stream.ts';
import { numberColumns, renderBars } from '../terminal/table.ts';

/** Renders a line for each segment with a bar relative to the largest. */
export function renderSegments(out: OutputStream, { segments }: SegmentationResult, measure: string): string[] {
  if (segments.length === 0) return ['No events.'];
  return renderBars(
    out,
    numberColumns('segment', measure),
    segments.map(({ name, count }) => [name, formatInteger(count)]),
    segments.map(({ count }) => count),
  );
}

/** Returns a note on the number of segments that are not shown. */
export function describeMoreSegments(segments: number): string {
  return `and ${pluralize(segments, 'more segment')}`;
}
