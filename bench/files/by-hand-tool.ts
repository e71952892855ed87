import { resolveProjectPath, type Tool } from './tool.ts';

/** A script as people write it: it reads lines, calls `JSON.parse` and applies the filter by hand. */
export const BY_HAND_TOOL: Tool = {
  name: 'by hand',
  command: (testCase, file) => [
    process.execPath,
    resolveProjectPath('bench/.build/files/by-hand-process.js'),
    testCase.name,
    file,
  ],
};
