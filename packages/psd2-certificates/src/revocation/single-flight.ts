/** Runs an action once for all who ask for it under one key while it runs. */
export type SingleFlight<Value> = (key: string, act: () => Promise<Value>) => Promise<Value>;

/** Makes one; finished actions are not remembered. */
export function createSingleFlight<Value>(): SingleFlight<Value> {
  const flights = new Map<string, Promise<Value>>();
  return (key, act) => {
    const flight = flights.get(key) ?? act().finally(() => flights.delete(key));
    flights.set(key, flight);
    return flight;
  };
}
