import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/postgres.ts", "test/program-folder.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Most of them wait for sockets, clocks and browsers: one file a core would leave the cores idle half the time.
    maxWorkers: "150%",
  },
});
