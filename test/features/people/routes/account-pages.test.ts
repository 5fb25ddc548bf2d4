import { expect, test } from "vitest";
import { links, toLink } from "../../../../src/features/people/rules/links.ts";
import { startHttpWorld } from "../../../http/http-world.ts";

test.each(Object.values(links).map(({ path }) => path))(
  "the account page %s contains only a form and a script from this server",
  async (path) => {
    const { ask, createWorkspace } = await startHttpWorld();
    await createWorkspace("Default");
    const { text, headers } = await ask("GET", path);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    const policy = headers.get("content-security-policy");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toMatch(/style-src 'sha256-[\w+/=]{44}';/);
    expect(text.match(/<script[^>]*>/g)).toEqual(['<script src="/account.js" defer>']);
    expect(text).not.toMatch(/ on\w+=| style=|https?:|<img|<link/);
    expect(text).toMatch(/<form method="post" data-kind="\w+" data-to="\/api\/auth\/[a-z/]+" data-next="\/(start)?">/);
    const script = await ask("GET", "/account.js");
    expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(() => new Function(script.text)).not.toThrow();
  },
);

test("the secret of a link is in the fragment, which no server sees", () => {
  expect(toLink("setUp", "https://assay.example", "abc")).toBe("https://assay.example/setup#abc");
});
