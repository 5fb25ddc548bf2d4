import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { RetriesReporter } from "./retries.ts";
import { SlowestFirst } from "./slowest-first.ts";

// `npm run test:quick`: everything on SQLite that needs neither a browser nor a program of its own.
const isQuick = process.env.ASSAY_TESTS === "quick";
/** Files that wait for time to pass, start programs, or throw dice for long. */
const slow = [
  "test/{web,e2e,scripts,handbook}/**",
  "test/cli/spf-suite.test.ts",
  "test/http/{calibration,domains,domain-what-if,eml,interface-rules,malformed-*,sends,thrown-*}.test.ts",
  "test/laws/{isolation,monotone}.test.ts",
  "test/mail/{hostile-messages,html/hostile}.test.ts",
  "test/smtp/{abuse,smuggling}.test.ts",
  "test/store/{tests/random-lists,tests/lists,engine/write-queue}.test.ts",
  "test/system/dns.test.ts",
  "test/tasks/{tests/dashboard,domains/watcher,domains/drift,mailboxes/hostile,mailboxes/thread,monitors/expected,tests/replay}.test.ts",
];

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    include: ["test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...(isQuick ? slow : [])],
    globalSetup: ["test/postgres.ts", "test/program-folder.ts"],
    setupFiles: ["test/bundled-threads.ts"],
    // Long, because a slow machine is no fault: a test that hangs ends all the same.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    // A machine that stood still for a moment is no fault either. What passed at the second try is named at the end.
    retry: 1,
    reporters: ["default", new RetriesReporter()],
    sequence: { sequencer: SlowestFirst },
    // More than cores, because many files wait for a browser, another program or for time to pass.
    maxWorkers: availableParallelism() * 2,
    // No module keeps a state, so that all files of a worker share each: to import them anew costs a file seconds.
    isolate: false,
  },
});
