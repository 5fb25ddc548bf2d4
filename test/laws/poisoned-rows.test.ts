// One row that can't be served stops no other, and the log names it once. Each place that serves rows in the background
// is found in the code, and has a row that fails here.

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createServeRow } from "../../src/platform/work/serve-row.ts";
import { startHttpWorld } from "../http/http-world.ts";
import { cases } from "./poisoned-rows-table.ts";

const source = join(import.meta.dirname, "../../src");
const read = (file: string) => readFileSync(join(source, file), "utf8");
const files = globSync("features/**/*.ts", { cwd: source }).sort();

/** It begins a loop or a chore, or serves rows of one. */
const place = /\b(?:createWorkLoop|createJobQueue)[<(]|\b(?:serve|serveTogether)\(|\): Chore(?:\[\])? \{/;
/** Its rows are served in another file. */
const through: Readonly<Record<string, string>> = {
  "features/mailboxes/work/watcher.ts": "features/mailboxes/work/in-flight.ts",
};

test("each place that serves rows in the background has a row that fails", () => {
  const places = files.filter((file) => place.test(read(file))).map((file) => through[file] ?? file);
  expect([...new Set(places)].sort()).toEqual(Object.keys(cases).sort());
});

test("no chore and no hourly cleaning goes through rows without serving each", () => {
  const bare = /for (?:await )?\((?:const|let) .* of await list\w+\((?:terms\.)?store\.read/;
  const all = files.filter(
    (file) => place.test(read(file)) || /^export (?:async )?function (?:tidy|forget)/m.test(read(file)),
  );
  // A command, which tells the person who waits.
  const isCommand = (line: string) => line.includes("recount(");
  const found = all.flatMap((file) =>
    read(file)
      .split("\n")
      .flatMap((line, at, lines) =>
        bare.test(line) && !isCommand(line) && !/\b(?:serve|loop)\b/.test(lines.slice(at, at + 24).join("\n"))
          ? `${file}: ${line.trim()}`
          : [],
      ),
  );
  expect(found).toEqual([]);
});

test.each(Object.entries(cases))("%s serves the others, and names the row that fails once", async (_place, one) => {
  const world = await startHttpWorld({
    machine: { settings: { ASSAY_SEND_SMTP_URL: "smtp://127.0.0.1:9", ASSAY_BACKUP_TO: "/nowhere" } },
    road: { transport: "relay", deliver: async () => "250 OK", close() {} },
    fetchStranger: async () => ({ ok: false, failure: "unreachable", problem: "no receiver" }),
  });
  const workspaces = [];
  for (const name of ["One", "Two", "Three"]) workspaces.push((await world.createWorkspace(name)).id);
  const ids = workspaces.toSorted();
  const [bad = ""] = ids;
  const serve = createServeRow(world.system, "a row failed");
  const poisoned = { ...world, ids, bad, serve };
  await one.seed(poisoned);
  world.lines.length = 0;
  const run = await one.open(poisoned);
  await run();
  await expect.poll(() => one.listLeft(poisoned)).toEqual([bad]);
  world.clock.nowMs += 90_000;
  await run();
  const told = () => world.lines.filter(({ level, fields }) => level === "error" && (fields.row ?? fields.problem));
  await expect.poll(told).toHaveLength(1);
});
