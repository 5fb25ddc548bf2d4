// Tools about messages: where to send one, what came, what its report says.

import { randomBytes } from "node:crypto";
import { z } from "zod";
import { longestLocalPart, matchSeedAddress, runLength, toRun } from "../../../analyzer/mail/headers/seed-address.ts";
import { labelPrefix } from "../../../analyzer/samples/letter.ts";
import { preparedMessages } from "../../../analyzer/samples/messages-table.ts";
import { Refusal } from "../../../platform/errors.ts";
import { listSeedInboxes } from "../../intake/contract/seed-inboxes.ts";
import { sendPrepared } from "../../samples/contract.ts";
import { listTests, readTest, type TestReport, type TestSummary } from "../../tests/contract/tests.ts";
import {
  type Answer,
  changes,
  detail,
  reads,
  type Tool,
  testId,
  toBrief,
  toLine,
  tool,
  toQuotedSummary,
} from "./tool.ts";

const label = z.string().min(1).max(200);

const findTests = tool({
  name: "find_tests",
  title: "Find tests",
  description: "Lists tested messages, newest first, with their score. Filters can be combined.",
  annotations: reads,
  input: z.strictObject({
    words: z.string().max(200).optional().describe("Words in the subject or sender."),
    label: label.optional().describe("The text after + in the seed address."),
    from_domain: z.string().max(300).optional().describe("Domain of the From address."),
    min_score: z.number().min(0).max(100).optional(),
    max_score: z.number().min(0).max(100).optional(),
    limit: z.int().min(1).max(50).default(10),
    cursor: z.string().max(100).optional().describe("From the previous response, for the next page."),
    detail,
  }),
  run: async ({ words, detail, ...query }, host) => {
    const { items, total, totalIsExact, next } = await host.call(listTests, { query: { ...query, q: words } });
    if (items.length === 0) return { own: "No tests found." };
    const count = `${items.length} of ${totalIsExact ? "" : "at least "}${total} tests`;
    const more = next === null ? "" : `\nMore: cursor ${next}`;
    return {
      own: `${count}:\n${items.map(toLine).join("\n")}${more}`,
      quoted: items.map((one) => (detail === "full" ? one : toQuotedSummary(one))),
    };
  },
});

const getReport = tool({
  name: "get_report",
  title: "Get a report",
  description: "The report of a test: score, authentication, placement and the issues to fix, most important first.",
  annotations: reads,
  input: z.strictObject({ test: testId, detail }),
  run: async ({ test, detail }, host) =>
    toReport(await host.call(readTest, { params: { id: test } }), detail === "full"),
});

function toReport(test: TestReport, isFull: boolean): Answer {
  const brief = toBrief(test);
  return isFull ? { ...brief, quoted: test } : brief;
}

/** Clients give up after 60 seconds unless configured. */
const longestWaitSeconds = 50;

const waitForTest = tool({
  name: "wait_for_test",
  title: "Wait for a test",
  description: `Waits for a message and returns its report. Waits at most ${longestWaitSeconds} seconds; call it again if nothing arrives.`,
  annotations: reads,
  input: z.strictObject({
    label: label.optional().describe("The label of the seed address: any message with it counts."),
    address: z
      .string()
      .max(320)
      .optional()
      .describe("Or the address that get_address returned: only its message counts."),
    since_minutes: z
      .int()
      .min(0)
      .max(1_440)
      .default(5)
      .describe("Also accepts a test that arrived up to this long before the call."),
    timeout_seconds: z.int().min(1).max(longestWaitSeconds).default(30),
    detail,
  }),
  run: async ({ timeout_seconds, since_minutes, detail, ...place }, host) => {
    const isWanted = toWanted(place);
    const since = new Date(host.now() - since_minutes * 60_000).toISOString();
    const until = AbortSignal.timeout(timeout_seconds * 1_000);
    // Listens before it looks, so that no test comes between the two.
    const events = host.listen();
    try {
      for (;;) {
        const query = { since, label: isWanted.label ?? undefined, limit: 100 };
        const { items } = await host.call(listTests, { query });
        const test = items.find(isWanted.matches);
        if (test?.status === "analyzed" || test?.status === "failed")
          return toReport(await host.call(readTest, { params: { id: test.id } }), detail === "full");
        if (await events.next(until)) continue;
        const state = test ? `${toLine(test)}. It has not been analyzed yet.` : "Nothing has arrived so far.";
        return { own: `${state} Call wait_for_test again.` };
      }
    } finally {
      events.leave();
    }
  },
});

type Wanted = { readonly label: string | null; readonly matches: (test: TestSummary) => boolean };

function toWanted(place: { label?: string | undefined; address?: string | undefined }): Wanted {
  if (place.label !== undefined) return { label: place.label, matches: () => true };
  const wanted = matchSeedAddress(place.address ?? "");
  if (wanted === undefined)
    throw new Refusal("invalid_request", "Pass a label, or an address that get_address returned.");
  return { label: wanted.label, matches: ({ to }) => wanted.isIn(to) };
}

const getAddress = tool({
  name: "get_address",
  title: "Get a seed address",
  description:
    "A new address to send one test message to. Pass it to wait_for_test, which then finds exactly that message. The test has the label, if you pass one.",
  annotations: reads,
  input: z.strictObject({
    label: z
      .string()
      .regex(/^[\w.-]{1,64}$/)
      .optional()
      .describe("Letters, digits, dots, hyphens and underscores, such as build-42."),
  }),
  run: async ({ label }, host) => {
    const { items } = await host.call(listSeedInboxes, {});
    const receiving = items.filter(({ receives }) => receives);
    const inbox = receiving.find(({ active }) => active) ?? receiving[0];
    if (inbox === undefined) throw new Refusal("conflict", "None of this workspace's seed inboxes receives mail.");
    const { domain } = inbox;
    const localPart = `${inbox.localPart}+${label === undefined ? "" : `${label}+`}${toRun(randomBytes(runLength))}`;
    if (localPart.length > longestLocalPart)
      throw new Refusal("invalid_request", "This label is too long for an email address. Choose a shorter one.");
    const isLocal = /(^|\.)localhost$/.test(domain);
    const note = isLocal ? "\nOnly the machine that runs the Assay server can send to a localhost address." : "";
    return { own: `${localPart}@${domain}${note}` };
  },
});

const sampleIds = preparedMessages.map(({ id }) => id);

const sendSample = tool({
  name: "send_sample",
  title: "Send a sample",
  description: `Sends a message from the sample gallery to this workspace, to try out Assay. It creates a test that does not count in any statistics, and sends nothing to anyone else. Samples: ${preparedMessages.map(({ id, title }) => `${id} (${title})`).join(", ")}.`,
  annotations: changes,
  input: z.strictObject({ sample: z.enum(sampleIds).default("sample") }),
  run: async ({ sample }, host) => {
    await host.call(sendPrepared, { body: { ids: [sample] } });
    return { own: `Sent. Use wait_for_test with the label ${labelPrefix}${sample}.` };
  },
});

export const testTools: readonly Tool[] = [findTests, getReport, waitForTest, getAddress, sendSample];
