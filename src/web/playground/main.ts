import { Playground } from './playground.ts';

/** The entry of the page. */
new Playground().start();
