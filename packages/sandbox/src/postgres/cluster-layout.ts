import { join } from "node:path";

/** Where the launcher keeps its files, below its one folder. */
export interface ClusterLayout {
  readonly directory: string;
  /** The cluster, renamed into place as a whole: data and superuser password belong together. */
  readonly cluster: string;
  readonly data: string;
  readonly password: string;
  /** Links to the libraries of the embedded binaries. */
  readonly libraries: string;
  /** A copy of the binaries, made only if the database's user cannot reach the installed ones. */
  readonly binaries: string;
  readonly log: string;
  /** Who started the running server, and where it listens. */
  readonly state: string;
}

/** The layout below `directory`, an absolute path. */
export function clusterLayout(directory: string): ClusterLayout {
  const cluster = join(directory, "cluster");
  return {
    directory,
    cluster,
    ...clusterContents(cluster),
    libraries: join(directory, "libraries"),
    binaries: join(directory, "binaries"),
    log: join(directory, "server.log"),
    state: join(directory, "server.json"),
  };
}

/** The contents of a cluster's folder, whether in place or still under its temporary name. */
export function clusterContents(cluster: string): { readonly data: string; readonly password: string } {
  return { data: join(cluster, "data"), password: join(cluster, "superuser-password") };
}
