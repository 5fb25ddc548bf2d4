// A store that lets another request come between two writes of one.

import type { Store } from "../../src/platform/database/store.ts";

export function afterEachWrite(store: Store, run: () => Promise<unknown> | undefined): Store {
  return {
    ...store,
    write: async (work) => {
      const written = await store.write(work);
      await run();
      return written;
    },
  };
}
