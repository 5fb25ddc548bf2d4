import { expect, test } from "vitest";
import { changeWorkspace, readSending, readWorkspaces } from "../../../../src/features/people/rows/workspaces.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { insertWorkspaces } from "../../../platform/database/nouns.ts";

eachDialect("a workspace's sending volume", (open) => {
  async function openWithTwo() {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a", "wsp_b"));
    const change = (terms: Parameters<typeof changeWorkspace>[1]) =>
      store.write((db) => changeWorkspace(inWorkspace(db, "wsp_a"), terms));
    return { store, change };
  }

  test("a workspace's sending volume is unknown until an owner of that workspace sets it", async () => {
    const { store, change } = await openWithTwo();
    expect(await readSending(store.read, "wsp_a")).toMatchObject({ volume: null });
    await change({ sending_volume: "small" });
    expect(await readSending(store.read, "wsp_a")).toMatchObject({ volume: "small" });
    expect(await readSending(store.read, "wsp_b")).toMatchObject({ volume: null });
    await change({ name: "Better" });
    expect(await readWorkspaces(store.read, ["wsp_a"])).toMatchObject([{ name: "Better", sending_volume: "small" }]);
  });

  test("a workspace's sending volume is unknown to an analysis if the owner is not sure", async () => {
    const { store, change } = await openWithTwo();
    await change({ sending_volume: "unsure" });
    expect(await readSending(store.read, "wsp_a")).toMatchObject({ volume: null });
    expect(await readWorkspaces(store.read, ["wsp_a"])).toMatchObject([{ sending_volume: "unsure" }]);
  });
});
