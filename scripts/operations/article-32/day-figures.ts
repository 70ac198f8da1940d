import type { BankDay } from "./bank-days.ts";
import type { PrometheusReader } from "./prometheus.ts";

/** Services that are published separately: accounts, payments, availability of an amount. */
export const KINDS = ["ais", "pis", "caf"] as const;

type Kind = (typeof KINDS)[number];

/** How one kind of request was answered on one day. */
export interface KindFigures {
  readonly requests: number;
  /** Undefined without requests. */
  readonly averageMilliseconds: number | undefined;
  /** Answers that report an error of the bank (5xx), in per cent of the requests; undefined without requests. */
  readonly errorPercent: number | undefined;
}

/** Figures that are published for one day (RTS Article 32(4), EBA/GL/2018/07 guideline 2). */
export interface DayFigures {
  readonly date: string;
  /** Per cent of the measured minutes; undefined if there were none. */
  readonly uptimePercent: number | undefined;
  readonly downtimePercent: number | undefined;
  readonly downtimeMinutes: number;
  /** Minutes of the day that are unknown because Prometheus itself did not run: the bank has to say what they were. */
  readonly unmeasuredMinutes: number;
  readonly kinds: Readonly<Record<Kind, KindFigures>>;
}

const MINUTE_MILLISECONDS = 60_000;

/** Computes the figures from what the recording rules have kept. */
export async function figuresOfDay(reader: PrometheusReader, day: BankDay): Promise<DayFigures> {
  const minutes = (day.end.getTime() - day.begin.getTime()) / MINUTE_MILLISECONDS;
  const overDay = (fold: string, record: string, label?: string) =>
    reader.valuesAt(`${fold}(${record}[${minutes}m])`, day.end, label);
  const [up, measured, requests, errors, seconds] = await Promise.all([
    overDay("sum_over_time", "interface:up"),
    overDay("count_over_time", "interface:up"),
    overDay("sum_over_time", "interface:requests:increase1m", "kind"),
    overDay("sum_over_time", "interface:errors:increase1m", "kind"),
    overDay("sum_over_time", "interface:seconds:increase1m", "kind"),
  ]);
  const figuresOf = (kind: Kind) =>
    kindFigures(requests.get(kind) ?? 0, errors.get(kind) ?? 0, seconds.get(kind) ?? 0);
  const count = Math.min(minutes, measured.get("") ?? 0);
  return {
    ...availability(Math.min(count, up.get("") ?? 0), count),
    date: day.date,
    unmeasuredMinutes: minutes - count,
    kinds: { ais: figuresOf("ais"), pis: figuresOf("pis"), caf: figuresOf("caf") },
  };
}

function availability(up: number, measured: number) {
  const uptimePercent = measured === 0 ? undefined : (up / measured) * 100;
  return {
    uptimePercent,
    downtimePercent: uptimePercent === undefined ? undefined : 100 - uptimePercent,
    downtimeMinutes: measured - up,
  };
}

function kindFigures(requests: number, errors: number, seconds: number): KindFigures {
  // Prometheus extrapolates, so counts are not whole numbers.
  const isNone = Math.round(requests) === 0;
  return {
    requests: Math.round(requests),
    averageMilliseconds: isNone ? undefined : (seconds / requests) * 1000,
    errorPercent: isNone ? undefined : Math.min(100, (errors / requests) * 100),
  };
}
