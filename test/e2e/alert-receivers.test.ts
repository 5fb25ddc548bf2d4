// The true program, and receivers on loopback that hang, fail, reset, stream, drip, are gone or send elsewhere.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runTrial, type Trial } from "../../scripts/alert-trial.ts";
import { testProgram } from "../program.ts";

const command = await testProgram();

describe("of eight receivers, of which seven misbehave", () => {
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

  test("the one that works gets each event once, before the first try of the one that hangs is over", () => {
    const { got, ids, statuses } = of("works");
    // In the order in which they were analyzed, several at a time.
    expect(got.map(({ original }) => original).sort()).toEqual([0, 1, 2].map((number) => `${number}@sender.example`));
    expect(ids.size).toBe(3);
    expect(statuses).toEqual(["delivered", "delivered", "delivered"]);
    expect(trial.hangingWhenDone).toBe(1);
  });

  test("no receiver ever has more than one request of a webhook's open", () => {
    for (const { name, receiver } of trial.rows) expect([name, receiver.mostAtOnce()]).toEqual([name, 1]);
  });

  test("those that fail get what failed again under the same id, and the newer events beside it", () => {
    for (const name of ["answers 500", "resets"]) {
      const { got, ids, statuses } = of(name);
      expect(ids.size).toBe(3);
      expect(got.length).toBeGreaterThan(3);
      expect(statuses).toEqual(["pending", "pending", "pending"]);
      for (const id of ids) expect(new Set(got.filter((one) => one.id === id).map((one) => one.original)).size).toBe(1);
    }
  });

  test("the one that streams its answer for ever has said that it took it", () => {
    expect(of("streams forever")).toMatchObject({ statuses: ["delivered", "delivered", "delivered"] });
    expect(of("streams forever").got).toHaveLength(3);
  });

  test("the one that drips its headers for ever has not", () => {
    expect(of("drips headers").statuses).not.toContain("delivered");
  });

  test("the one that is gone is asked once and switched off", () => {
    const { got, enabled, statuses } = of("answers 410");
    expect(got).toHaveLength(1);
    expect(enabled).toBe(false);
    expect(statuses).toEqual(["dead", "dead", "dead"]);
  });

  test("where a redirect leads nothing is sent", () => {
    expect(trial.redirected).toBe(0);
    expect(of("redirects").statuses).not.toContain("delivered");
  });
});
