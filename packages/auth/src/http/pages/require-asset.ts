import { EdgeRefusal } from "@cobs/service-edge";
import type { Asset } from "../../pages/asset.ts";

/** How long a browser keeps a file whose name changes with its content. */
export const KEPT_FOR_EVER = "public, max-age=31536000, immutable";

/** Finds a file by name. Refuses with `route_unknown`. */
export function requireAsset<Named extends Pick<Asset, "fileName">>(
  assets: readonly Named[],
  fileName: string | undefined,
): Named {
  const found = assets.find((each) => each.fileName === fileName);
  if (found !== undefined) return found;
  throw new EdgeRefusal("route_unknown", "there is nothing at this path");
}
