/** Runs a command and sets its exit code. After an error it prints the usage, and the exit code is 2. */
export async function runMain(main: () => Promise<number>, usage: string): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
    process.exitCode = 2;
  }
}
