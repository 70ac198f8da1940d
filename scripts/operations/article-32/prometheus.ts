/** Asks a Prometheus for single numbers. */
export interface PrometheusReader {
  /** Values of an expression at a moment, by the value of one label; empty if there are none. */
  valuesAt(expression: string, at: Date, label?: string): Promise<ReadonlyMap<string, number>>;
}

/** Prometheus gave no usable answer; the text says why. */
export class PrometheusRefusal extends Error {
  override readonly name = "PrometheusRefusal";
}

interface VectorAnswer {
  readonly status?: string;
  readonly error?: string;
  readonly data?: {
    readonly result: readonly {
      readonly metric: Readonly<Record<string, string>>;
      readonly value: readonly [number, string];
    }[];
  };
}

const LIMIT_MILLISECONDS = 30_000;

/** Reads from the HTTP API below `base` (`GET /api/v1/query`). */
export function readPrometheus(base: URL): PrometheusReader {
  async function query(expression: string, at: Date): Promise<VectorAnswer> {
    const url = new URL(`${base.href.replace(/\/$/, "")}/api/v1/query`);
    url.search = new URLSearchParams({ query: expression, time: String(at.getTime() / 1000) }).toString();
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(LIMIT_MILLISECONDS) });
      return Object(await answer.json());
    } catch (cause) {
      throw new PrometheusRefusal(`${base.origin} does not answer as Prometheus does`, { cause });
    }
  }
  return {
    valuesAt: async (expression, at, label = "") => {
      const { status, error = "no result", data } = await query(expression, at);
      if (status !== "success" || data === undefined) throw new PrometheusRefusal(error);
      return new Map(data.result.map(({ metric, value }) => [metric[label] ?? "", Number(value[1])]));
    },
  };
}
