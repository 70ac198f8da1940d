import type { Route } from "@cobs/service-edge";

/** What the examples of the standard leave `/my` away from: one payment, and its authorizations. */
const OF_ONE_PAYMENT = /^\/cobs\/2\.0\/my\/payments\/:paymentId/;

/**
 * A route of payments or balance checks, and the same under the other paths that the standard prints for it: without
 * `/my`, as in the examples of COBS 3.2.6 to 3.2.11, and with a slash at the end. Nothing else differs.
 */
export function withPrintedPaths(route: Route): readonly Route[] {
  const { path } = route;
  const paths = OF_ONE_PAYMENT.test(path) ? [path, path.replace("/my/", "/")] : [path];
  return paths.flatMap((each) => [
    { ...route, path: each },
    { ...route, path: `${each}/` },
  ]);
}
