// Each byte of HTML and CSS is parsed once. The engine itself counts the calls, so that no counter has to run with the program.

import { Session } from "node:inspector/promises";
import { expect, test } from "vitest";
import { bases } from "../fixtures/messages/fixture.ts";
import { analyze } from "../fixtures/messages/run.ts";

type Calls = (file: string, name: string) => number;

async function countCalls(run: () => Promise<unknown>): Promise<Calls> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await run();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  return (file, name) => {
    const script = result.find(({ url }) => url.endsWith(file));
    const called = script?.functions.filter(({ functionName }) => functionName === name) ?? [];
    return called.reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);
  };
}

test("the HTML, style sheet, and inline styles of a newsletter are each parsed once", async () => {
  const { html } = bases.N;
  const calls = await countCalls(() => analyze(bases.N));
  expect(calls("/src/analyzer/mail/html/tree.ts", "parseTree")).toBe(1);
  expect(calls("/src/analyzer/mail/html/css.ts", "parseSheet")).toBe(1);
  const sheet = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? "";
  const rules = sheet.match(/\{[^{}]*\}/g) ?? [];
  const elements = html.replace(/<!--.*?-->/gs, "").matchAll(/ style="([^"]*)"/g);
  const styles = new Set([...elements].map(([, style]) => style));
  expect(rules.length).toBeGreaterThan(10);
  expect(styles.size).toBeGreaterThan(20);
  expect(calls("/src/analyzer/mail/html/css.ts", "parseDeclarations")).toBe(rules.length + styles.size);
});
