import { Playground } from './playground.ts';

/** The entry of the playground. */
new Playground().start();
