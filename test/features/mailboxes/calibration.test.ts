import { describe, expect, test } from "vitest";
import { providers } from "../../../src/analyzer/placement/provider.ts";
import { worldWithCaller } from "../../http/interface-world.ts";
import { insertObservations } from "../../platform/database/observations.ts";

describe("GET /api/calibration", () => {
  test("GET /api/calibration returns how often each provider's predictions were right, with at least 20 observations", async () => {
    const { ask, store, workspace, receive } = await worldWithCaller();
    const observed = { workspaceId: workspace, testId: await receive() };
    const see = (times: number, more = {}) =>
      store.write((db) => insertObservations(db, { ...observed, ...more }, times));
    const read = async () => (await ask("GET", "/api/calibration")).json.providers;
    const rows = await read();
    expect(rows.map(({ provider }: { provider: string }) => provider)).toEqual(providers);
    expect(rows[0]).toEqual({ provider: "gmail", needed: 20, observations: 0, hitRate: null });
    await see(16);
    await see(3, { folder: "spam" });
    expect((await read())[0]).toMatchObject({ observations: 19, hitRate: null });
    await see(1, { folder: "spam" });
    const hitRate = { value: 0.8, low: 0.584, high: 0.9193 };
    expect((await read())[0]).toEqual({ provider: "gmail", needed: 20, observations: 20, hitRate });
  });

  test("the API no longer accepts prediction shifts", async () => {
    const { ask } = await worldWithCaller();
    expect(await ask("PUT", "/api/calibration/gmail", { shift: 0.4 })).toMatchObject({ status: 404 });
  });
});
