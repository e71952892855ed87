import { Console } from './console.ts';

/** The entry of the page. */
new Console().start();
