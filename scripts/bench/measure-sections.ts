import { planAuthContests } from "./auth-contests.ts";
import { startBenchBank } from "./bench-bank.ts";
import { BenchProcesses } from "./bench-process.ts";
import { type BenchSize, type PlannedContest, runContest } from "./contest.ts";
import type { ContestParts } from "./contest-parts.ts";
import { measureCertificates, measureHistories } from "./other-sections.ts";
import { measureProcesses } from "./processes/measure-processes.ts";
import { type Cores, pin } from "./processor.ts";
import { planResourceContests } from "./resource-contests.ts";
import { type BenchSection, presentContest } from "./section.ts";

/** What is measured, and how. */
export interface Measuring {
  readonly quick: boolean;
  readonly sample: boolean;
  /** Prefix of the wanted names. */
  readonly only: string;
  readonly cores: Cores;
  /** Variables of this process's environment without which a service cannot run. */
  readonly inherited: Readonly<Record<string, string>>;
  /** Reports progress. */
  readonly say: (line: string) => void;
}

const WARMING = { warmWindowMilliseconds: 2_000 };
const FULL: BenchSize = { ...WARMING, rounds: 11, roundMilliseconds: 2_000, mostWarmWindows: 30 };
const QUICK: BenchSize = { ...WARMING, rounds: 5, roundMilliseconds: 1_000, mostWarmWindows: 12 };

/** Only shows whether measuring works; its figures mean nothing. */
const SAMPLE: BenchSize = {
  rounds: 1,
  roundMilliseconds: 500,
  mostWarmWindows: 1,
  warmWindowMilliseconds: 200,
};

const CONTESTS: readonly PlannedContest[] = [...planResourceContests(), ...planAuthContests()];
/** Groups that are not contests. */
const GROUPS = ["processes", "certificates", "history"];

function sizeOf({ quick, sample }: Measuring): BenchSize {
  if (sample) return SAMPLE;
  return quick ? QUICK : FULL;
}

/** Whether anything of a group may be wanted; only a prefix of its names is known. */
function isWanted(group: string, only: string): boolean {
  return `${group}/`.startsWith(only) || only.startsWith(`${group}/`) || only === group;
}

/** Whether any measured name begins with this prefix. */
export function isMeasured(only: string): boolean {
  return contestsLike(only).length > 0 || GROUPS.some((group) => isWanted(group, only));
}

function contestsLike(only: string): readonly PlannedContest[] {
  return CONTESTS.filter(({ name }) => name.startsWith(only));
}

async function runContests(parts: ContestParts, measuring: Measuring) {
  const { only, say } = measuring;
  const size = sizeOf(measuring);
  const sections: BenchSection[] = [];
  for (const { name, prepare } of contestsLike(only)) {
    say(`${name}: warming up, and ${size.rounds} rounds`);
    const section = presentContest(await runContest(await prepare(parts), size, parts.load));
    for (const ratio of section.ratios) say(`${name}: ${ratio.ratio}, at least ${ratio.goal}`);
    sections.push(section);
  }
  return sections;
}

/** Measures the contests, which need the whole bank. */
async function measureContests(measuring: Measuring): Promise<readonly BenchSection[]> {
  const several = isWanted("processes", measuring.only);
  if (contestsLike(measuring.only).length === 0 && !several) return [];
  const { cores, inherited, say } = measuring;
  say("starting the bank");
  pin(process.pid, cores.others, cores);
  const processes = new BenchProcesses(cores);
  const bank = await startBenchBank(cores, inherited);
  const sections: BenchSection[] = [];
  try {
    const parts = { bank, processes, load: processes.startCallers() };
    sections.push(...(await runContests(parts, measuring)));
    const size = sizeOf(measuring);
    if (several) sections.push(...(await measureProcesses(parts, { ...measuring, size })));
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
