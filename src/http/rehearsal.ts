import { readRehearsal, toRehearsal } from "../api/rehearsal.ts";
import { noSuchTest } from "../errors.ts";
import { parseRehearsalTag } from "../rehearsal/address.ts";
import { listAttempts, readRehearsalOf } from "../store/rehearsal/rehearsals.ts";
import { readTest } from "../store/tests/tests.ts";
import { type Route, route } from "./route.ts";

export const rehearsalRoutes: readonly Route[] = [
  route(readRehearsal, async ({ store, params: { id } }, { system }) => {
    const test = await readTest(store.read, id);
    if (test === undefined) throw noSuchTest();
    const row = await readRehearsalOf(store.read, id);
    const asked = test.seed_inbox_id === null ? null : parseRehearsalTag(test.label);
    if (row === undefined) return { asked, rehearsal: null };
    const attempts = await listAttempts(store.read, row.test_id);
    const kept = { tag: row.tag, address: row.address, testId: row.test_id, attempts };
    return { asked, rehearsal: toRehearsal(kept, system.now()) };
  }),
];
