// The built program with receivers on loopback that hang, fail, reset, stream, respond slowly, are gone, or
// redirect.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testProgram } from "../program.ts";
import { runTrial, type Trial } from "./alert-trial.ts";

const command = await testProgram();

describe("delivery to eight receivers, of which seven misbehave", () => {
  let dataDir: string;
  let trial: Trial;

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), "assay-receivers-"));
    trial = await runTrial({ command, dataDir });
  });
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  function of(name: string) {
    const row = trial.rows.find((candidate) => candidate.name === name);
    if (!row) throw new Error(`There is no receiver that ${name}.`);
    const { got } = row.receiver;
    return { ...row, got, ids: new Set(got.map(({ id }) => id)), statuses: row.deliveries.map((one) => one.status) };
  }

  test("delivery reaches the working receiver with each event once, before the first attempt at the hanging one ends", () => {
    const { got, ids, statuses } = of("works");
    // In the order in which they were analyzed, several at a time.
    expect(got.map(({ original }) => original).sort()).toEqual([0, 1, 2].map((number) => `${number}@sender.example`));
    expect(ids.size).toBe(3);
    expect(statuses).toEqual(["delivered", "delivered", "delivered"]);
    expect(trial.hangingWhenDone).toBe(1);
  });

  test("delivery has at most one open request per webhook", () => {
    for (const { name, receiver } of trial.rows) expect([name, receiver.mostAtOnce()]).toEqual([name, 1]);
  });

  test("delivery repeats failed events with the same ID, next to newer events", () => {
    for (const name of ["answers 500", "resets"]) {
      const { got, ids, statuses } = of(name);
      expect(ids.size).toBe(3);
      expect(got.length).toBeGreaterThan(3);
      expect(statuses).toEqual(["pending", "pending", "pending"]);
      for (const id of ids) expect(new Set(got.filter((one) => one.id === id).map((one) => one.original)).size).toBe(1);
    }
  });

  test("delivery counts as successful for a receiver that streams its response forever", () => {
    expect(of("streams forever")).toMatchObject({ statuses: ["delivered", "delivered", "delivered"] });
    expect(of("streams forever").got).toHaveLength(3);
  });

  test("delivery does not count as successful for a receiver that sends its headers forever", () => {
    expect(of("drips headers").statuses).not.toContain("delivered");
  });

  test("delivery stops after one request to a receiver that answers 410", () => {
    const { got, enabled, statuses } = of("answers 410");
    expect(got).toHaveLength(1);
    expect(enabled).toBe(false);
    expect(statuses).toEqual(["dead", "dead", "dead"]);
  });

  test("delivery does not follow a redirect", () => {
    expect(trial.redirected).toBe(0);
    expect(of("redirects").statuses).not.toContain("delivered");
  });
});
