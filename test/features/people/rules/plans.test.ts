import { describe, expect, test } from "vitest";
import { hasCeiling, parsePlans, planOf, selfHostedPlans } from "../../../../src/features/people/rules/plans.ts";

function parse(file: unknown) {
  return parsePlans(typeof file === "string" ? file : JSON.stringify(file));
}

function plansOf(file: unknown) {
  const reading = parse(file);
  if (!reading.ok) throw new Error(reading.problems.join("\n"));
  return reading.plans;
}

test("without a file, the only plan is self-hosted and has no limits", () => {
  expect(planOf(selfHostedPlans, "anything")).toMatchObject({ name: "self-hosted", ceilings: {} });
  expect(hasCeiling(selfHostedPlans, "testsPerMonth")).toBe(false);
});

test("a plan has only the limits in its file", () => {
  const plans = plansOf({
    plans: {
      free: { label: "Free", testsPerMonth: 100, seedInboxes: 1, domains: null },
      pro: { stripePriceId: "price_1" },
    },
    default: "free",
  });
  expect(planOf(plans, "free")).toEqual({
    name: "free",
    label: "Free",
    ceilings: { testsPerMonth: 100, seedInboxes: 1, workspaces: 1 },
    stripePriceId: null,
  });
  expect(planOf(plans, "pro")).toEqual({ name: "pro", label: "pro", ceilings: {}, stripePriceId: "price_1" });
  expect(hasCeiling(plans, "testsPerMonth")).toBe(true);
  expect(hasCeiling(plans, "domains")).toBe(false);
});

test("a plan with any limit allows one workspace, unless it says otherwise", () => {
  const plan = (entry: object) => planOf(plansOf({ plans: { a: entry }, default: "a" }), "a").ceilings;
  expect(plan({})).toEqual({});
  expect(plan({ domains: 3 })).toEqual({ domains: 3, workspaces: 1 });
  expect(plan({ domains: 3, workspaces: 4 })).toEqual({ domains: 3, workspaces: 4 });
  expect(plan({ domains: 3, workspaces: null })).toEqual({ domains: 3 });
});

test("a workspace with a plan that left the file has the default plan", () => {
  const plans = plansOf({ plans: { free: { tokens: 1 } }, default: "free" });
  expect(planOf(plans, "retired").name).toBe("free");
});

test("a file without a default plan uses self-hosted", () => {
  const plans = plansOf({ plans: { pro: { tokens: 5 } } });
  expect(plans.fallback).toMatchObject({ name: "self-hosted", ceilings: {} });
  expect(planOf(plansOf({ plans: { "self-hosted": { tokens: 5 } } }), "x").ceilings).toEqual({
    tokens: 5,
    workspaces: 1,
  });
});

describe("an invalid plans file is rejected", () => {
  test.each([
    ["", "it is not a JSON object"],
    ["[]", "it is not a JSON object"],
    [{}, '"plans" is not an object'],
    [{ plans: {}, defualt: "x" }, 'unknown key "defualt" (known: plans, default)'],
    [{ plans: {}, default: "x" }, '"default" is not the name of a plan in the file'],
    [{ plans: {}, default: 7 }, '"default" is not the name of a plan in the file'],
    [{ plans: { a: null } }, 'plan "a": it is not an object'],
    [{ plans: { "A b": {} } }, "a plan's name must be 1 to 40"],
    [{ plans: { a: { label: " " } } }, 'plan "a": "label" must have'],
    [{ plans: { a: { seats: 1 } } }, 'plan "a": unknown key "seats"'],
    [{ plans: { a: { tokens: 1.5 } } }, '"tokens" must be a whole number'],
    [{ plans: { a: { tokens: -1 } } }, '"tokens" must be a whole number'],
    [{ plans: { a: { tokens: "3" } } }, '"tokens" must be a whole number'],
    [{ plans: { a: { stripePriceId: 4 } } }, '"stripePriceId" must be'],
    [{ plans: { a: { stripePriceId: "p" }, b: { stripePriceId: "p" } } }, 'plans "a" and "b"'],
  ])("an invalid plans file is rejected for %j: %s", (file, problem) => {
    const reading = parse(file);
    expect(reading.ok ? [] : reading.problems).toEqual([expect.stringContaining(problem)]);
  });

  test("an invalid plans file is rejected with all its errors at once", () => {
    const reading = parse({ plans: { a: { tokens: -1, seats: 2 }, b: 1 }, default: "c" });
    expect(reading.ok ? [] : reading.problems).toHaveLength(4);
  });
});
