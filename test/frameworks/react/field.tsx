import 'onwhere/element';
import type { FilterElement } from 'onwhere/element';
import { useEffect, useRef } from 'react';

interface Props {
  readonly value: string;
  readonly label: string;
  readonly required: boolean;
  readonly disabled: boolean;
  onValue(value: string): void;
  onCommit(value: string): void;
}

export function Field({ onValue, onCommit, ...props }: Props) {
  const filter = useRef<FilterElement>(null);
  useEffect(() => filter.current?.setCustomValidity(props.value === 'false' ? 'This is never true.' : ''));
  return (
    <onwhere-filter
      {...props}
      ref={filter}
      className="field"
      name="where"
      form="filters"
      placeholder="Everything"
      use="where"
      timeZone="Europe/Berlin"
      rows
      schema={{ properties: { plan: { types: ['string'], values: ['free', 'pro'] } } }}
      notes={[]}
      onInput={(event) => onValue(event.currentTarget.value)}
      onChange={(event) => onCommit(event.currentTarget.value)}
    />
  );
}
