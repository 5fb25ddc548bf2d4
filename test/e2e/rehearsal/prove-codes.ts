// Addresses that ask for a code or a rate, through a real Postfix: its log has the reply, and the command that got it.

import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { startQueue } from "./senders.ts";
import type { RehearsalWorld } from "./world.ts";

export type CodeResult = {
  readonly tag: string;
  /** As the log says it: `bounced 5.7.1: 550 5.7.1 … (in reply to RCPT TO command)`, one for each attempt. */
  readonly attempts: readonly string[];
};

const from = "ann@a.example";
const withinMs = 30_000;

/** Sends `count` messages to each, and waits for as many lines about it. */
export async function proveCodes(
  world: RehearsalWorld,
  tags: readonly { readonly tag: string; readonly count?: number; readonly lines: number }[],
): Promise<CodeResult[]> {
  const sender = await startQueue(world, { name: "postfix-codes", clientAddress: "203.0.113.30", home: null });
  try {
    const results: CodeResult[] = [];
    for (const { tag, count = 1, lines } of tags) {
      const to = world.toAddress(tag);
      for (let number = 0; number < count; number++) {
        const bytes = Buffer.from(`Subject: ${tag}\nMessage-ID: <${number}.${tag}@a.example>\n\nHello\n`);
        await sender.send({ from, to, bytes });
      }
      const deadline = Date.now() + withinMs;
      let attempts = readAttempts(sender.logFile, to);
      while (attempts.length < lines && Date.now() < deadline) {
        await pause(100);
        attempts = readAttempts(sender.logFile, to);
      }
      results.push({ tag, attempts });
    }
    return results;
  } finally {
    await sender.end();
  }
}

function readAttempts(logFile: string, to: string): string[] {
  const lines = readFileSync(logFile, "utf8").split("\n");
  return lines.flatMap((line) => {
    const [, dsn, status, says] = /dsn=([\d.]+), status=(\w+) \((.*)\)$/.exec(line) ?? [];
    if (!line.includes(`to=<${to}>`) || says === undefined) return [];
    return [`${status} ${dsn}: ${says.replace(/^host \S+ (?:said|refused to talk to me): /, "")}`];
  });
}
