import { readFileSync, writeFileSync } from 'node:fs';
import { generated } from './generated.ts';

const file = (name: string) => new URL(name, import.meta.url);

for (const [name, text] of generated(readFileSync(file('onwhere.ebnf'), 'utf8'))) writeFileSync(file(name), text);
