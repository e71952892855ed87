import type { RequestParameters } from '../shared/query-api.ts';

/** The view that shows a result. */
export type ViewName = 'lines' | 'ranges' | 'top' | 'funnel' | 'retention' | 'addiction' | 'people';

/** A note at a time of the project, `yyyy-mm-dd HH:MM:SS`. */
export interface ChartAnnotation {
  readonly date: string;
  readonly description: string;
}

/** The answer to a question, with what a person needs to read it. Results have the documented shape of their endpoint. */
export interface Answer {
  readonly view: ViewName;
  /** The path of the endpoint below `/api/2.0/`, such as `segmentation/sum`. */
  readonly path: string;
  /** The parameters of the request. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly result: object;
  /** The same question with one bucket over the whole range, for numbers of users, which do not add up. */
  readonly whole?: object;
  /** The result over as many days before, if it is compared. */
  readonly before?: object;
  readonly wholeBefore?: object;
  /** The whole without groups, which can overlap and be cut off: one series. Of users it has one bucket. */
  readonly ungrouped?: object;
  readonly ungroupedBefore?: object;
  /** Today in the time zone of the data, `yyyy-mm-dd`. Later days are blank; today's are not over. */
  readonly today: string;
  /** The annotations of the dates; undefined if the data has none. */
  readonly annotations?: readonly ChartAnnotation[];
}

/** Users behind a number of an answer. */
export type UserSelection =
  /** Those who reached a step, from 0; `dropped`: and not the next. */
  | { readonly kind: 'step'; readonly step: number; readonly dropped: boolean; readonly segment?: string }
  /** Those of the cohort of a date who are counted in a column, from 0; -1: all of the cohort. */
  | { readonly kind: 'cohort'; readonly date: string; readonly column: number; readonly segment?: string }
  /** Those with events behind a number, of a name or of all: in a bucket or on all days, also of the period before. */
  | { readonly kind: 'segment'; readonly name?: string; readonly bucket?: string; readonly isBefore?: boolean };

/** The actions that an answer offers. A picture of an answer has none. */
export interface AnswerActions {
  /** Filters by a segment, or by all others. Undefined if the grouping is no property. */
  readonly filterBySegment?: ((name: string, excluded: boolean) => void) | undefined;
  /** Asks for other days. The last is undefined if the chart ends there. */
  readonly zoom?: ((from: string, to: string | undefined) => void) | undefined;
  readonly annotate?: (annotation: ChartAnnotation) => void;
  /** Asks for another page of people. */
  readonly loadPage?: (parameters: RequestParameters) => void;
  /** Shows the users behind a number. Undefined if the data cannot name them. */
  readonly openUsers?: ((selection: UserSelection) => void) | undefined;
  /** Shows the events of a user. */
  readonly openUser?: ((distinctId: string) => void) | undefined;
}

/** The props of a component that shows an answer. */
export interface AnswerProps {
  readonly answer: Answer;
  readonly actions: AnswerActions;
  /** Shown at the right of the headline. */
  readonly note?: string;
}
