// Where this run's tests build what they start: the program (program.ts), and at once its threads (bundled-threads.ts). A
// folder of the run's own, gone at its end.

import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Options } from "tsup";
import type { TestProject } from "vitest/node";
import { bundle } from "../tsup.config.ts";

declare module "vitest" {
  interface ProvidedContext {
    programFolder: string;
    /** The source of each thread of the program, and its bundle. */
    threadBundles: Readonly<Record<string, string>>;
  }
}

export async function setup(project: TestProject): Promise<() => void> {
  const root = fileURLToPath(new URL("..", import.meta.url));
  // Inside of the checkout, so that what is not bundled is found in node_modules.
  mkdirSync(join(root, "build"), { recursive: true });
  const folder = mkdtempSync(join(root, "build", "test-program-"));
  project.provide("programFolder", folder);

  const { entry, ...options } = bundle("checkout");
  const { main: _program, ...threads } = entry as Readonly<Record<string, string>>;
  const outDir = join(folder, "threads");
  const buildThreads = () => build({ ...options, entry: threads, outDir, config: false } satisfies Options);
  await buildThreads();
  project.provide(
    "threadBundles",
    Object.fromEntries(
      Object.entries(threads).map(([name, source]) => [join(root, source), join(outDir, `${name}.cjs`)]),
    ),
  );
  // While vitest watches, the source changes.
  project.onTestsRerun(async () => {
    for (const name of readdirSync(folder).filter((one) => !one.startsWith("threads")))
      rmSync(join(folder, name), { recursive: true });
    await buildThreads();
  });
  return () => rmSync(folder, { recursive: true });
}
