// Sums over a workspace's messages in a span of time. Whole numbers, so that adding and subtracting leaves no remainder,
// and sums of parts equal the sum of the whole.

export type PlacementCount = {
  /** All placements, and how many count as each folder. */
  placed: number;
  inbox: number;
  spam: number;
  promotions: number;
};

type ProviderPlaced = PlacementCount & {
  /** How many of them were observed instead of predicted. */
  observed: number;
};

export type Numbers = PlacementCount & {
  tests: number;
  /** Tests with a composite, and the sum of their composites in tenths. */
  scored: number;
  points: number;
  bounces: number;
  complaints: number;
};

type Issue = {
  tests: number;
  /** The sum in hundredths of a point. */
  cost: number;
  /** A test with this finding, the newest known one; null if it was deleted. */
  example: string | null;
};

/** Separate from the numbers, because there are many findings and only one week of them is shown. */
export type Details = {
  readonly providers: Record<string, ProviderPlaced>;
  readonly issues: Record<string, Issue>;
  /** How many tests have a need (contribution.ts). Left out if none. */
  needing?: number;
};

export type Sums = { readonly numbers: Numbers; readonly details: Details };

export const placedNames = ["placed", "inbox", "spam", "promotions"] as const;
const providerNames = [...placedNames, "observed"] as const;
export const numberNames = [...placedNames, "tests", "scored", "points", "bounces", "complaints"] as const;

export function noNumbers(): Numbers {
  return { ...nothingPlaced(), tests: 0, scored: 0, points: 0, bounces: 0, complaints: 0 };
}

export function noDetails(): Details {
  return { providers: {}, issues: {} };
}

function nothingPlaced(): PlacementCount {
  return { placed: 0, inbox: 0, spam: 0, promotions: 0 };
}

/** `sign` -1 subtracts. */
export type Sign = 1 | -1;

export function addNumbers(into: Numbers, numbers: Numbers, sign: Sign = 1): void {
  for (const name of numberNames) into[name] += sign * numbers[name];
}

export function addDetails(into: Details, { providers, issues, needing }: Details, sign: Sign = 1): void {
  if (needing) into.needing = (into.needing ?? 0) + sign * needing;
  for (const provider in providers) {
    const placed = providers[provider];
    if (placed) addPlaced(into, provider, placed, sign);
  }
  for (const id in issues) {
    const issue = issues[id];
    if (issue) addIssue(into, id, issue, sign);
  }
}

export function addPlaced({ providers }: Details, provider: string, placed: ProviderPlaced, sign: Sign): void {
  const sum = providers[provider] ?? { ...nothingPlaced(), observed: 0 };
  providers[provider] = sum;
  for (const name of providerNames) sum[name] += sign * placed[name];
  if (providerNames.every((name) => sum[name] === 0)) delete providers[provider];
}

export function addIssue({ issues }: Details, id: string, issue: Issue, sign: Sign): void {
  const sum = issues[id] ?? { tests: 0, cost: 0, example: null };
  issues[id] = sum;
  sum.tests += sign * issue.tests;
  sum.cost += sign * issue.cost;
  sum.example = chooseExample(sum.example, issue.example, sign);
  if (sum.tests === 0 && sum.cost === 0) delete issues[id];
}

/** Removes examples whose tests were deleted. Another sum's example may replace them. */
export function forgetExamples({ issues }: Details, gone: ReadonlySet<string | null>): void {
  for (const id in issues) {
    const issue = issues[id];
    if (issue && gone.has(issue.example)) issue.example = null;
  }
}

function chooseExample(known: string | null, other: string | null, sign: Sign): string | null {
  if (sign === -1) return known === other ? null : known;
  // An identifier starts with its time.
  return (known ?? "") > (other ?? "") ? known : other;
}

export function noSums(): Sums {
  return { numbers: noNumbers(), details: noDetails() };
}

export function addSums(into: Sums, { numbers, details }: Sums, sign: Sign = 1): void {
  addNumbers(into.numbers, numbers, sign);
  addDetails(into.details, details, sign);
}

export function isZero(numbers: Numbers): boolean {
  return numberNames.every((name) => numbers[name] === 0);
}

export function isEmpty({ providers, issues, needing }: Details): boolean {
  return !needing && Object.keys(providers).length === 0 && Object.keys(issues).length === 0;
}

// Calendar days in a time zone: with 23 or 25 hours when clocks change, and without days that a zone skipped.

export type Day = {
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly beginsAt: number;
};

/** The last `count` days up to the day of `now`, oldest first. */
export function lastDays(now: number, timeZone: string, count: number): Day[] {
  const days: Day[] = [];
  let day = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).startOfDay();
  for (let left = count; left > 0; left--) {
    days.unshift({ date: day.toPlainDate().toString(), beginsAt: day.epochMilliseconds });
    day = day.subtract({ nanoseconds: 1 }).startOfDay();
  }
  return days;
}

/**
 * An IANA time zone. Offsets such as +05:45 are not valid, because they have no clock changes and may not be a multiple
 * of 15 minutes.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[a-z][\w+/-]{0,63}$/i.test(name)) return false;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId !== "";
  } catch {
    return false;
  }
}
