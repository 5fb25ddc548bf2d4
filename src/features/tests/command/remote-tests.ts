// Tests at a server, as a command follows and prints them.

import { toVisible } from "../../../analyzer/visible-text.ts";
import { exitCodes, type Terminal } from "../../../platform/cli/command.ts";
import { isAway, type Server, ServerRefusal } from "../../../platform/cli/server.ts";
import { readSend } from "../../sending/contract.ts";
import { formatTest, type ReportFormat } from "../contract/report-formats.ts";
import { listTests, readTest } from "../contract/tests.ts";
import { canDraw } from "../formats/style.ts";
import { type Subject, toChecked } from "./output-options.ts";
import type { FollowedTest, TestSource } from "./wait.ts";

const mostCandidates = 100;

export function openTests(server: Server): TestSource {
  const read = (id: string) => orNothing(server.call(readTest, { params: { id } }));
  return {
    lookEveryMs: 1_000,
    isPassing: isAway,
    find: async ({ label, run, messageId, sendId, testId: known, isIn, since }): Promise<FollowedTest | undefined> => {
      if (known !== null) return await read(known);
      if (sendId !== null) {
        const { testId } = await server.call(readSend, { params: { id: sendId } });
        return testId === null ? undefined : await read(testId);
      }
      const query = {
        label: label ?? undefined,
        message_id: messageId ?? undefined,
        since: new Date(Math.max(since, 0)).toISOString(),
        search: run === null ? undefined : `to:+${run}`,
        limit: mostCandidates,
      };
      const { items } = await server.call(listTests, { query });
      const found = items.find(({ to }) => isIn(to));
      return found && { ...found, failure: null };
    },
    read,
    open: async (id) => {
      const test = await read(id);
      if (test === undefined || test.analysis === null) return undefined;
      const subject: Subject = {
        name: test.label ?? test.id,
        checked: toChecked(test),
        write: async (form, place) =>
          toPrintable(await server.download(formatTest, { params: { id }, query: toLook(form, place) })),
      };
      return subject;
    },
  };
}

async function orNothing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ServerRefusal && error.exitCode === exitCodes.nothingCame) return undefined;
    throw error;
  }
}

/** As the command would print it itself. */
export function toLook(format: ReportFormat, { columns, colour, environment }: Terminal) {
  if (format !== "text") return { format };
  const width = columns === null ? undefined : Math.min(Math.max(columns, 20), 1_000);
  return { format, columns: width, color: colour ? "1" : "0", ascii: canDraw(environment) ? "0" : "1" } as const;
}

/** Colors and line breaks (ECMA-48 §8.3.117), but nothing else that moves the cursor, whatever the server is. */
export function toPrintable(text: string): string {
  return text.replace(/\n|\p{Cc}(?:\[[\d;]{0,20}m)?/gu, (found) =>
    found === "\n" || (found.length > 1 && found.startsWith("\u001b")) ? found : toVisible(found),
  );
}
