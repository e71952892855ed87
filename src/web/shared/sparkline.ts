const SVG = 'http://www.w3.org/2000/svg';
const WIDTH = 120;
const HEIGHT = 24;

/** Draws numbers over time as a small line, for eyes only: the numbers are beside it. */
export function createSparkline(values: readonly number[]): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  const attributes = { class: 'sparkline', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, 'aria-hidden': 'true' };
  for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value);
  const most = Math.max(1, ...values);
  const step = values.length > 1 ? WIDTH / (values.length - 1) : 0;
  const points = values.map(
    (value, at) => `${(at * step).toFixed(1)},${(HEIGHT - 1 - (value / most) * (HEIGHT - 2)).toFixed(1)}`,
  );
  const line = document.createElementNS(SVG, 'polyline');
  line.setAttribute('points', values.length > 1 ? points.join(' ') : `0,${HEIGHT / 2} ${WIDTH},${HEIGHT / 2}`);
  svg.append(line);
  return svg;
}
