import { Console } from './console.ts';

/** The entry of the console. */
new Console().start();
