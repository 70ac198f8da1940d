/**
 * Chooses the operating-system user for the database. PostgreSQL refuses to run as root, and wants its user to have a name. If
 * we are root, the candidates are in order: the present owner of the data; ourselves in a user namespace that maps root to
 * another number; an owner of the folders around it; `nobody`. The last two become owners of the folder.
 */
import { lstat } from "node:fs/promises";
import { dirname } from "node:path";
import { ifMissing } from "../processes/error-codes.ts";
import type { ClusterLayout } from "./cluster-layout.ts";
import { PostgresRefusal } from "./postgres-refusal.ts";
import { runProgram } from "./run-program.ts";

/** An identity: the ids to switch to (absent: keep ours), and a command that runs the program. */
export interface DatabaseUser {
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
  readonly prefix: readonly string[];
}

/** Our own identity, unchanged. */
export const OURSELVES: DatabaseUser = { prefix: [] };
const RENAMED = ["unshare", "-U", "--map-user=65534", "--"];
const NOBODY = 65534;

/**
 * Chooses the user who runs the database of an existing folder; we have `ownUid`, and `renaming` is the command that gives
 * root another number. Refuses with `folder-inaccessible` and `root-only`.
 */
export async function chooseDatabaseUser(
  layout: ClusterLayout,
  ownUid: number,
  renaming: readonly string[] = RENAMED,
): Promise<DatabaseUser> {
  if (ownUid !== 0) return ownUser(layout, ownUid);
  const owner = (await ownerOf(layout.data)) ?? (await ownerOf(layout.directory));
  if (owner && owner.uid !== 0) return named(owner);
  const renamed = { prefix: renaming };
  if (await canWrite(renamed, layout.directory)) return renamed;
  return giveAway(layout);
}

async function ownUser(layout: ClusterLayout, ownUid: number): Promise<DatabaseUser> {
  const owner = await ownerOf(layout.directory);
  if (owner && owner.uid !== ownUid) throw foreignFolder(layout.directory, owner.uid);
  return (await hasName(ownUid)) ? OURSELVES : { prefix: RENAMED };
}

/** The refusal of a folder that belongs to another operating-system user. */
export function foreignFolder(directory: string, uid?: number): PostgresRefusal {
  const owner = uid === undefined ? "another user" : `another user (uid ${uid})`;
  const advice = "Start as that user, or choose another folder.";
  return new PostgresRefusal(
    "folder-inaccessible",
    `The database folder ${directory} belongs to ${owner}. ${advice}`,
  );
}

/** Makes the user owner of a folder and its contents, unless that is us. */
export async function giveTo({ uid, gid }: DatabaseUser, directory: string): Promise<void> {
  if (uid !== undefined) await runProgram(["chown", "-hR", `${uid}:${gid ?? uid}`, directory], OURSELVES);
}

async function giveAway(layout: ClusterLayout): Promise<DatabaseUser> {
  for (const owner of await unprivilegedOwners(dirname(layout.directory))) {
    const user = await named(owner);
    if (!(await canEnter(user, dirname(layout.directory)))) continue;
    await giveTo(user, layout.directory);
    if (await canWrite(user, layout.directory)) return user;
  }
  throw new PostgresRefusal(
    "root-only",
    `PostgreSQL does not run as root, and no unprivileged user can reach ${layout.directory}. ` +
      "Start as an ordinary user, or choose a folder below one that everybody may enter.",
  );
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

async function unprivilegedOwners(directory: string): Promise<readonly Owner[]> {
  const owner = await ownerOf(directory);
  const above = directory === dirname(directory) ? [{ uid: NOBODY, gid: NOBODY }] : null;
  const others = above ?? (await unprivilegedOwners(dirname(directory)));
  return owner && owner.uid !== 0 ? [owner, ...others.filter(({ uid }) => uid !== owner.uid)] : others;
}

function ownerOf(path: string): Promise<Owner | undefined> {
  return lstat(path).catch(ifMissing(undefined));
}

async function named({ uid, gid }: Owner): Promise<DatabaseUser> {
  return { uid, gid, prefix: (await hasName(uid)) ? [] : RENAMED };
}

async function hasName(uid: number): Promise<boolean> {
  return (await runProgram(["id", "-un", String(uid)], OURSELVES)).failure === undefined;
}

async function canEnter(user: DatabaseUser, directory: string): Promise<boolean> {
  return (await runProgram(["test", "-x", directory], user)).failure === undefined;
}

async function canWrite(user: DatabaseUser, directory: string): Promise<boolean> {
  return (await runProgram(["test", "-w", directory], user)).failure === undefined;
}
