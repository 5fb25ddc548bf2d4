import { expect, test } from "vitest";
import { createIntake } from "../../../../src/features/intake/rows/intake.ts";
import { claimTests } from "../../../../src/features/tests/rows/tests.ts";
import { rememberKind } from "../../../../src/features/tests/work/kind-rules.ts";
import { withSettings } from "../../../../src/features/tests/work/path.ts";
import { storeOf } from "../../../../src/platform/database/scope.ts";
import { features } from "../../../../src/server.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { insertWorkspaces, message } from "../../../platform/database/nouns.ts";
import { testSystem } from "../../../test-system.ts";

eachDialect("the settings that messages are analyzed by", (open) => {
  test("messages that are claimed together have the same settings, and the next ones have what changed since", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a", "wsp_b"));
    const messages = ["t1", "t2", "t3", "t4"].map((id) => message(id, { receivedAt: 1_000 }));
    await createIntake(store).insert(messages);
    const claim = (limit: number) => {
      const lease = { now: 2_000, owner: "one", leaseMs: 60_000, limit };
      return store.write(async (db) => withSettings(features, db, await claimTests(db, lease)));
    };
    const [first, second] = await claim(2);
    const rule = { match: "label", value: "welcome", kind: "transactional" } as const;
    await rememberKind(storeOf(store, "wsp_a"), testSystem({ now: 2_500 }), rule);
    await rememberKind(storeOf(store, "wsp_b"), testSystem({ now: 2_600 }), { ...rule, value: "other" });
    const later = await claim(2);
    expect(first?.settings).toEqual(second?.settings);
    expect(first?.settings).toMatchObject({ kindRules: [], ownDomains: [], volume: null, outgoing: null });
    expect(later.map(({ settings }) => settings.kindRules)).toEqual([[rule], [rule]]);
  });
});
