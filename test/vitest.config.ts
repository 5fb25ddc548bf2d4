import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/postgres.ts", "test/program-folder.ts"],
    // Long, because a slow machine is no fault: a test that hangs ends all the same.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    // A machine that stood still for a moment is no fault either. Who passed at the second try is marked "retry".
    retry: 1,
    // One core would be left out unless told; more files than cores make the slowest of them wait too long.
    maxWorkers: "100%",
    // No module keeps a state, so that all files of a worker share each: to import them anew costs a file seconds.
    isolate: false,
  },
});
