import { expect, test } from "vitest";
import { startHttpWorld } from "./http-world.ts";

async function startAsked() {
  const world = await startHttpWorld();
  const workspace = await world.createWorkspace("Ours");
  const asked = { token: (await world.issueToken(workspace.id)).token, workspace: workspace.id };
  /** What a program gets that polls with the tag of its last answer. */
  const poll = async (path: string) => {
    const { headers } = await world.ask("GET", path, asked);
    const tag = headers.get("etag") ?? "";
    return async () => {
      const { status, text } = await world.ask("GET", path, { ...asked, headers: { "if-none-match": tag } });
      return { status, isEmpty: text === "" };
    };
  };
  return { world, workspace, asked, poll };
}

const unchanged = { status: 304, isEmpty: true };
const changed = { status: 200, isEmpty: false };

test("a report that has not changed since the last request is not sent again, whatever else arrives", async () => {
  const { world, workspace, asked, poll } = await startAsked();
  const id = await world.receive(workspace.id);
  const waiting = await poll(`/api/tests/${id}`);
  expect(await waiting()).toEqual(unchanged);
  await world.analyzeAll();
  expect(await waiting()).toEqual(changed);
  const [full, brief] = [await poll(`/api/tests/${id}`), await poll(`/api/tests/${id}?detail=brief`)];
  world.clock.nowMs += 1_000;
  await world.receive(workspace.id);
  await world.analyzeAll();
  expect([await full(), await brief()]).toEqual([unchanged, unchanged]);
  await world.ask("POST", `/api/tests/${id}/reanalyze?kind=personal`, asked);
  expect([await full(), await brief()]).toEqual([changed, changed]);
  await world.ask("DELETE", `/api/tests/${id}`, asked);
  expect(await full()).toMatchObject({ status: 404 });
});

test("a dashboard is sent again after any change, and when a new quarter of an hour begins", async () => {
  const { world, workspace, poll } = await startAsked();
  const path = "/api/dashboard/summary?tz=Europe/Berlin";
  await poll(path); // notes that the token was used
  const empty = await poll(path);
  expect(await empty()).toEqual(unchanged);
  await world.receive(workspace.id);
  expect(await empty()).toEqual(changed);
  await world.analyzeAll();
  await poll(path); // adds up what was analyzed
  const counted = await poll(path);
  expect(await counted()).toEqual(unchanged);
  world.clock.nowMs += 900_000;
  expect(await counted()).toEqual(changed);
});

test("workspaces with the same data do not share the tag of their dashboards", async () => {
  const { world, asked } = await startAsked();
  const other = await world.createWorkspace("Others");
  const others = { token: (await world.issueToken(other.id)).token, workspace: other.id };
  const path = "/api/dashboard/summary";
  const tags = [await world.ask("GET", path, asked), await world.ask("GET", path, others)];
  expect(new Set(tags.map(({ headers }) => headers.get("etag"))).size).toBe(2);
});

test("viewers who ask for a report or a dashboard at once get the same, and see each change the next time", async () => {
  const { world, workspace, asked } = await startAsked();
  const id = await world.receive(workspace.id);
  await world.analyzeAll();
  const ask = async (path: string) => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => world.ask("GET", path, asked)));
    expect(new Set(answers.map(({ status }) => status)).size).toBe(1);
    const [text = "", ...others] = new Set(answers.map(({ text }) => text));
    expect(others).toEqual([]);
    return text;
  };
  const paths = [`/api/tests/${id}`, `/api/tests/${id}?detail=brief`, "/api/dashboard/summary"];
  const readAll = async () => {
    const texts: string[] = [];
    for (const path of paths) texts.push(await ask(path));
    return texts;
  };
  const before = await readAll();
  expect(await readAll()).toEqual(before);
  await world.ask("POST", `/api/tests/${id}/reanalyze?kind=bulk`, asked);
  const after = await readAll();
  expect(after.map((text, index) => text === before[index])).toEqual([false, false, false]);
  const other = await world.createWorkspace("Others");
  const others = { token: (await world.issueToken(other.id)).token, workspace: other.id };
  expect(await world.ask("GET", `/api/tests/${id}`, others)).toMatchObject({ status: 404 });
  await world.ask("DELETE", `/api/tests/${id}`, asked);
  expect(await world.ask("GET", `/api/tests/${id}`, asked)).toMatchObject({ status: 404 });
});
