import type { SegmentationResult } from '../../data/segmentation.ts';
import { formatInteger, pluralize } from '../../lang/util/strings.ts';
import type { OutputStream } from '../terminal/output-stream.ts';
import { numberColumns, renderBars } from '../terminal/table.ts';

/** A line a segment for a stream, with a bar as long as its share of the greatest. */
export function renderSegments(out: OutputStream, { segments }: SegmentationResult, measure: string): string[] {
  if (segments.length === 0) return ['No events.'];
  return renderBars(
    out,
    numberColumns('segment', measure),
    segments.map(({ name, count }) => [name, formatInteger(count)]),
    segments.map(({ count }) => count),
  );
}

/** Tells of the segments that are not shown. */
export function describeMoreSegments(segments: number): string {
  return `and ${pluralize(segments, 'more segment')}`;
}
