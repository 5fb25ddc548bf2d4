// What a person does at a provider so that it calls a webhook, and what its requests prove. The server sends these, so that
// the web app doesn't carry them.

import type { HookProvider, HookPurpose } from "./rules/hook.ts";

export const hookLabels: Readonly<Record<HookProvider, string>> = {
  ses: "Amazon SES",
  sendgrid: "SendGrid",
  mailgun: "Mailgun",
  postmark: "Postmark",
  mailjet: "Mailjet",
  cloudflare: "Cloudflare Email Routing",
};

type Steps = Readonly<Partial<Record<HookPurpose, readonly string[]>>>;

const steps: Readonly<Record<HookProvider, Steps>> = {
  ses: {
    feedback: [
      "In Amazon SNS, create a standard topic, and enter its ARN under “Set up”.",
      "Create a subscription for the topic: protocol HTTPS, your webhook’s URL, raw message delivery off. Assay confirms it automatically.",
      "In Amazon SES, open your identity, then Notifications. Select the topic for bounces, complaints, and deliveries.",
    ],
    mail: [
      "In Amazon SNS, create a standard topic, and enter its ARN under “Set up”.",
      "Create a subscription for the topic: protocol HTTPS, your webhook’s URL, raw message delivery off. Assay confirms it automatically.",
      "In Amazon SES, add a receipt rule with the action “Publish to SNS topic” and the encoding Base64. SES bounces messages over 150 KB.",
    ],
  },
  sendgrid: {
    feedback: [
      "In SendGrid, open Settings, then Mail Settings, then Event Webhooks. Create a webhook with your webhook’s URL.",
      "Select Bounced, Spam Reports, and Delivered.",
      "Turn on Signed Event Webhook, and paste the verification key under “Set up”.",
    ],
    mail: [
      "In SendGrid, open Settings, then Inbound Parse. Add your host with your webhook’s URL.",
      "Check “POST the raw, full MIME message”.",
      "Optional: attach a security policy with a signature to the host, and paste its public key under “Set up”. Then only signed requests are accepted.",
    ],
  },
  mailgun: {
    feedback: [
      "In Mailgun, open Send, then Sending, then Webhooks. Add your webhook’s URL for Permanent Failure, Spam Complaints, and Delivered Messages.",
      "Copy the HTTP webhook signing key from API Security, and paste it under “Set up”.",
    ],
    mail: [
      "In Mailgun, open Receiving, and create a route that forwards to your webhook’s URL. It must end with “mime”, so that Mailgun posts the raw message.",
      "Copy the HTTP webhook signing key from API Security, and paste it under “Set up”.",
    ],
  },
  postmark: {
    feedback: [
      "In Postmark, open your server and message stream, then Webhooks. Add a webhook with your webhook’s URL, including the user name and password in it.",
      "Select Bounce, Spam complaint, and Delivery.",
    ],
    mail: [
      "In Postmark, open your server and its inbound stream, then Settings. Enter your webhook’s URL, including the user name and password in it.",
      "Check “Include raw email content in JSON payload”.",
    ],
  },
  mailjet: {
    feedback: [
      "In Mailjet, open Account, then Event notifications (webhooks). Enter your webhook’s URL, including the user name and password in it, for Bounce, Blocked, Spam, and Sent.",
    ],
  },
  cloudflare: {
    mail: [
      "In Cloudflare, create an Email Worker with the script in the handbook.",
      "Add two secrets to the Worker: WEBHOOK_URL with your webhook’s URL, and WEBHOOK_SECRET with its secret.",
      "In Email Routing, route an address, or all of them, to the Worker.",
    ],
  },
};

export function toSteps(provider: HookProvider, purpose: HookPurpose): string[] {
  return [...(steps[provider][purpose] ?? [])];
}

export type HookProof = "signature" | "token" | "password";

/** Anyone who knows the URL could report complaints, so those that aren't signed raise no problem of a domain. */
const unsignedFeedback = "What it reports is listed, but never raises an alert about a complaint rate.";

export function toProofWords(proof: HookProof, purpose: HookPurpose): string {
  const isUnsigned = proof === "password" && purpose === "feedback";
  return isUnsigned ? `${proofWords[proof]} ${unsignedFeedback}` : proofWords[proof];
}

const proofWords: Readonly<Record<HookProof, string>> = {
  signature: "Each request has a signature, which Assay verifies. It covers the whole request.",
  token:
    "Each request has a signature, which Assay verifies. It doesn’t cover the content, so HTTPS alone protects that.",
  password:
    "The provider signs nothing. The URL and its password are all that shows who sent a request, so keep them secret.",
};
