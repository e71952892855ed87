import { Console } from './console.ts';

new Console().start();
