// Prints how many times slower the memory of this machine is than that of the machine on which the budgets of processor
// seconds were measured; 1 if it is faster. Other work beside a virtual machine can double the time of tests, and not
// that of programs that need little memory.

/** The least processor seconds of the work below there. */
const LEAST = 1.8;

const ROUNDS = 5;

const names = Array.from({ length: 200_003 }, (_, number) => `name ${number}`);

function measureWork() {
  const counts = new Map();
  const begun = process.cpuUsage();
  for (let number = 0; number < 4_000_000; number++) {
    const name = names[(number * 7919) % names.length];
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1e6;
}

const times = Array.from({ length: ROUNDS }, measureWork).sort((left, right) => left - right);
console.log(Math.max(1, times[Math.floor(ROUNDS / 2)] / LEAST).toFixed(2));
