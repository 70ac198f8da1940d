import type { BankDay } from "./bank-days.ts";
import type { PrometheusReader } from "./prometheus.ts";

/** Services that are published apart: accounts, payments, availability of an amount. */
export const KINDS = ["ais", "pis", "caf"] as const;

type Kind = (typeof KINDS)[number];

/** What one kind of request was answered like on one day. */
export interface KindFigures {
  readonly requests: number;
  /** Undefined without requests. */
  readonly averageMilliseconds: number | undefined;
  /** Answers that say an error of the bank's (5xx), in per cent of the requests; undefined without requests. */
  readonly errorPercent: number | undefined;
}

/** What is published of one day (RTS Article 32(4), EBA/GL/2018/07 guideline 2). */
export interface DayFigures {
  readonly date: string;
  /** Of the minutes that were measured; undefined when none was. */
  readonly uptimePercent: number | undefined;
  readonly downtimePercent: number | undefined;
  readonly downtimeMinutes: number;
  /** Minutes of the day of which nothing is known, because Prometheus itself did not run: the bank has to say what they were. */
  readonly unmeasuredMinutes: number;
  readonly kinds: Readonly<Record<Kind, KindFigures>>;
}

const MINUTE_MILLISECONDS = 60_000;

/** Computes them from what the recording rules have kept. */
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
  // What Prometheus extrapolates is no whole number.
  const isNone = Math.round(requests) === 0;
  return {
    requests: Math.round(requests),
    averageMilliseconds: isNone ? undefined : (seconds / requests) * 1000,
    errorPercent: isNone ? undefined : Math.min(100, (errors / requests) * 100),
  };
}
