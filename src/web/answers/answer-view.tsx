import type { ComponentChildren, ComponentType } from 'preact';
import type { AnswerProps, ViewName } from './answer.ts';
import { FrequencyAnswer, RetentionAnswer } from './cohorts-answer.tsx';
import { FunnelAnswer } from './funnel-answer.tsx';
import { LinesAnswer, RangesAnswer } from './lines-answer.tsx';
import { PeopleAnswer } from './people-answer.tsx';
import { TopAnswer } from './top-answer.tsx';

const VIEWS: Readonly<Record<ViewName, ComponentType<AnswerProps>>> = {
  lines: LinesAnswer,
  ranges: RangesAnswer,
  top: TopAnswer,
  funnel: FunnelAnswer,
  retention: RetentionAnswer,
  addiction: FrequencyAnswer,
  people: PeopleAnswer,
};

/** Shows the answer to a question as a card: the headline, a picture and a table. `children` is its footer. */
export function AnswerView({ children, ...props }: AnswerProps & { readonly children?: ComponentChildren }) {
  const View = VIEWS[props.answer.view];
  return (
    <article class="card answer">
      <View {...props} />
      {children}
    </article>
  );
}
