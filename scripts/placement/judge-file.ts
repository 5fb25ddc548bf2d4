// The facts and check results of a single message without DNS: what a prediction is based on when a file is uploaded on
// a machine without a network.

import { unknown } from "../../src/analyzer/checks/fact.ts";
import { checks } from "../../src/analyzer/checks/list.ts";
import { type Outcome, runChecks } from "../../src/analyzer/checks/run.ts";
import type { Dns } from "../../src/analyzer/dns/answer.ts";
import { gatherFacts } from "../../src/analyzer/facts/gather.ts";
import { readContent } from "../../src/analyzer/mail/content.ts";
import { tracePath } from "../../src/analyzer/mail/headers/delivery-path.ts";
import { readHeaderSection } from "../../src/analyzer/mail/headers/fields.ts";
import type { Message } from "../../src/analyzer/mail/mime/message.ts";
import { readMessage } from "../../src/analyzer/mail/mime/parse.ts";
import { claimedSession } from "../../src/analyzer/mail/session/session.ts";
import { noCircumstances, toKnownFacts } from "../../src/analyzer/reports/known-facts.ts";

const receiver = "mx.receiver.example";

const deadDns: Dns = {
  query: async (name, type) => ({
    name,
    type,
    status: "unreachable" as const,
    records: [],
    ttlSeconds: null,
    authenticated: false,
    server: null,
    durationMs: 0,
    at: 0,
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
