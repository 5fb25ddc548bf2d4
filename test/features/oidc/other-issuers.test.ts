import { expect, test } from "vitest";
import { startHttpWorld } from "../../http/http-world.ts";

test("a start without sessions to end writes nothing", async () => {
  let writes = 0;
  await startHttpWorld({
    wrapStore: (store) => ({
      ...store,
      write: (work) => {
        writes += 1;
        return store.write(work);
      },
    }),
  });
  expect(writes).toBe(0);
});
