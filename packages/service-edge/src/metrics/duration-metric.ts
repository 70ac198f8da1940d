import { Histogram, type Registry } from "prom-client";

/** Durations of one kind: their counts by bound, and their sum. */
export interface Durations {
  readonly labels: Readonly<Record<string, string>>;
  /** One more than there are bounds: the last counts durations beyond all of them. */
  readonly within: number[];
  count: number;
  seconds: number;
}

/** Name of a histogram of durations, and its bounds in seconds. */
export interface DurationMetricOptions {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  readonly buckets: number[];
  readonly registry: Registry;
}

/**
 * A histogram of durations by kind. The caller keeps the record of a kind and counts by adding to it, because `prom-client`
 * would check and join the labels at each observation, which costs as much as checking the call's certificate.
 */
export class DurationMetric extends Histogram {
  readonly #options: DurationMetricOptions;
  readonly #kinds: Durations[] = [];

  constructor(options: DurationMetricOptions) {
    const { name, help, labelNames, buckets, registry } = options;
    super({ name, help, labelNames: [...labelNames], buckets, registers: [registry] });
    this.#options = options;
  }

  /** Begins the record of a kind; once for each. */
  kind(labels: Durations["labels"]): Durations {
    const within = [...this.#options.buckets, Number.POSITIVE_INFINITY].map(() => 0);
    const kind = { labels, within, count: 0, seconds: 0 };
    this.#kinds.push(kind);
    return kind;
  }

  /** Counts one duration. */
  add(kind: Durations, seconds: number): void {
    const { buckets } = this.#options;
    let at = 0;
    while (at < buckets.length && seconds > (buckets[at] ?? 0)) at += 1;
    kind.within[at] = (kind.within[at] ?? 0) + 1;
    kind.count += 1;
    kind.seconds += seconds;
  }

  /** `prom-client` calls this for a histogram's figures, both as text and as objects. */
  getForPromString() {
    const { name, help } = this.#options;
    const values = this.#kinds.flatMap((kind) => this.#valuesOf(kind));
    return { name, help, type: "histogram", aggregator: "sum", values };
  }

  #valuesOf({ labels, within, count, seconds }: Durations) {
    const { name, buckets } = this.#options;
    let sofar = 0;
    const upTo = [...buckets, "+Inf"].map((le, at) => {
      sofar += within[at] ?? 0;
      return { metricName: `${name}_bucket`, labels: { le, ...labels }, sharedLabels: {}, value: sofar };
    });
    return [
      ...upTo,
      { metricName: `${name}_sum`, labels: { ...labels }, sharedLabels: {}, value: seconds },
      { metricName: `${name}_count`, labels: { ...labels }, sharedLabels: {}, value: count },
    ];
  }
}
