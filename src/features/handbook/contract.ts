// All checks, their points and how points become a score. Generated from the checks and tables that do the scoring.

import { z } from "zod";
import type { CheckCatalog } from "../../analyzer/checks/catalog.ts";
import { areas, type ListedCheck, owners, severities } from "../../analyzer/checks/check.ts";
import { kinds } from "../../analyzer/checks/kind.ts";
import { toReference, toReferences } from "../../analyzer/checks/references.ts";
import { type ProviderRules, type Rule, ruleProviders } from "../../analyzer/checks/tally.ts";
import { caps, largeProviders } from "../../analyzer/reports/caps.ts";
import { grades } from "../../analyzer/reports/grade-words.ts";
import {
  areaLabels,
  ceilings,
  maxStakes,
  repeatDivisor,
  stakeOf,
  weights,
  wording,
} from "../../analyzer/reports/score.ts";
import { secondReaderCheck } from "../../analyzer/reports/second-reader-check.ts";
import { toPagePath } from "../../handbook/pages.ts";
import { defineEndpoint } from "../../platform/contract/endpoint.ts";
import { pick, toSnakeCased } from "../../platform/contract/primitives.ts";
import { reference } from "../tests/contract/rules.ts";

const places =
  "Placeholders in {braces} are filled from the evidence. Text in [[double brackets]] is left out if its placeholder is empty.";

const sender = z.enum(["any", "bulk"]).describe("`bulk`: senders of more than about 5,000 messages a day.");

const checkGate = z.strictObject({
  provider: z.string(),
  sender,
  reply: z.string(),
  may: z.boolean(),
  conditional: z.boolean().describe("Whether it applies only to some cases of the finding."),
});

const checkFinding = z
  .strictObject({
    id: z.string(),
    severity: z.enum(severities),
    cost: z.number().describe("Points, out of the area's 100."),
    title: z.string().describe("A label of 2 to 6 words without evidence."),
    says: z.string().describe(`A sentence with the evidence. ${places}`),
    fix: z.string().nullable().describe(places),
    owner: z
      .enum(owners)
      .describe(
        "Who can fix it: the author of the email (`content`), the sending service, the DNS admin, or the mail server admin.",
      ),
    help: z.string().describe("Path of the handbook page that explains how to fix it."),
    gates: z.array(checkGate),
  })
  .meta({ id: "CheckFinding" });

const check = z
  .strictObject({
    id: z.string(),
    area: z.enum(areas),
    label: z.string().describe("A label of 1 to 4 words."),
    asks: z.string().describe('Completes "Asks …".'),
    why: z.string(),
    kinds: z.array(z.enum(kinds)).describe("Message types that the check applies to."),
    on: z.strictObject({ message: z.boolean(), domain: z.boolean() }),
    stake: z.number().describe("The highest cost among its findings. It is the check's weight in the area's coverage."),
    passes: z.string().describe(`Shown if nothing is found. ${places}`),
    references: z.array(reference),
    help: z.string().describe("Path of the handbook page about it."),
    findings: z.array(checkFinding),
  })
  .meta({ id: "Check" });
export type CheckEntry = z.infer<typeof check>;

const scoring = z.strictObject({
  areas: z.array(z.strictObject({ id: z.enum(areas), label: z.string(), weight: z.number() })),
  grades: z.array(z.strictObject({ grade: z.enum(["A", "B", "C", "D", "F"]), from: z.number() })),
  repeat_divisor: z.number().describe("Each repeated occurrence costs this many times less than the previous one."),
  max_stakes: z.number().describe("Maximum cost of a check, as a multiple of its stake."),
  wording: z.strictObject({ checks: z.array(z.string()), exempt: z.string(), max_cost: z.number() }),
  ceilings: z.strictObject({
    critical: z.strictObject({ value: z.number(), each_further: z.number(), each_major: z.number() }),
    major: z.strictObject({ value: z.number(), each_further: z.number() }),
    least: z.number(),
  }),
  caps: z.array(
    z.strictObject({
      value: z.number(),
      findings: z.array(z.string()).nullable(),
      refused_to: sender.nullable().describe("Any finding for which a large provider rejects the message."),
      except: z.array(z.string()),
    }),
  ),
  large_providers: z.array(z.string()),
});
export type Scoring = z.infer<typeof scoring>;

const providerRule = z.strictObject({
  rule: z.string(),
  sender,
  in_place_of: z.string().nullable(),
  asks: z.string(),
  explained_by: z.array(z.string()).describe("A `check.finding` ID, or a prefix followed by an asterisk."),
  reference,
});

const rulesOfProvider = z.strictObject({
  provider: z.enum(ruleProviders),
  rules: z.array(providerRule),
  unseen: z.array(z.string()),
});
export type RulesOfProvider = z.infer<typeof rulesOfProvider>;

const catalogue = z
  .strictObject({ checks: z.array(check), scoring, providers: z.array(rulesOfProvider) })
  .meta({ id: "Checks" });
export type Catalogue = z.infer<typeof catalogue>;

export const listChecks = defineEndpoint({
  method: "GET",
  path: "/api/checks",
  access: "public",
  summary: "Lists all checks and their points, and explains how the score is calculated.",
  answer: catalogue,
});

export function toCatalogue({ checks, ruleLists }: CheckCatalog): Catalogue {
  return {
    checks: [...checks.values(), secondReaderCheck].map(toEntry),
    scoring: toScoring(),
    providers: ruleLists.map(toRules),
  };
}

function toEntry(one: ListedCheck): CheckEntry {
  const { id, refs, runsOn, findings } = one;
  return {
    ...pick(one, ["id", "area", "label", "asks", "why", "passes"]),
    on: { ...runsOn },
    stake: stakeOf(one),
    kinds: runsOn.message ? [...(one.kinds === "all" ? kinds : one.kinds)] : [],
    references: refs.flatMap(toReferences),
    help: toPagePath(one.helpPage),
    findings: Object.entries(findings).map(([name, words]) => ({
      id: `${id}.${name}`,
      ...pick(words, ["severity", "cost", "title", "says", "fix", "owner"]),
      help: toPagePath(words.helpPage ?? one.helpPage),
      gates: (words.gates ?? []).map((gate) => ({
        ...pick(gate, ["provider", "sender", "reply"]),
        may: gate.may ?? false,
        conditional: gate.when !== undefined,
      })),
    })),
  };
}

function toScoring(): Scoring {
  return {
    areas: areas.map((id) => ({ id, label: areaLabels[id], weight: weights[id] / 100 })),
    grades: grades.map((one) => ({ ...one })),
    repeat_divisor: repeatDivisor,
    max_stakes: maxStakes,
    wording: toSnakeCased(wording),
    ceilings: toSnakeCased(ceilings),
    caps: caps.map((cap) => ({
      value: cap.value,
      findings: "findings" in cap ? [...cap.findings] : null,
      refused_to: "refusedTo" in cap ? cap.refusedTo : null,
      except: "except" in cap ? [...cap.except] : [],
    })),
    large_providers: [...largeProviders],
  };
}

function toRules({ provider, rules, reference: page, unseen }: ProviderRules): RulesOfProvider {
  const toRule = ({ id, sender, inPlaceOf, asks, explainedBy, alsoBy = [], reference: own }: Rule) => ({
    rule: id,
    sender,
    in_place_of: inPlaceOf ?? null,
    asks,
    explained_by: [...explainedBy, ...alsoBy],
    reference: toReference(own ?? page),
  });
  return { provider, rules: rules.map(toRule), unseen: [...unseen] };
}
