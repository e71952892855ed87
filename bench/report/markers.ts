/** A block that shows results, between its markers. */
export const MEASURED = /(<!-- measured (\S+)\/(\S+) -->)[\s\S]*?(<!-- \/measured -->)/g;

/**
 * Notes beside the sources about an experiment that no command repeats. Between `<!-- recorded <commit> <path> -->` and
 * `<!-- /recorded -->`, they say after which commit they were written and which code they are about.
 */
export const RECORDED = /<!-- recorded (\S+) (\S+) -->[\s\S]*?<!-- \/recorded -->/g;

const SPELLED = 'half|thirds?|quarters?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?|\\w+teenths?|twelfths?';
const MEASURES = [
  /\d(?:[ -]?)(?:ns|µs|us|ms|s|sec|seconds?|minutes?|hours?|[kKMGT]?i?B|[kmg]ilobytes?|%|×)(?![\w%]| [\d(])/,
  /(?:times|twice|half) (?:as (?:fast|slow|long|large|small|much)|(?:faster|slower|larger|smaller)|the (?:time|size|memory|speed))/,
  new RegExp(`\\b(?:${SPELLED}) of (?:the |its )?(?:time|size|memory|speed)`),
  /(?:events|records|rows|lines|queries|requests) (?:a|per) second/,
  // A cell that is only a number.
  /^\|.*\| *\**[\d.,]*\d\** *\|/,
];

/** The lines that have what looks like a measurement. */
export function findMeasureLines(text: string): string[] {
  return text.split('\n').filter((line) => MEASURES.some((measure) => measure.test(line)));
}
