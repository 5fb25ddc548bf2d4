// The providers that can call webhooks: each has a file, and a row here.

import { cloudflare } from "./cloudflare.ts";
import type { HookProviderFacts } from "./hook.ts";
import { mailgun } from "./mailgun.ts";
import { mailjet } from "./mailjet.ts";
import { postmark } from "./postmark.ts";
import { sendgrid } from "./sendgrid.ts";
import { ses } from "./ses.ts";

const rows = { ses, sendgrid, mailgun, postmark, mailjet, cloudflare };
type Rows = typeof rows;

export type HookProvider = keyof Rows;
export type FeedbackProvider = {
  [Provider in HookProvider]: Rows[Provider]["feedback"] extends null ? never : Provider;
}[HookProvider];

export const hookProviderTable: Readonly<Record<HookProvider, HookProviderFacts>> = rows;
export const hookProviders = Object.keys(rows) as readonly HookProvider[];
export const feedbackProviders = hookProviders.filter(reportsFeedback);

function reportsFeedback(provider: HookProvider): provider is FeedbackProvider {
  return hookProviderTable[provider].feedback !== null;
}
