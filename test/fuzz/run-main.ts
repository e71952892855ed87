/** Ends the process with what a command answers, or with 2 and the usage where its options are wrong. */
export async function runMain(main: () => Promise<number>, usage: string): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
    process.exitCode = 2;
  }
}
