import { describeRealAnswers } from './real-answers.ts';
import { ServerProcess } from './server-process.ts';

describeRealAnswers('a server on DuckDB with real data', (folder) => ServerProcess.start(folder));
