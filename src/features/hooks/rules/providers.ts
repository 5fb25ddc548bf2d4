// The providers that can call webhooks: each has a file, and a row here.

import { cloudflare } from "./cloudflare.ts";
import type { HookProviderFacts } from "./hook.ts";
import { mailgun } from "./mailgun.ts";
import { mailjet } from "./mailjet.ts";
import { postmark } from "./postmark.ts";
import { sendgrid } from "./sendgrid.ts";
import { ses } from "./ses.ts";

const rows = { ses, sendgrid, mailgun, postmark, mailjet, cloudflare };

export type HookProvider = keyof typeof rows;

export const hookProviderTable: Readonly<Record<HookProvider, HookProviderFacts>> = rows;
export const hookProviders = Object.keys(rows) as readonly HookProvider[];
