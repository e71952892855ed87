import type { Answer } from '../answers/answer.ts';
import { type ChartColors, formatChartSvg, saveChartPicture } from '../answers/chart-svg.ts';
import { DRAWN_LINES } from '../answers/plot.tsx';
import { readAnswerChart } from '../answers/read-series.ts';
import { formatChartCsv, saveFile } from '../shared/save-file.ts';
import { readColor } from '../shared/theme.ts';

/** A file that an answer can be saved as. */
interface Download {
  readonly title: string;
  readonly save: () => void | Promise<void>;
}

/** Returns the files of an answer: JSON, and of numbers over time also CSV and pictures. */
export function listDownloads(answer: Answer): readonly Download[] {
  const name = answer.path.replaceAll('/', '-');
  const save = (ending: string, type: string, text: string) =>
    saveFile(`${name}.${ending}`, new Blob([text], { type }));
  const json = { title: 'JSON', save: () => save('json', 'application/json', JSON.stringify(answer.result, null, 2)) };
  const chart = readAnswerChart(answer);
  if (chart === undefined) return [json];
  const draw = () => formatChartSvg(chart, readColors());
  return [
    { title: 'CSV', save: () => save('csv', 'text/csv', formatChartCsv(chart)) },
    json,
    { title: 'SVG', save: () => save('svg', 'image/svg+xml', draw()) },
    { title: 'PNG', save: () => saveChartPicture(`${name}.png`, draw()) },
  ];
}

function readColors(): ChartColors {
  const read = (property: string) => readColor(document.body, property);
  const lines = Array.from({ length: DRAWN_LINES }, (_, index) => read(`--line-${index + 1}`));
  return { surface: read('--surface'), text: read('--text'), grid: read('--line'), lines };
}
