import type { Answer } from './answer.ts';

/** A step of a funnel: its users, and the average seconds since the step before. */
interface FunnelStepNumbers {
  readonly event: string;
  readonly count: number;
  readonly avg_time: number | null;
}

type Funnel = { readonly steps: readonly FunnelStepNumbers[] };

interface FunnelResponse {
  readonly meta: { readonly dates: readonly string[] };
  /** By date; with `on`, by date and then by segment. */
  readonly data: Readonly<Record<string, Funnel | Readonly<Record<string, Funnel>>>>;
}

/** A funnel over the whole range. */
export interface WholeFunnel {
  readonly steps: readonly FunnelStepNumbers[];
  /** By name, those who start in most cases first. None without a grouping. */
  readonly segments: readonly (readonly [name: string, steps: readonly FunnelStepNumbers[]])[];
}

/** The name of all users in a response with segments. */
const OVERALL = '$overall';

/** Returns the funnel of a response with one bucket over the whole range. Undefined without one: a user can be in several. */
export function readWholeFunnel(response: object | undefined, isGrouped: boolean): WholeFunnel | undefined {
  if (response === undefined) return undefined;
  const funnels = readFunnels(response, isGrouped);
  const [first, ...more] = funnels;
  if (first === undefined || more.length > 0) return undefined;
  const { [OVERALL]: overall, ...segments } = first.bySegment;
  const sorted = Object.entries(segments).sort(([, a], [, b]) => (b.steps[0]?.count ?? 0) - (a.steps[0]?.count ?? 0));
  return { steps: overall?.steps ?? [], segments: sorted.map(([name, { steps }]) => [name, steps]) };
}

/** The part of the users who start that completes a funnel, by the date on which they start; null if nobody does. */
interface ConversionTrend {
  readonly dates: readonly string[];
  readonly lines: readonly { readonly name: string; readonly values: readonly (number | null)[] }[];
}

/** Reads how many complete a funnel by date: of all users, and of segments. */
export function readConversions({ result, parameters }: Answer, names: readonly string[]): ConversionTrend {
  const funnels = readFunnels(result, parameters.has('on'));
  const lines = [OVERALL, ...names].map((name) => ({
    name: name === OVERALL ? 'all users' : name,
    values: funnels.map(({ bySegment }) => {
      const conversion = getConversion(bySegment[name]?.steps ?? []);
      return Number.isNaN(conversion) ? null : conversion;
    }),
  }));
  return { dates: funnels.map(({ date }) => date), lines };
}

/** Returns the part of those who start that completes a funnel; NaN if nobody starts. */
export function getConversion(steps: WholeFunnel['steps']): number {
  return (steps.at(-1)?.count ?? 0) / (steps[0]?.count ?? 0);
}

function readFunnels(response: object, isGrouped: boolean) {
  const { meta, data } = response as FunnelResponse;
  return meta.dates.map((date) => {
    const found = data[date] ?? { steps: [] };
    return { date, bySegment: (isGrouped ? found : { [OVERALL]: found }) as Readonly<Record<string, Funnel>> };
  });
}
