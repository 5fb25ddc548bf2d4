// Plans and their limits (src/decisions.md, "Plans"), from the operator's file. `default` is the plan of new
// workspaces, and of workspaces whose plan is no longer in the file, so that a renamed plan doesn't lift all limits.
// Without it, the default is `self-hosted`, which has no limits and always exists.

import { isJsonObject, parseJson, unknownKeys } from "../../../analyzer/json.ts";
export const ceilings = [
  "testsPerMonth",
  "domains",
  "alerts",
  "seedInboxes",
  "tokens",
  "members",
  "workspaces",
] as const;
export type Ceiling = (typeof ceilings)[number];

export type Plan = {
  readonly name: string;
  readonly label: string;
  /** Limits by name. A missing one is unlimited. */
  readonly ceilings: Readonly<Partial<Record<Ceiling, number>>>;
  /** At the payment provider. Null: the plan is not for sale. */
  readonly stripePriceId: string | null;
};

export type Plans = {
  /** In the order of the file. */
  readonly list: readonly Plan[];
  readonly fallback: Plan;
};

type PlansReading =
  | { readonly ok: true; readonly plans: Plans }
  | { readonly ok: false; readonly problems: readonly string[] };

const selfHosted: Plan = { name: "self-hosted", label: "Self-hosted", ceilings: {}, stripePriceId: null };

export const selfHostedPlans: Plans = { list: [selfHosted], fallback: selfHosted };

export function hasPlans({ list }: Plans): boolean {
  return list.some(({ name }) => name !== selfHosted.name);
}

/** The plan of the visitors' workspace, which is bounded by the public page. No file can name a plan like this. */
export const visitorsPlan = "public tests";

export function planOf({ list, fallback }: Plans, name: string): Plan {
  if (name === visitorsPlan) return selfHosted;
  return list.find((plan) => plan.name === name) ?? fallback;
}

/** Whether the ceiling applies to any workspace. If not, no count is needed. */
export function hasCeiling({ list }: Plans, ceiling: Ceiling): boolean {
  return list.some((plan) => plan.ceilings[ceiling] !== undefined);
}

/** Reports all problems of the file at once. */
export function parsePlans(text: string): PlansReading {
  const file = parseJson(text);
  if (!isJsonObject(file)) return { ok: false, problems: ["it is not a JSON object"] };
  const problems = unknownKeys(file, ["plans", "default"], "");
  if (!isJsonObject(file.plans)) return { ok: false, problems: [...problems, '"plans" is not an object'] };
  const list = Object.entries(file.plans).map(([name, entry]) => readPlan(name, entry, problems));
  problems.push(...sharedPrices(list));
  const { default: wanted = selfHosted.name } = file;
  const fallback = list.find(({ name }) => name === wanted);
  if (fallback) return problems.length > 0 ? { ok: false, problems } : { ok: true, plans: { list, fallback } };
  if (wanted !== selfHosted.name) problems.push('"default" is not the name of a plan in the file');
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, plans: { list: [...list, selfHosted], fallback: selfHosted } };
}

function readPlan(name: string, entry: unknown, problems: string[]): Plan {
  const place = `plan ${JSON.stringify(name.slice(0, 60))}: `;
  const say = (problem: string) => problems.push(place + problem);
  if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(name))
    say("a plan's name must be 1 to 40 lowercase letters, digits, and hyphens");
  if (!isJsonObject(entry)) {
    say("it is not an object");
    return { ...selfHosted, name };
  }
  problems.push(...unknownKeys(entry, ["label", "stripePriceId", ...ceilings], place));
  const { label = name, stripePriceId = null } = entry;
  if (!isText(label, 100)) say('"label" must have 1 to 100 characters');
  if (stripePriceId !== null && !isText(stripePriceId, 255))
    say('"stripePriceId" must be the ID of a price, like price_1Abc');
  const bounds: Partial<Record<Ceiling, number>> = {};
  for (const ceiling of ceilings) {
    const most = entry[ceiling] ?? undefined;
    if (most === undefined) continue;
    if (Number.isSafeInteger(most) && Number(most) >= 0) bounds[ceiling] = Number(most);
    else say(`"${ceiling}" must be a whole number of at least 0 (leave it out for no limit)`);
  }
  // Otherwise, another workspace would be a way around every other limit of the plan.
  if (Object.keys(bounds).length > 0 && entry.workspaces === undefined) bounds.workspaces = 1;
  return { name, label: String(label), ceilings: bounds, stripePriceId: stripePriceId as string | null };
}

/** A payment must identify one plan. */
function sharedPrices(list: readonly Plan[]): string[] {
  const sold = list.filter(({ stripePriceId }) => stripePriceId !== null);
  return [...Map.groupBy(sold, ({ stripePriceId }) => stripePriceId).values()]
    .filter(({ length }) => length > 1)
    .map((sharing) => `plans ${sharing.map(({ name }) => `"${name}"`).join(" and ")} have the same "stripePriceId"`);
}

function isText(value: unknown, most: number): value is string {
  return typeof value === "string" && value.trim() !== "" && value.length <= most;
}
