import { prepareAuthContests } from "./auth-contests.ts";
import { startBenchBank } from "./bench-bank.ts";
import { BenchProcesses } from "./bench-process.ts";
import { type BenchSize, type Contest, runContest } from "./contest.ts";
import type { ContestParts } from "./contest-parts.ts";
import { measureCertificates, measureHistories } from "./other-sections.ts";
import { type Cores, pin } from "./processor.ts";
import { prepareResourceContests } from "./resource-contests.ts";
import { type BenchSection, presentContest } from "./section.ts";

/** What is measured, and how. */
export interface Measuring {
  readonly quick: boolean;
  /** With what the names begin. */
  readonly only: string;
  readonly cores: Cores;
  /** What a service needs of our own environment to run at all. */
  readonly inherited: Readonly<Record<string, string>>;
  /** Says what is under way. */
  readonly say: (line: string) => void;
}

const FULL: BenchSize = { rounds: 11, roundMilliseconds: 2_000 };
const QUICK: BenchSize = { rounds: 5, roundMilliseconds: 1_000 };

type Prepare = (parts: ContestParts) => Promise<readonly Contest[]>;
const CONTESTS: Readonly<Record<string, Prepare>> = {
  resource: prepareResourceContests,
  auth: prepareAuthContests,
};

/** Whether anything of a group may be wanted, of which only the beginning of the names is known. */
function isWanted(group: string, only: string): boolean {
  return `${group}/`.startsWith(only) || only.startsWith(`${group}/`) || only === group;
}

async function runContests(parts: ContestParts, group: string, measuring: Measuring) {
  const { only, quick, say } = measuring;
  const contests = (await CONTESTS[group]?.(parts)) ?? [];
  const sections: BenchSection[] = [];
  for (const contest of contests.filter(({ name }) => name.startsWith(only))) {
    say(`${contest.name}: warming up, and ${(quick ? QUICK : FULL).rounds} rounds`);
    const section = presentContest(await runContest(contest, quick ? QUICK : FULL, parts.load));
    for (const { name, ratio, goal } of section.ratios) say(`${name}: ${ratio}, at least ${goal}`);
    sections.push(section);
  }
  return sections;
}

/** The contests that need the whole bank. */
async function measureContests(measuring: Measuring): Promise<readonly BenchSection[]> {
  const groups = Object.keys(CONTESTS).filter((group) => isWanted(group, measuring.only));
  if (groups.length === 0) return [];
  const { cores, inherited, say } = measuring;
  say("starting the bank");
  pin(process.pid, cores.others, cores);
  const processes = new BenchProcesses(cores);
  const bank = await startBenchBank(cores, inherited);
  const sections: BenchSection[] = [];
  try {
    const parts = { bank, processes, load: processes.startCallers() };
    for (const group of groups) sections.push(...(await runContests(parts, group, measuring)));
  } finally {
    processes.end();
    await bank.stop();
  }
  return sections;
}

/** Measures everything that is wanted, one after the other. */
export async function measureSections(measuring: Measuring): Promise<readonly BenchSection[]> {
  const { only, quick, say } = measuring;
  const sections = [...(await measureContests(measuring))];
  if (isWanted("certificates", only)) {
    say("certificates");
    sections.push(await measureCertificates(quick));
  }
  if (isWanted("history", only)) {
    say("history");
    sections.push(await measureHistories(quick, say));
  }
  return sections;
}
