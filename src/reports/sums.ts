// Sums over the messages of some span of time, of one workspace. Whole numbers, so that what is added and taken back
// again leaves nothing behind, and sums of spans are the sum of the whole.

export type Placed = {
  /** Placements whose folder is known, and how many of them in each. */
  placed: number;
  inbox: number;
  spam: number;
  promotions: number;
};

export type Numbers = Placed & {
  tests: number;
  /** Tests that have a composite, and the sum of these in tenths. */
  scored: number;
  points: number;
  bounces: number;
  complaints: number;
};

export type Issue = {
  tests: number;
  /** Summed, in hundredths of a point. */
  cost: number;
  /** A test that has it, the newest as far as is known; null where that one is gone. */
  example: string | null;
};

/** Apart from the numbers, because there are many of them and only a week's are ever shown. */
export type Details = {
  readonly providers: Record<string, Placed>;
  readonly issues: Record<string, Issue>;
};

export type Sums = { readonly numbers: Numbers; readonly details: Details };

const placedNames = ["placed", "inbox", "spam", "promotions"] as const;
export const numberNames = [...placedNames, "tests", "scored", "points", "bounces", "complaints"] as const;

export function noNumbers(): Numbers {
  return { ...nothingPlaced(), tests: 0, scored: 0, points: 0, bounces: 0, complaints: 0 };
}

export function noDetails(): Details {
  return { providers: {}, issues: {} };
}

function nothingPlaced(): Placed {
  return { placed: 0, inbox: 0, spam: 0, promotions: 0 };
}

/** `sign` -1 takes back what was added. */
export type Sign = 1 | -1;

export function addNumbers(into: Numbers, numbers: Numbers, sign: Sign = 1): void {
  for (const name of numberNames) into[name] += sign * numbers[name];
}

export function addDetails(into: Details, { providers, issues }: Details, sign: Sign = 1): void {
  for (const [provider, placed] of Object.entries(providers)) {
    const sum = into.providers[provider] ?? nothingPlaced();
    for (const name of placedNames) sum[name] += sign * placed[name];
    if (placedNames.some((name) => sum[name] !== 0)) into.providers[provider] = sum;
    else delete into.providers[provider];
  }
  for (const [id, issue] of Object.entries(issues)) {
    const { tests, cost, example } = into.issues[id] ?? { tests: 0, cost: 0, example: null };
    const sum = { tests: tests + sign * issue.tests, cost: cost + sign * issue.cost };
    if (sum.tests === 0 && sum.cost === 0) delete into.issues[id];
    else into.issues[id] = { ...sum, example: chooseExample(example, issue.example, sign) };
  }
}

function chooseExample(known: string | null, other: string | null, sign: Sign): string | null {
  if (sign === -1) return known === other ? null : known;
  // An identifier begins with its time.
  return (known ?? "") > (other ?? "") ? known : other;
}

export function isZero(numbers: Numbers): boolean {
  return numberNames.every((name) => numbers[name] === 0);
}

export function isEmpty({ providers, issues }: Details): boolean {
  return Object.keys(providers).length === 0 && Object.keys(issues).length === 0;
}
