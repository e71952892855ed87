import type { Scalar } from '../value.ts';
import type { EqualKey } from './access.ts';
import type { ColumnRead } from './column-read.ts';
import { Posting } from './postings.ts';

/** A value of a property, which leads to the filters with this key, and which other filters need beside theirs. */
export class Fact extends Posting implements EqualKey {
  /** The number of filters that need it beside their keys. */
  uses = 0;
  /** The last record that has it, counted from 1. */
  record = 0;

  constructor(
    readonly read: ColumnRead,
    readonly value: Scalar,
  ) {
    super();
  }

  get kind(): 'equal' {
    return 'equal';
  }
}
