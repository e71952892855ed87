const [WIDTH, HEIGHT] = [860, 420];
const [LEFT, RIGHT, TOP, BOTTOM] = [90, 200, 60, 50];
const COLOURS = ['#1b6ca8', '#d1495b', '#3d8b5f', '#7a4fa3', '#b5651d', '#5b6770'];

/** The minimum distance of two labels, in pixels. */
const LABEL = 16;

/** A line of a chart. Both coordinates of its points are positive. */
export interface GrowthLine {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** Renders an SVG chart of lines with their names at the right ends; both axes are logarithmic. */
export function renderGrowthChart(title: string, shown: readonly GrowthLine[]): string {
  const ends = (numbers: readonly number[]) => numbers.map((number) => Math.log10(number)).toSorted((a, b) => a - b);
  const decades = (numbers: readonly number[]) =>
    [Math.floor(ends(numbers)[0] ?? 0), Math.ceil(ends(numbers).at(-1) ?? 1)] as const;
  const all = shown.flatMap(({ points }) => points);
  const [xs, ys] = [decades(all.map(([x]) => x)), decades(all.map(([, y]) => y))];
  const place = (number: number, [low, high]: readonly [number, number]) => (Math.log10(number) - low) / (high - low);
  const x = (number: number) => LEFT + place(number, xs) * (WIDTH - LEFT - RIGHT);
  const y = (number: number) => HEIGHT - BOTTOM - place(number, ys) * (HEIGHT - TOP - BOTTOM);
  const labels = placeLabels(shown.map(({ points }) => y(points.at(-1)?.[1] ?? 1)));
  const lines = shown.map(({ name, points }, index) => {
    const colour = COLOURS[index % COLOURS.length];
    const path = points.map(([left, top]) => [x(left), y(top)].map((number) => number.toFixed(1)).join()).join(' ');
    const [left = 0] = points.at(-1) ?? [];
    const at = `x="${(x(left) + 10).toFixed(1)}" y="${((labels[index] ?? 0) + 4).toFixed(1)}"`;
    const label = `<text ${at} fill="${colour}">${name}</text>`;
    return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>${label}`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" ` +
      'role="img" font-family="system-ui, sans-serif" font-size="13" fill="#24292f">',
    `<title>${title}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" rx="8" fill="#fbfbfa"/>`,
    `<text x="20" y="30" font-size="16" font-weight="600">${title}</text>`,
    ...listDecades(xs).map((number) => {
      const at = x(number).toFixed(1);
      return `<text x="${at}" y="${HEIGHT - BOTTOM + 22}" text-anchor="middle">${number.toLocaleString('en-US')}</text>`;
    }),
    ...listDecades(ys).map((number) => {
      const at = y(number).toFixed(1);
      const line = `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}" stroke="#d8d8d4"/>`;
      return `${line}<text x="${LEFT - 8}" y="${at}" dy="4" text-anchor="end">${number.toLocaleString('en-US')}</text>`;
    }),
    ...lines,
    '</svg>\n',
  ].join('\n');
}

/** Moves labels down so that none covers another. */
function placeLabels(tops: readonly number[]): number[] {
  const placed: number[] = [];
  let free = Number.NEGATIVE_INFINITY;
  for (const [index, top] of [...tops.entries()].toSorted(([, left], [, right]) => left - right)) {
    placed[index] = Math.max(top, free);
    free = (placed[index] ?? 0) + LABEL;
  }
  return placed;
}

function listDecades([low, high]: readonly [number, number]): number[] {
  return Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index));
}
