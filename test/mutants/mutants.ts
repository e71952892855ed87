import { ACCESS_MUTANTS } from './access-mutants.ts';
import { ANSWER_MUTANTS } from './answer-mutants.ts';
import { ENGINE_MUTANTS } from './engine-mutants.ts';
import { FILTER_MUTANTS } from './filter-mutants.ts';
import { LANGUAGE_MUTANTS } from './language-mutants.ts';
import type { Mutant } from './mutant.ts';
import { RELATION_MUTANTS } from './relation-mutants.ts';
import { SERVICE_MUTANTS } from './service-mutants.ts';
import { SQL_MUTANTS } from './sql-mutants.ts';

/** All mutants. */
export const MUTANTS: readonly Mutant[] = [
  ...LANGUAGE_MUTANTS,
  ...ENGINE_MUTANTS,
  ...RELATION_MUTANTS,
  ...FILTER_MUTANTS,
  ...SQL_MUTANTS,
  ...SERVICE_MUTANTS,
  ...ACCESS_MUTANTS,
  ...ANSWER_MUTANTS,
];
