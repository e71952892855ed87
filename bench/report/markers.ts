/** Matches a block of results with its markers. */
export const MEASURED = /(<!-- measured (\S+)\/(\S+) -->)[\s\S]*?(<!-- \/measured -->)/g;

/**
 * Matches notes next to the sources about an experiment that no command repeats. They are between
 * `<!-- recorded <commit> <path> -->` and `<!-- /recorded -->`, with the commit before them and the code they describe.
 */
export const RECORDED = /<!-- recorded (\S+) (\S+) -->[\s\S]*?<!-- \/recorded -->/g;

const FRACTIONS = 'half|thirds?|quarters?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?|\\w+teenths?|twelfths?';
const MEASURES = [
  /\d(?:[ -]?)(?:ns|µs|us|ms|s|sec|seconds?|minutes?|hours?|[kKMGT]?i?B|[kmg]ilobytes?|%|×)(?![\w%]| [\d(])/,
  /(?:times|twice|half) (?:as (?:fast|slow|long|large|small|much)|(?:faster|slower|larger|smaller)|the (?:time|size|memory|speed))/,
  new RegExp(`\\b(?:${FRACTIONS}) of (?:the |its )?(?:time|size|memory|speed)`),
  /(?:events|records|rows|lines|queries|requests) (?:a|per) second/,
  // A cell that is only a number.
  /^\|.*\| *\**[\d.,]*\d\** *\|/,
];

/** Returns the lines that contain something like a measurement. */
export function findMeasureLines(text: string): string[] {
  return text.split('\n').filter((line) => MEASURES.some((measure) => measure.test(line)));
}
