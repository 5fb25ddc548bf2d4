import { parseRehearsalTag } from "../../analyzer/mail/headers/rehearsal-address.ts";
import { noSuchTest } from "../../platform/errors.ts";
import { type Route, route } from "../../platform/route.ts";
import { readTest } from "../tests/rows/tests.ts";
import { readRehearsal, toRehearsal } from "./contract.ts";
import { listAttempts, readRehearsalOf } from "./rows.ts";

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
