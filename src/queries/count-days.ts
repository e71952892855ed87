import type { AddictionRequest } from './requests.ts';

/** Returns the number of days in the period that begins on `date`. */
export function countDays(date: string, unit: AddictionRequest['unit']): number {
  if (unit !== 'month') return unit === 'day' ? 1 : 7;
  const [year, month] = date.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
