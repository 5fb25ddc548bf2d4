// A token may be limited to the tests of one label.

import { noSuchTest } from "../../../platform/errors.ts";
import type { RequireOwnLabel } from "../../../platform/server.ts";
import { readTest } from "../rows/tests.ts";

/** A test with another label looks like one that doesn't exist. */
export const requireOwnLabel: RequireOwnLabel = async ({ labelToken }, label, params, store) => {
  if (label === null || labelToken !== "path") return;
  if (store === null) throw new Error("A token's label is about tests of a workspace.");
  for (const id of [params.id, params.other].filter((one) => one !== undefined))
    if ((await readTest(store.read, String(id)))?.label !== label) throw noSuchTest();
};
