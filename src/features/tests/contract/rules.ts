// How many rules of each mailbox provider a message meets, as the Test resource shows it.

import { z } from "zod";
import type { CheckCatalog } from "../../../analyzer/checks/catalog.ts";
import { toReference } from "../../../analyzer/checks/references.ts";
import {
  type ProviderRules as RuleList,
  type RuleResult,
  ruleProviders,
  type Tally,
} from "../../../analyzer/checks/tally.ts";

export const reference = z.strictObject({
  title: z.string(),
  url: z.string().nullable().describe("`null` if the rule has no public page."),
});

const rule = z.strictObject({
  rule: z.string().describe("A stable ID."),
  asks: z.string().describe("What the provider requires."),
  met: z.boolean().nullable().describe("`null` if unknown or not applicable."),
  applies: z.boolean(),
  why: z.string(),
  findings: z.array(z.string()).describe("Findings that explain why it is not met, most severe first."),
  smtp_reply: z.string().nullable().describe("The SMTP reply if the rule is not met."),
  reference,
});

export const providerRules = z
  .strictObject({
    provider: z.enum(ruleProviders),
    met: z.int(),
    total: z.int().describe("Rules known to be met or not met. Rules with an unknown result are not counted."),
    unknown: z.int(),
    items: z.array(rule),
    unseen: z.array(z.string()).describe("Provider criteria that no single message can show."),
  })
  .meta({ id: "ProviderRules" });
type ProviderRules = z.infer<typeof providerRules>;

export function toProviderRules({ provider, items }: Tally, { ruleLists }: CheckCatalog): ProviderRules {
  const list = ruleLists.find((one) => one.provider === provider);
  const count = (standing: RuleResult["standing"]) => items.filter((item) => item.standing === standing).length;
  return {
    provider,
    met: count("met"),
    total: count("met") + count("not-met"),
    unknown: count("unknown"),
    items: list ? items.flatMap((item) => toItem(item, list)) : [],
    unseen: [...(list?.unseen ?? [])],
  };
}

/** Rules that were retired since are left out. */
function toItem(
  { rule: id, standing, why, findings, reply }: RuleResult,
  { rules, reference: page }: RuleList,
): ProviderRules["items"] {
  const known = rules.find((one) => one.id === id);
  if (!known) return [];
  return [
    {
      rule: id,
      asks: known.asks,
      met: standing === "met" ? true : standing === "not-met" ? false : null,
      applies: standing !== "not-applicable",
      why,
      findings: [...findings],
      smtp_reply: reply,
      reference: toReference(known.reference ?? page),
    },
  ];
}
