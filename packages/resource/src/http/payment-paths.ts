import type { Route } from "@cobs/service-edge";

/** Paths from which the examples of the standard omit `/my`: one payment, and its authorizations. */
const OF_ONE_PAYMENT = /^\/cobs\/2\.0\/my\/payments\/:paymentId/;

/**
 * Repeats a route of payments or balance checks under the other paths that the standard prints for it: without `/my`,
 * as in the examples of COBS 3.2.6 to 3.2.11, and with a slash at the end. Nothing else differs.
 */
export function withPrintedPaths(route: Route): readonly Route[] {
  const { path } = route;
  const paths = OF_ONE_PAYMENT.test(path) ? [path, path.replace("/my/", "/")] : [path];
  return paths.flatMap((each) => [
    { ...route, path: each },
    { ...route, path: `${each}/` },
  ]);
}
