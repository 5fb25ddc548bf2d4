import { describe, expect, test } from "vitest";
import { parseAuthenticationResults } from "../../../src/analyzer/mail/headers/authentication-results.ts";
import { toDifferences } from "../../../src/analyzer/reports/receiver-verdicts.ts";

const gmail = `mx.google.com;
       dkim=pass header.i=@x.example header.s=s1 header.b=abc;
       spf=softfail (google.com: domain of transitioning a;b@x.example (nested) does not) smtp.mailfrom=a@x.example;
       dmarc=fail (p=REJECT sp="x) dis=NONE) header.from=x.example`;
const outlook =
  "spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=x.example; dkim=none (message not signed) header.d=none;dmarc=bestguesspass action=none header.from=x.example;compauth=pass reason=109";
const icloud = [
  "bimi.icloud.com; bimi=none",
  "dmarc.icloud.com; dmarc=pass header.from=x.example",
  "spf.icloud.com; spf=pass",
];

describe("Authentication-Results", () => {
  test.each([
    [gmail, ["dkim=pass", "spf=softfail", "dmarc=fail"]],
    [outlook, ["spf=pass", "dkim=none", "dmarc=bestguesspass", "compauth=pass"]],
    ['"mx;x" 1; spf/1 = PASS; auth="fail;x"; dkim', ["spf=pass", "auth=fail"]],
    ["mx.example; none", []],
    ["(unclosed; spf=pass", []],
    ["spf=pass) ; dkim=fail", ["spf=pass", "dkim=fail"]],
    ["\\", []],
    [`x;${"spf=pass;".repeat(10_000)}`, Array(50).fill("spf=pass")],
    ["(".repeat(100_000), []],
    ['"'.repeat(100_001), []],
  ])("Authentication-Results are parsed from %.60s", (value, stated) => {
    const read = parseAuthenticationResults(value).map(({ method, result }) => `${method}=${result}`);
    expect(read).toEqual(stated);
  });
});

describe("the authentication results of a receiver", () => {
  const ours = { spf: "pass", dkim: "pass", dmarc: "pass" };

  test.each([
    ["Gmail's", [gmail], { spf: "softfail", dmarc: "fail" }],
    ["Outlook.com's, except for its own keyword", [outlook], { dkim: "none" }],
    ["iCloud's, with a field for each method", icloud, {}],
    ["the best of several signatures", ["x; dkim=fail; dkim=pass"], {}],
    ["the topmost field with a result", ["x; spf=fail", "y; spf=pass; dkim=fail"], { spf: "fail", dkim: "fail" }],
    ["older keywords", ["x; spf=hardfail"], { spf: "fail" }],
    ["none", [], {}],
  ])("the authentication results of a receiver differ from ours: %s", (_whose, fields, theirs) => {
    const told = toDifferences(ours, fields).map(({ mechanism, ...words }) => [mechanism, words]);
    const expected = Object.entries(theirs).map(([name, word]) => [name, { ours: "pass", theirs: word }]);
    expect(told).toEqual(expected);
  });

  test("the authentication results of a receiver do not differ where ours are unknown", () => {
    expect(toDifferences({ spf: null, dkim: null, dmarc: null }, [gmail])).toEqual([]);
  });
});
