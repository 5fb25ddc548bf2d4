// Where this run's tests build the program that they start (program.ts): a folder of the run's own, gone at its end.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    programFolder: string;
  }
}

export function setup(project: TestProject): () => void {
  // Inside of the checkout, so that what is not bundled is found in node_modules.
  const build = fileURLToPath(new URL("../build", import.meta.url));
  mkdirSync(build, { recursive: true });
  const folder = mkdtempSync(join(build, "test-program-"));
  project.provide("programFolder", folder);
  return () => rmSync(folder, { recursive: true });
}
