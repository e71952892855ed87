import type { Span } from '../source.ts';

/** Why a filter of another language is refused. */
export type RefusalKind =
  | 'syntax'
  | 'name'
  | 'function'
  | 'operator'
  | 'pattern'
  | 'null'
  | 'type'
  | 'division'
  | 'time'
  | 'query'
  | 'list'
  | 'size';

/** A part of a filter that has no exact translation. Never leaves this folder: the entry points return it as data. */
export class Refusal extends Error {
  constructor(
    readonly kind: RefusalKind,
    readonly span: Span,
    /** Says what is wrong and what to write instead. */
    readonly reason: string,
  ) {
    super(reason);
  }
}

/** @throws {Refusal} always. */
export function refuseAt(kind: RefusalKind, span: Span, reason: string): never {
  throw new Refusal(kind, span, reason);
}
