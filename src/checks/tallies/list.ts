// The providers whose rules are counted, in the order in which they are shown.

import type { ProviderRules } from "../tally.ts";
import { appleRules } from "./apple.ts";
import { gmailRules } from "./gmail.ts";
import { microsoftRules } from "./microsoft.ts";
import { yahooRules } from "./yahoo.ts";

export const ruleLists: readonly ProviderRules[] = [gmailRules, yahooRules, microsoftRules, appleRules];
