// Raw messages that earlier versions stored as files, in one of 256 folders each. They are read until they are moved.

import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { type ObjectStore, ObjectTrouble } from "./objects.ts";
import { fileReasons } from "./private-file.ts";

export function createObjectDirectory(folder: string): Pick<ObjectStore, "get"> {
  return {
    get: async (key) => {
      try {
        return await readFile(join(folder, key.slice(-2), key)).catch(async (error) => {
          // An unmounted disk must not look like missing messages.
          if (codeOf(error) === "ENOENT" && (await stat(folder)).isDirectory()) return undefined;
          throw error;
        });
      } catch (error) {
        throw new ObjectTrouble(`${folder} cannot be used: ${fileReasons[codeOf(error)] ?? String(error)}`);
      }
    },
  };
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
