// The facts and check results of a single message without DNS: what a prediction is based on when a file is uploaded on
// a machine without a network.

import { unknown } from "../../src/checks/fact.ts";
import { checks } from "../../src/checks/list.ts";
import { type Outcome, runChecks } from "../../src/checks/run.ts";
import type { Dns } from "../../src/dns/answer.ts";
import { gatherFacts } from "../../src/facts/gather.ts";
import { readContent } from "../../src/mail/content.ts";
import { tracePath } from "../../src/mail/headers/delivery-path.ts";
import { readHeaderSection } from "../../src/mail/headers/fields.ts";
import type { Message } from "../../src/mail/mime/message.ts";
import { readMessage } from "../../src/mail/mime/parse.ts";
import { claimedSession } from "../../src/mail/session/session.ts";
import { noCircumstances, toKnownFacts } from "../../src/reports/known-facts.ts";

const receiver = "mx.receiver.example";

const deadDns: Dns = {
  query: async (name, type) => ({
    ...{ name, type, status: "unreachable" as const, records: [], ttlSeconds: null },
    ...{ authenticated: false, server: null, durationMs: 0, at: 0 },
  }),
};

export type JudgedFile = {
  readonly message: Message;
  readonly facts: ReturnType<typeof toKnownFacts>;
  readonly outcomes: readonly Outcome[];
};

export async function judgeFile(bytes: Buffer, receivedAt: number): Promise<JudgedFile> {
  const { message, raw } = readMessage(bytes);
  const section = readHeaderSection(bytes);
  const content = readContent(bytes, message);
  const session = claimedSession({ clientAddress: null, helo: null, mailFrom: null, rcptTo: [] });
  const sources = {
    share: () => deadDns,
    lists: async () => [],
    scan: async () => [],
    findMalware: async () => unknown("off"),
  };
  const input = { raw: bytes, session, receivedAt, receiver };
  const gathered = await gatherFacts({ ...input, message, section, contentDomains: [] }, sources);
  const received = tracePath({ ...input, section });
  const facts = toKnownFacts({ ...input, message, raw, content, received, ...gathered }, noCircumstances);
  const kind = facts.kind.value.kind;
  return { message, facts, outcomes: runChecks(checks, { on: "message", kind, facts }, rethrow) };
}

function rethrow(check: string, error: unknown): never {
  throw new Error(`${check} threw.`, { cause: error });
}
