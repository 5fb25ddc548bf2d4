// A program that closes its reading thread while an answer has arrived but isn't consumed yet.

import { createThreadReader } from "../../../src/platform/database/thread-reader.ts";

const reader = createThreadReader({ file: process.argv[2] ?? "", addonFile: undefined });
await reader.moveLog();
reader.moveLog().catch(() => {});
for (const until = performance.now() + 100; performance.now() < until; );
await reader.close();
console.log("closed");
