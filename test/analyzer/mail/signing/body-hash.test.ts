import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { canonicalBody, hashBody } from "../../../../src/analyzer/mail/signing/body-hash.ts";
import { digest, type Form, naiveBody } from "./sign.ts";

const forms: readonly Form[] = ["simple", "relaxed"];

function canonical(body: string | Uint8Array, form: Form): string {
  const bytes = typeof body === "string" ? Buffer.from(body, "latin1") : body;
  return [...canonicalBody(bytes, form)].map((chunk) => Buffer.from(chunk).toString("latin1")).join("");
}

/** Combines the pieces that matter often, in the same order each time. */
function createBodies(count: number): string[] {
  const pieces = [" ", "  ", "\t", "\r\n", "\r\n", "\r\n\r\n", "\r", "\n", "a", "bc", ".", "..", "\0", "\xa0", "\xff"];
  let seed = 42;
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
  return Array.from({ length: count }, () =>
    Array.from({ length: next(14) }, () => pieces[next(pieces.length)]).join(""),
  );
}

describe("the canonical body", () => {
  test("the canonical body equals the example in RFC 6376 §3.4.5", () => {
    const body = " C \r\nD \t E\r\n\r\n\r\n";
    expect(canonical(body, "relaxed")).toBe(" C\r\nD E\r\n");
    expect(canonical(body, "simple")).toBe(" C \r\nD \t E\r\n");
  });

  test("the canonical body of an empty body is a line ending in simple form and empty in relaxed form", () => {
    for (const body of ["", "\r\n", "\r\n\r\n\r\n"]) {
      expect(canonical(body, "simple")).toBe("\r\n");
      expect(canonical(body, "relaxed")).toBe("");
    }
    expect(canonical(" \t\r\n \r\n", "relaxed")).toBe("");
    expect(canonical("  ", "relaxed")).toBe("");
  });

  test("the canonical body ends with a line ending even if the message does not", () => {
    for (const form of forms) expect(canonical("abc", form)).toBe("abc\r\n");
  });

  test("the canonical body keeps a bare CR or LF", () => {
    expect(canonical("a \nb \rc\n\n", "relaxed")).toBe("a \nb \rc\n\n\r\n");
    expect(canonical("a\n\r\n", "simple")).toBe("a\n\r\n");
  });

  test("the canonical body equals a direct implementation of the RFC for 20,000 random bodies", () => {
    for (const body of createBodies(20_000))
      for (const form of forms) expect(canonical(body, form), JSON.stringify(body)).toBe(naiveBody(body, form));
  });

  test("the canonical body is the same for any block boundaries", () => {
    const unit = "word  and \t more\r\n";
    for (let shift = 0; shift < unit.length; shift++) {
      const body = "x".repeat(65_536 - shift) + unit.repeat(3) + "y".repeat(65_536) + " ".repeat(70_000) + unit;
      for (const form of forms) expect(canonical(body, form) === naiveBody(body, form)).toBe(true);
    }
  });
});

describe("the body hash", () => {
  const body = Buffer.from(`${"one line  of text \r\n".repeat(9_000)}\r\n\r\n`, "latin1");

  test("the body hash covers the whole canonical body, with its length", () => {
    for (const form of forms) {
      const text = naiveBody(body.toString("latin1"), form);
      const hash = hashBody(body, form);
      expect(hash.bytes).toBe(text.length);
      expect(hash.whole).toEqual(digest(text));
    }
  });

  test("the body hash stops at each l=, in any order", () => {
    const lengths = [100_000, 0, 65_536, 1, 65_537, 65_535, 150_000, 1];
    for (const form of forms) {
      const text = naiveBody(body.toString("latin1"), form);
      const hash = hashBody(body, form, [...lengths, text.length]);
      for (const length of [...lengths, text.length])
        expect(hash.upTo(length), String(length)).toEqual(digest(text.slice(0, length)));
    }
  });

  test("the body hash is undefined beyond the end of the body", () => {
    expect(hashBody(Buffer.from("abc"), "simple", [6]).upTo(6)).toBeUndefined();
    expect(hashBody(Buffer.alloc(0), "relaxed", [0]).upTo(0)).toEqual(digest(""));
  });

  test("the body hash reads the body once for any number of lengths", () => {
    const lengths = Array.from({ length: 1_000 }, (_, index) => index * 100);
    const hashed = countHashed(() => hashBody(body, "relaxed", lengths));
    expect(hashed).toBe(hashBody(body, "relaxed").bytes);
  });
});

/** The number of bytes that are hashed meanwhile. */
function countHashed(run: () => void): number {
  const prototype = Object.getPrototypeOf(createHash("sha256")) as { update: (bytes: Uint8Array) => unknown };
  const { update } = prototype;
  let bytes = 0;
  prototype.update = function (chunk) {
    bytes += chunk.length;
    return update.call(this, chunk);
  };
  try {
    run();
  } finally {
    prototype.update = update;
  }
  return bytes;
}
