import { bankDayOf, nextBusinessDay } from "@cobs/cobs-model";

/**
 * Runs `act` as on a winter business day of banks at a time of Prague, such as `10:00`; only code in this process sees that
 * time.
 */
export async function onBusinessDay<T>(time: string, act: () => Promise<T>): Promise<T> {
  const RealDate = Date;
  const day = nextBusinessDay(["czech", "target"], bankDayOf(new RealDate()));
  const ahead = RealDate.parse(`${day}T${time}:00+01:00`) - RealDate.now();
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, newTarget) =>
      Reflect.construct(target, given.length === 0 ? [RealDate.now() + ahead] : given, newTarget),
    get: (target, name) => (name === "now" ? () => RealDate.now() + ahead : Reflect.get(target, name)),
  });
  return act().finally(() => {
    globalThis.Date = RealDate;
  });
}
