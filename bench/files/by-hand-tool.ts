import { resolveProjectPath, type Tool } from './tool.ts';

/** A script as one would write it: lines, `JSON.parse`, and the filter by hand. */
export const BY_HAND_TOOL: Tool = {
  name: 'by hand',
  command: (testCase, file) => [
    process.execPath,
    resolveProjectPath('bench/.build/files/by-hand-process.js'),
    testCase.name,
    file,
  ],
};
