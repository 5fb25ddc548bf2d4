import { describe, expect, test } from "vitest";
import { readHeaderSection } from "../../../../src/analyzer/mail/headers/fields.ts";
import { readRecorded } from "../../../../src/analyzer/mail/headers/recorded-verdicts.ts";

const read = (lines: readonly string[], ...trusted: string[]) =>
  readRecorded(readHeaderSection(Buffer.from(`${lines.join("\r\n")}\r\n\r\nHello`)), {
    trusted,
    door: { kind: "upload" },
  });
const stamp = (client: string, by: string) =>
  `Received: from ${client} by ${by} with ESMTP id 1; Mon, 3 Jun 2024 10:00:00 +0000`;
const border = stamp(
  "mail.a.example (mail.a.example [198.51.100.9])".replace("198.51.100", "93.184.215"),
  "mx.b.example",
);
const results =
  "Authentication-Results: mx.b.example; spf=pass smtp.mailfrom=ann@a.example; dkim=pass header.d=a.example header.s=s1; dmarc=pass (p=reject) header.from=a.example";

describe("the results recorded by a trusted receiver", () => {
  test("the results recorded by a trusted receiver are read from the topmost block of headers", () => {
    const recorded = read(["Return-Path: <bounce@a.example>", results, border, "From: ann@a.example"], "mx.b.example");
    expect(recorded).toMatchObject({
      by: "mx.b.example",
      clientAddress: "93.184.215.9",
      helo: "mail.a.example",
      mailFrom: "bounce@a.example",
    });
    expect(recorded?.results.map(({ method, result, properties }) => [method, result, properties])).toEqual([
      ["spf", "pass", { "smtp.mailfrom": "ann@a.example" }],
      ["dkim", "pass", { "header.d": "a.example", "header.s": "s1" }],
      ["dmarc", "pass", { "header.from": "a.example" }],
    ]);
  });

  test("the results recorded by a trusted receiver count only for the receiver that the user names, and hosts below that name", () => {
    expect(read([results, border])).toBeNull();
    expect(read([results, border], "mx.c.example")).toBeNull();
    expect(read([results, border], "evilmx.b.example")).toBeNull();
    expect(read([results, border], "B.example")).toMatchObject({ by: "b.example" });
  });

  test("the results recorded by a trusted receiver are ignored below the Received header of the receiving border", () => {
    const forged = ["Authentication-Results: mx.b.example; spf=fail", border, results];
    expect(read(forged, "mx.b.example")?.results.map(({ result }) => result)).toEqual(["fail"]);
    expect(read([border, results], "mx.b.example")?.results).toEqual([]);
  });

  test("the results recorded by a trusted receiver are ignored if another receiver accepted the message", () => {
    const outside = stamp("x.evil.example (x.evil.example [93.184.215.66])", "mx.c.example");
    expect(read([outside, results, border], "mx.b.example")).toBeNull();
    expect(read([results], "mx.b.example")).toBeNull();
  });

  test("the results recorded by a trusted receiver are found below internal transfers and trusted hosts", () => {
    const inside = stamp("mx.b.example (mx.b.example [10.0.0.2])", "store.b.example");
    expect(read([inside, results, border], "mx.b.example")).toMatchObject({ clientAddress: "93.184.215.9" });
    const public_ = stamp("mx.b.example (mx.b.example [93.184.215.2])", "store.c.example");
    expect(read([public_, results, border], "mx.b.example")).toMatchObject({ clientAddress: "93.184.215.9" });
  });

  test.each([
    ["whose name may be forged", "from x (mx.b.example [93.184.215.66] (may be forged)) by mx.b.example with ESMTP"],
    ["whose name is only claimed", "from mx.b.example (HELO x) (93.184.215.66) by mx.b.example with SMTP"],
    ["behind a load balancer", "from gw (gw [10.0.0.5]) by mx.b.example with ESMTP"],
    ["behind a load balancer with the server's name", "from mx.b.example ([10.0.0.5]) by mx.b.example with ESMTP"],
    ["without an address", "from attacker.example by mx.b.example with ESMTP"],
    ["without an address, with the server's name", "from mx.b.example by mx.b.example with ESMTP"],
    ["on the server itself", "by mx.b.example (Postfix, from userid 33)"],
  ])("the results recorded by a trusted receiver are ignored below the line of a client %s", (_what, client) => {
    const top = `Received: ${client} id 1; Mon, 3 Jun 2024 10:00:00 +0000`;
    const forged = read([top, results, border, "From: ann@a.example"], "mx.b.example");
    expect(forged).toMatchObject({ by: "mx.b.example", results: [] });
    expect(forged?.clientAddress).not.toBe("93.184.215.9");
    const honest = read([results, top, results.replaceAll("pass", "fail"), border], "mx.b.example");
    expect(honest?.results.map(({ result }) => result)).toEqual(["pass", "pass", "pass"]);
  });

  test.each([
    ["a filter on the same machine", "from localhost (localhost [127.0.0.1]) by mx.b.example (Postfix) with ESMTP"],
    ["delivery into the mailbox", "from mx.b.example by mx.b.example with LMTP"],
    ["delivery over a socket", "from localhost ([unix socket]) by store.b.example (Cyrus v3) with LMTPA"],
    ["Gmail's own servers", "by 2002:a05:6a10:1234:b0:2a1:1:2 with SMTP"],
    ["a named relay", "from in.b.example (in.b.example [10.0.0.2]) by mx.b.example with ESMTP"],
  ])("the results recorded by a trusted receiver are found after %s", (_what, line) => {
    const top = `Received: ${line} id 1; Mon, 3 Jun 2024 10:00:00 +0000 (UTC)`;
    const recorded = read([top, results, border], "mx.b.example", "in.b.example");
    expect(recorded).toMatchObject({ clientAddress: "93.184.215.9" });
    expect(recorded?.results).toHaveLength(3);
  });

  test("the results recorded by a trusted receiver are missing without a client on the internet, and a foreign line confirms nothing", () => {
    const behind = stamp("gw (gw [10.0.0.5])", "mx.b.example");
    expect(read([results, behind], "mx.b.example")).toMatchObject({ clientAddress: null, helo: null });
    expect(read([results, stamp("gw (gw [10.0.0.5])", "mx.c.example")], "mx.b.example")).toBeNull();
  });

  test("the results recorded by a trusted receiver are read from ARC headers if the others are below, as Gmail writes them", () => {
    const arc = "ARC-Authentication-Results: i=1; mx.b.example; dkim=pass header.i=@a.example; spf=softfail";
    expect(read([arc, border, results], "mx.b.example")?.results.map(({ result }) => result)).toEqual([
      "pass",
      "softfail",
    ]);
  });
});
