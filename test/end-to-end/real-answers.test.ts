import { describeRealAnswers } from './real-answers.ts';
import { ServerProcess } from './server-process.ts';

describeRealAnswers('real data over HTTP, in DuckDB', (folder) => ServerProcess.start(folder));
