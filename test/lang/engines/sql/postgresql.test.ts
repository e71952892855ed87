import { describeCorpus } from './corpus.ts';
import { POSTGRESQL_DATABASES } from './postgresql-databases.ts';

for (const { name, open } of POSTGRESQL_DATABASES) describeCorpus(name, open, ['json', 'jsonRespelled', 'columns']);
