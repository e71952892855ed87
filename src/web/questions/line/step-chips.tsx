import { Chip } from '../../shared/chip.tsx';
import { FilterField } from '../../shared/filter-field.tsx';
import { NameChip, NameList } from '../../shared/name-list.tsx';
import { type EditedStep, formatSteps, parseSteps } from '../funnel-steps.ts';
import type { QuestionModel } from '../question-model.ts';
import { listEvents } from './name-chips.tsx';

interface StepsProps {
  readonly model: QuestionModel;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The steps of a funnel, each an event with a filter. Without steps a saved funnel is asked, whose chip names it. */
export function StepChips({ model, value, onChange }: StepsProps) {
  const steps = parseSteps(value);
  if (steps.length === 0) return <span>take its steps</span>;
  const change = (at: number, step: EditedStep) => onChange(formatSteps(steps.with(at, step)));
  return (
    <>
      {steps.map((step, at) => (
        <StepChip
          key={`${at}`}
          model={model}
          number={at + 1}
          step={step}
          onChange={(next) => change(at, next)}
          onRemove={steps.length > 1 ? () => onChange(formatSteps(steps.toSpliced(at, 1))) : undefined}
        />
      ))}
      <NameChip
        label="Step"
        value={undefined}
        names={listEvents(model)}
        isOpen
        onChoose={(event) => onChange(formatSteps([...steps, { event, where: '' }]))}
      />
    </>
  );
}

interface StepProps {
  readonly model: QuestionModel;
  readonly number: number;
  readonly step: EditedStep;
  readonly onChange: (step: EditedStep) => void;
  readonly onRemove: (() => void) | undefined;
}

function StepChip({ model, number, step, onChange, onRemove }: StepProps) {
  const { event, where } = step;
  return (
    <>
      {number > 1 && <span>then</span>}
      <Chip
        label={`Step ${number}`}
        look="event"
        value={where.trim() === '' ? event : `${event}, filtered`}
        onRemove={onRemove}
      >
        {(close) => (
          <>
            <NameList
              label={`Event of step ${number}`}
              names={listEvents(model)}
              chosen={event}
              isOpen
              onChoose={(name) => {
                onChange({ ...step, event: name });
                close();
              }}
            />
            <FilterField
              label={`Filter of step ${number}`}
              placeholder="Filter of this step"
              value={where}
              schema={model.schema.value}
              onInput={(source) => onChange({ ...step, where: source })}
            />
          </>
        )}
      </Chip>
    </>
  );
}
