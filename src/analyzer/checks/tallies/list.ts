// The providers with published rules, in the order in which reports show them.

import type { ProviderRules } from "../tally.ts";
import { appleRules } from "./apple.ts";
import { gmailRules } from "./gmail.ts";
import { microsoftRules } from "./microsoft.ts";
import { yahooRules } from "./yahoo.ts";

export const ruleLists: readonly ProviderRules[] = [gmailRules, yahooRules, microsoftRules, appleRules];
