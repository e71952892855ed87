import { describeCorpus } from './corpus.ts';
import { SQLITE_DATABASES } from './sqlite-databases.ts';

for (const { name, open } of SQLITE_DATABASES) describeCorpus(name, open, ['json', 'jsonRespelled', 'columns']);
