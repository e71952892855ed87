import { MAX_SECONDS } from '../operators/time.ts';
import { describeJson } from './shown.ts';

const SEND = 'Send Unix time in whole seconds, as a number';

/**
 * Why a value is no time of an event, in words; undefined for whole Unix seconds from 1 to `MAX_SECONDS`, the numbers that `datetime`
 * reads as seconds. 0 and less are dates that nobody set.
 */
export function checkEventTime(time: unknown): string | undefined {
  if (typeof time !== 'number') {
    return time === undefined ? `no time. ${SEND}, among the properties.` : `time is ${describeJson(time)}. ${SEND}.`;
  }
  if (time < 1) return `time is ${describeJson(time)}, which is not after 1970. ${SEND}.`;
  if (time > MAX_SECONDS) return `time is ${describeJson(time)}, ${tooLarge(time)}`;
  return Number.isInteger(time) ? undefined : `time is ${describeJson(time)}. ${SEND}: ${Math.floor(time)}.`;
}

function tooLarge(time: number): string {
  return time / 1000 > MAX_SECONDS + 1
    ? `which is after the year 2105. ${SEND}.`
    : `which is in milliseconds. ${SEND}: ${Math.floor(time / 1000)}.`;
}
