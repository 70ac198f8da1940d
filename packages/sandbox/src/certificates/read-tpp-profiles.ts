import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parseTppProfile, type TppProfile } from "./tpp-profile.ts";

/** The folder of the profiles, `certs/` at the top of the repository. */
const profileDirectory = fileURLToPath(new URL("../../../../certs/", import.meta.url));

/** Reads every profile of `certs/`: first the valid ones, then the wrong ones, each sorted by name. */
export async function readTppProfiles(directory = profileDirectory): Promise<readonly TppProfile[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith(".json"));
  const names = files.map((file) => file.slice(0, -".json".length)).sort();
  const profiles = await Promise.all(names.map((name) => readTppProfile(name, directory)));
  return [
    ...profiles.filter(({ wrong }) => wrong === null),
    ...profiles.filter(({ wrong }) => wrong !== null),
  ];
}

/** Reads one profile by its name, such as `aisp`. */
export async function readTppProfile(name: string, directory = profileDirectory): Promise<TppProfile> {
  const path = `${directory}/${name}.json`;
  return parseTppProfile(JSON.parse(await readFile(path, "utf8")), path);
}
