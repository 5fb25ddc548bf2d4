// assay unsubscribe for users and pipelines, against a real server.

import { expect, test } from "vitest";
import { run } from "../../../src/commands.ts";
import { openUnsubscribeWorld, startListServer } from "../../http/unsubscribe-world.ts";
import { testTerminal } from "../../platform/cli/terminal.ts";

async function openWorld(status = 200) {
  const list = await startListServer((_, response) => response.writeHead(status).end("ok"));
  const world = await openUnsubscribeWorld();
  const id = await world.arrive({ unsubscribe: `<https://unsub.example:${list.port}/u>` });
  const assay = async (argv: readonly string[], typed: string | null = null) => {
    const terminal = {
      ...testTerminal({ ASSAY_URL: world.base, ASSAY_TOKEN: world.token }, typed ?? ""),
      isTerminal: typed !== null,
    };
    const exitCode = await run(argv, terminal);
    return { exitCode, output: terminal.output(), complaints: terminal.complaints() };
  };
  return { ...world, list, id, assay };
}

test("assay unsubscribe asks for confirmation, and sends nothing without it", async () => {
  const { list, id, assay } = await openWorld();
  const piped = await assay(["unsubscribe", id]);
  expect(piped).toMatchObject({ exitCode: 2, complaints: expect.stringContaining("Pass --yes") });
  for (const typed of ["\n", "n\n", "", "yes please\n"]) {
    const { exitCode, complaints } = await assay(["unsubscribe", id], typed);
    expect([typed, exitCode]).toEqual([typed, 2]);
    expect(complaints).toContain("This really unsubscribes anyone@seed.example");
    expect(complaints).toContain("Nothing was sent.");
  }
  expect(list.connections()).toBe(0);
  const agreed = await assay(["unsubscribe", id], "y\n");
  expect(agreed).toMatchObject({ exitCode: 0, output: expect.stringContaining("accepted the request (200)") });
  expect(list.heard).toHaveLength(1);
  expect(await assay(["unsubscribe", id, "--yes"])).toMatchObject({
    exitCode: 1,
    complaints: expect.stringContaining("already requested"),
  });
  expect(list.heard).toHaveLength(1);
  expect((await assay(["unsubscribe", id, "--yes", "--again", "--json"])).exitCode).toBe(0);
  expect(list.heard).toHaveLength(2);
});

test("assay unsubscribe sets its exit status by the outcome", async () => {
  const { id, assay, clock, arrive, list } = await openWorld(500);
  expect(await assay(["unsubscribe", id, "--yes"])).toMatchObject({
    exitCode: 1,
    output: expect.stringContaining("error (500)"),
  });
  expect((await assay(["unsubscribe", id, "--status"])).exitCode).toBe(0);
  clock.nowMs += 3 * 86_400_000;
  await arrive({ unsubscribe: `<https://unsub.example:${list.port}/u>`, number: 2 });
  const status = await assay(["unsubscribe", id, "--status"]);
  expect(status.exitCode).toBe(1);
  expect(status.output).toContain("still arrives");
  expect(list.heard).toHaveLength(1);
  expect((await assay(["unsubscribe", `tst_${"0".repeat(26)}`, "--yes"])).exitCode).toBe(4);
  expect((await assay(["unsubscribe", id, "--method", "fax"])).exitCode).toBe(2);
});
