import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig, type TestProjectConfiguration } from "vitest/config";
import { ExpensiveFirst } from "./expensive-first.ts";
import { computing, isWhole, lane, leftOut } from "./lanes.ts";
import { Progress } from "./progress.ts";
import { filesThatRanWhole } from "./ran-whole.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const notHere = [...configDefaults.exclude, ...(lane === "rest" ? filesThatRanWhole(root) : [])];

/** Long, because a slow machine is no fault: a test that hangs ends all the same. */
const timeouts = { testTimeout: 120_000, hookTimeout: 180_000 };

const projects: readonly TestProjectConfiguration[] = [
  { extends: true, test: { name: "computing", include: computing, exclude: notHere } },
  {
    extends: true,
    test: {
      name: "running",
      include: ["test/**/*.test.ts"],
      exclude: [...notHere, ...computing, ...leftOut],
      globalSetup: ["test/postgres.ts", "test/program-folder.ts"],
      setupFiles: ["test/bundled-threads.ts"],
    },
  },
];

export default defineConfig({
  root,
  test: {
    projects: lane === "quick" ? projects.slice(0, 1) : [...projects],
    ...timeouts,
    expect: { poll: { timeout: 60_000 } },
    reporters: process.stdout.isTTY ? ["default"] : [["minimal", { silent: false }], new Progress()],
    sequence: { sequencer: ExpensiveFirst },
    // More than cores, because files wait for the disk, a browser, another program or for time to pass.
    maxWorkers: Math.ceil(availableParallelism() * (isWhole ? 2 : 1.5)),
    // No module keeps a state, so that all files of a worker share each: to import them anew costs a file seconds.
    isolate: false,
  },
});
