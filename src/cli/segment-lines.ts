import type { SegmentationResult } from '../segmentation/segmentation.ts';
import { counted, grouped } from '../util/counted.ts';
import { displayWidth } from '../util/display-width.ts';
import { bar, type Column, tableLines } from './table.ts';
import { columnsOf, styled } from './terminal.ts';

const LONGEST_BAR = 40;
const SHORTEST_BAR = 8;
const SHORTEST_NAME = 8;
const GAP = 2;

/** A line a segment for standard output, with a bar as long as its share of the greatest. */
export function segmentLines({ segments }: SegmentationResult, measure: string): string[] {
  if (segments.length === 0) return ['No events.'];
  const columns: Column[] = [
    { title: 'segment', align: 'left' },
    { title: measure, align: 'right' },
  ];
  const rows = segments.map(({ name, count }) => [name, grouped(count)]);
  const space = columnsOf(process.stdout);
  const counts = rows.reduce((width, [, count = '']) => Math.max(width, count.length), measure.length);
  const [title = '', ...lines] = tableLines(columns, rows, Math.max(SHORTEST_NAME, space - GAP - counts));
  const widest = lines.reduce((width, line) => Math.max(width, displayWidth(line)), 0);
  const room = space - widest - GAP;
  const width = room < SHORTEST_BAR ? 0 : Math.min(LONGEST_BAR, room);
  const greatest = segments[0]?.count ?? 0;
  const barred = lines.map((line, index) => {
    const share = greatest === 0 ? 0 : (segments[index]?.count ?? 0) / greatest;
    const drawn = bar(share, width);
    return drawn === '' ? line : `${line}  ${styled(process.stdout, 'cyan', drawn)}`;
  });
  return [styled(process.stdout, 'bold', title), ...barred];
}

/** Tells of the segments that are not shown. */
export function moreSegments(segments: number): string {
  return `and ${counted(segments, 'more segment')}`;
}
