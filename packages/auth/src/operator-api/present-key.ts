import type { KeyFacts } from "../keys/server-key.ts";

/** Presents a key in the operator API, without its secret. */
export function presentKey({ signsFrom, retiresAt, endsAt, ...key }: KeyFacts) {
  return {
    kid: key.kid,
    use: key.use,
    state: key.state,
    announcedAt: key.announcedAt.toISOString(),
    signsFrom: signsFrom.toISOString(),
    retiresAt: retiresAt?.toISOString() ?? null,
    endsAt: endsAt?.toISOString() ?? null,
    madeBy: key.madeBy ?? null,
    droppedBy: key.droppedBy ?? null,
  };
}
