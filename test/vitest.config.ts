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
    // Most of them wait for sockets and clocks; one core would be left out unless told.
    maxWorkers: "100%",
  },
});
