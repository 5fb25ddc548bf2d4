// Unsubscribing the address that received a test, and what shows that it worked (src/decisions.md, "Unsubscribe").

import { z } from "zod";
import { unsubscribeMethods } from "../../analyzer/reports/unsubscribe.ts";
import { requirementIds, unsubscribeResults } from "../../analyzer/reports/unsubscribe-outcome.ts";
import { proofStates } from "../../analyzer/reports/unsubscribe-proof.ts";
import { visitLinks, visitResults } from "../../analyzer/reports/unsubscribe-visit.ts";
import { defineEndpoint } from "../../platform/contract/endpoint.ts";
import { identifier, timestamp } from "../../platform/contract/primitives.ts";

const method = z
  .enum(unsubscribeMethods)
  .describe("`one-click`: the POST request of RFC 8058. `mailto`: a message through the server’s relay.");

const mail = z.array(z.strictObject({ testId: identifier("test"), receivedAt: timestamp }));

const proof = z
  .strictObject({
    state: z
      .enum(proofStates)
      .describe(
        "`waiting`: less than two days ago, and nothing arrived since. `allowed`: mail of the list arrived, but within two days. `quiet`: nothing arrived after two days. `receiving`: mail of the list arrived more than two days after the request.",
      ),
    says: z.string(),
    deadline: timestamp.describe("Two days after the request."),
    within: mail.describe("Mail of the list within the two days, oldest first."),
    after: mail.describe("Mail of the list after them, oldest first, at most 25."),
    otherLists: mail.describe(
      "Mail after them from the same domain at the same address, with another List-Id, or without anything that shows the list. Some senders change it with each mailing.",
    ),
  })
  .meta({ id: "UnsubscribeProof" });

const attempt = z
  .strictObject({
    id: identifier("unsubscribe"),
    createdAt: timestamp,
    createdBy: z.string().nullable(),
    method,
    target: z.string().describe("The URL or the email address."),
    recipient: z.string().describe("The address that was unsubscribed."),
    finishedAt: timestamp.nullable(),
    result: z
      .enum([...unsubscribeResults, "pending", "unknown"])
      .describe(
        "`accepted`: a 2xx response, or the relay took the message. `rejected`: any other response. `unclear`: a 2xx response with a login page or a form. `unreachable`: no response. `refused`: not sent, because the address is not public. `pending`: in progress. `unknown`: the server stopped before it could store the outcome.",
      ),
    says: z.string(),
    status: z.int().nullable(),
    durationMs: z.number().nullable(),
    bodyBytes: z.int().nullable().describe("Size of the response, at most 262144."),
    location: z.string().nullable().describe("The target of a redirect, which is not followed."),
    reply: z.string().nullable().describe("What the relay replied."),
    requirements: z.array(
      z.strictObject({
        id: z.enum(requirementIds),
        met: z.boolean().nullable().describe("`null`: the response does not show it."),
        says: z.string(),
      }),
    ),
    proof,
  })
  .meta({ id: "UnsubscribeAttempt" });
export type UnsubscribeAttempt = z.infer<typeof attempt>;

const link = z
  .enum(visitLinks)
  .describe(
    "`header`: the web address in List-Unsubscribe. `body`: the first visible unsubscribe link in the message.",
  );

const visit = z
  .strictObject({
    ...attempt.pick({ id: true, createdAt: true, createdBy: true, target: true, finishedAt: true }).shape,
    ...attempt.pick({ says: true, status: true }).shape,
    link,
    result: z
      .enum([...visitResults, "pending", "unknown"])
      .describe(
        "`page`: only a page with a form that asks for confirmation, which is right. `unsubscribed`: the page says that the address was unsubscribed. `unclear`: the response does not show it for sure. `unreachable`: no response. `refused`: not opened, because the address is not public. `pending`: in progress. `unknown`: the server stopped before it could store the outcome.",
      ),
    location: z.string().nullable().describe("The last address, if the link redirects."),
    shows: z.string().nullable().describe("The beginning of the page’s text."),
  })
  .meta({ id: "UnsubscribeVisit" });
export type UnsubscribeVisit = z.infer<typeof visit>;

const way = z.strictObject({
  method,
  possible: z.boolean(),
  why: z.string().nullable().describe("Why it is not possible."),
  target: z.string().nullable(),
  signedBy: z.string().nullable().describe("Domain of the DKIM signature that covers the headers."),
});

const unsubscribes = z
  .strictObject({
    recipient: z.string().nullable().describe("The address that a request would unsubscribe."),
    ways: z.array(way),
    attempts: z.array(attempt).describe("Newest first."),
    visitableHeader: z
      .string()
      .nullable()
      .describe(
        "The web address in List-Unsubscribe, which can be opened. The message’s `links` have the one in its body.",
      ),
    visits: z.array(visit).describe("Links that were opened as a mail scanner would, newest first."),
    earlier: z
      .strictObject({
        testId: identifier("test"),
        createdAt: timestamp,
        late: z.boolean().describe("This message arrived more than two days after the request."),
        says: z.string(),
      })
      .nullable()
      .describe("An earlier request for the list of this message, from another test."),
  })
  .meta({ id: "Unsubscribes" });
export type Unsubscribes = z.infer<typeof unsubscribes>;

export const readUnsubscribes = defineEndpoint({
  method: "GET",
  path: "/api/tests/:id/unsubscribe",
  token: "read",
  summary:
    "Shows how the message can be unsubscribed, the requests so far, and whether mail of the list still arrives. Sends nothing.",
  answer: unsubscribes,
});

export const requestUnsubscribe = defineEndpoint({
  method: "POST",
  path: "/api/tests/:id/unsubscribe",
  token: "write",
  summary:
    "Really unsubscribes the address that received the message: sends the one-click POST request (RFC 8058), or a message to the mailto address. Requires a passing DKIM signature that covers the unsubscribe headers. At most 5 requests per minute and 100 per day in a workspace. A second request for the same test returns `conflict` unless `again` is true.",
  body: z
    .strictObject({
      method: method.optional().describe("Defaults to one-click if possible, otherwise mailto."),
      again: z.boolean().default(false).describe("Repeat a request that was made before."),
    })
    .meta({ examples: [{ method: "one-click" }, { again: true }] }),
  answer: unsubscribes,
  status: 200,
  errors: ["conflict", "rate_limited"],
});

export const visitUnsubscribe = defineEndpoint({
  method: "POST",
  path: "/api/tests/:id/unsubscribe/visit",
  token: "write",
  summary:
    "Opens an unsubscribe link of the message with GET, as a mail scanner would, and says whether it only showed a page. If the link is wrong, this unsubscribes the address. Needs no DKIM signature, so open only links of your own mail. Follows up to 5 redirects, sends no cookies, and runs no scripts. Counts toward the limits of unsubscribe requests.",
  body: z.strictObject({ link }).meta({ examples: [{ link: "header" }, { link: "body" }] }),
  answer: unsubscribes,
  status: 200,
  errors: ["conflict", "rate_limited", "overloaded"],
});
