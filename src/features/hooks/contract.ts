// Webhooks that email providers call: what they report about mail that was sent, and mail that they received
// (src/decisions.md, "Incoming webhooks").

import { z } from "zod";
import { defineEndpoint } from "../../platform/contract/endpoint.ts";
import { identifier, listOf, name, timestamp } from "../../platform/contract/primitives.ts";
import { hookProblems, hookProofs, hookPurposes } from "./rules/hook.ts";
import { hookProviders, hookProviderTable } from "./rules/providers.ts";

const provider = z.enum(hookProviders);

const purpose = z
  .enum(hookPurposes)
  .describe(
    "`feedback`: bounces, complaints, and deliveries. `mail`: messages that the provider received, which become tests.",
  );

const problem = z.enum(Object.keys(hookProblems) as [keyof typeof hookProblems]);

const incomingHook = z
  .strictObject({
    id: identifier("incomingHook"),
    provider,
    purpose,
    label: z.string(),
    missing: z.enum(["signingKey", "topicArn"]).nullable().describe("What must be set before it can receive anything."),
    proof: z
      .enum(hookProofs)
      .describe(
        "What is verified on each request. `signature`: a signature of the whole request. `token`: a signature that does not cover the content. `password`: only the URL and its password.",
      ),
    topicArn: z.string().nullable().describe("The topic that may publish here, if the provider needs one."),
    domain: z.string().nullable().describe("Events that do not name their sending domain are counted for this one."),
    createdAt: timestamp,
    lastReceivedAt: timestamp.nullable(),
    received: z.int().describe("Events and messages that were accepted."),
    repeated: z.int().describe("Events and messages that had been accepted before. They count once."),
    refused: z.int().describe("Requests that were refused."),
    lastProblem: problem.nullable().describe("Why the last refused request was refused."),
    says: z.strictObject({
      provider: z.string(),
      proof: z.string(),
      problem: z.string().nullable(),
      steps: z.array(z.string()).describe("What to do at the provider."),
    }),
    lastProblemAt: timestamp.nullable(),
  })
  .meta({ id: "IncomingHook" });

export type IncomingHook = z.infer<typeof incomingHook>;

const providerChoice = z
  .strictObject({
    provider,
    label: z.string(),
    purposes: z.array(purpose),
    needs: z
      .enum(["signingKey", "topicArn"])
      .nullable()
      .describe("The field that must be set before it can receive feedback."),
    needsName: z.string().nullable().describe("What the provider calls that field."),
    makesSecret: z.boolean().describe("Whether its requests are signed with a secret that Assay creates."),
  })
  .meta({ id: "IncomingHookProvider" });
export type HookProviderChoice = z.infer<typeof providerChoice>;

const withSecrets = incomingHook
  .extend({
    url: z.string().optional().describe("Shown only once: what to enter at the provider."),
    secret: z.string().optional().describe("Shown only once: what the provider’s requests must be signed with."),
  })
  .meta({ id: "IncomingHookWithSecrets" });

const signingKey = z
  .string()
  .max(4_000)
  .nullable()
  .describe(`${toNames("signingKey")} Stored encrypted and never returned.`);
const topicArn = z.string().max(400).nullable().describe(toNames("topicArn"));
const domain = z.string().max(255).nullable();

export type IncomingHookWithSecrets = z.infer<typeof withSecrets>;

export const listIncomingHooks = defineEndpoint({
  method: "GET",
  path: "/api/incoming-hooks",
  token: "read",
  summary: "Lists the webhooks that providers call, oldest first, and the providers that are supported.",
  answer: listOf(incomingHook)
    .extend({ providers: z.array(providerChoice) })
    .meta({ id: "IncomingHooks" }),
});

export const createIncomingHook = defineEndpoint({
  method: "POST",
  path: "/api/incoming-hooks",
  token: "admin",
  summary: "Creates a webhook for a provider to call. Only this response and that of `newUrl` contain its URL.",
  body: z
    .strictObject({
      provider,
      purpose,
      label: name,
      signingKey: signingKey.default(null),
      topicArn: topicArn.default(null),
      domain: domain.default(null),
    })
    .meta({
      examples: [{ provider: "postmark", purpose: "feedback", label: "Transactional mail", domain: "example.com" }],
    }),
  answer: withSecrets,
  errors: ["conflict"],
});

export const changeIncomingHook = defineEndpoint({
  method: "PATCH",
  path: "/api/incoming-hooks/:id",
  token: "admin",
  summary: "Changes an incoming webhook, or replaces its URL or secret. The old one stops working.",
  body: z
    .strictObject({
      ...z.strictObject({ label: name, signingKey, topicArn, domain }).partial().shape,
      newUrl: z.literal(true).optional(),
      newSecret: z.literal(true).optional().describe("Only for providers with `makesSecret`."),
    })
    .meta({ examples: [{ label: "Newsletter" }, { newUrl: true }] }),
  answer: withSecrets,
  errors: ["missing_name"],
});

export const deleteIncomingHook = defineEndpoint({
  method: "DELETE",
  path: "/api/incoming-hooks/:id",
  token: "admin",
  summary: "Deletes an incoming webhook. Its URL stops working. What it reported is kept.",
});

/** What each provider calls the field. */
function toNames(field: "signingKey" | "topicArn"): string {
  const sentences = Object.values(hookProviderTable).flatMap(({ label, key }) =>
    key.from === "member" && key.field === field ? [`${label}: ${key.name}.`] : [],
  );
  return sentences.join(" ");
}

const call = {
  method: "POST",
  access: "public",
  params: z.strictObject({ key: z.string().max(200).describe("From the URL.") }),
  body: { mediaType: "*/*" },
  answer: z.strictObject({
    received: z.int().describe("Events or messages that were accepted."),
    repeated: z.int().describe("Those that had been accepted before."),
    ignored: z.int().describe("Events that are no bounce, complaint, or delivery."),
  }),
  status: 200,
  errors: [
    ...(["forbidden", "not_found", "conflict", "plan_limit", "rate_limited", "overloaded"] as const),
    ...(["payload_too_large", "unsupported_media_type"] as const),
  ],
} as const;

export const receiveIncomingHook = defineEndpoint({
  ...call,
  path: "/hooks/:key",
  summary: "Receives the webhook of a provider, in the provider’s format and with its signature.",
});

export const receiveRawMailHook = defineEndpoint({
  ...call,
  path: "/hooks/:key/mime",
  summary: "The same. Mailgun posts messages unparsed only to URLs that end with `mime`.",
});
