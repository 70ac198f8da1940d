import { bankDayOf, nextBusinessDay } from "@cobs/cobs-model";

/**
 * Runs something as on a business day of banks at a time of Prague in winter, `10:00`; what asks for the time in this process
 * alone is told it.
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
