/** Size of a soak. */
export interface SoakSize {
  readonly consents: number;
  readonly accountsOfEach: number;
  readonly tpps: number;
  readonly psus: number;
  /** How long the load continues once every consent was used. */
  readonly seconds: number;
  readonly sampleSeconds: number;
  readonly callersAtOnce: number;
  /** Whether to run the built server; by default the sources, except in the gate, which builds first. */
  readonly built?: boolean;
}
