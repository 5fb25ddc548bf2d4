import { describe, expect, it } from "vitest";
import { createLog, type LogFields, type LogFormat } from "../../../src/platform/system/log.ts";

const at = Date.UTC(2026, 10, 21, 6, 19);
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

function logged(format: LogFormat, colour = false) {
  const lines: string[] = [];
  const log = createLog({ level: "info", format, colour, now: () => at, write: (line) => lines.push(line) });
  return { log, lines };
}

function asText(fields: LogFields): string {
  const { log, lines } = logged("text");
  log.info("m", fields);
  return lines.join("");
}

function asJson(write: (log: ReturnType<typeof createLog>) => void) {
  const { log, lines } = logged("json");
  write(log);
  return JSON.parse(lines.join(""));
}

describe("a log line", () => {
  it("a log line is time, level, message, and fields on a terminal", () => {
    const { log, lines } = logged("text");
    log.info("message received", { bytes: 3411, from: "a b", tls: true, sni: null, helo: undefined });
    expect(lines).toEqual([
      '2026-11-21T06:19:00.000Z info  message received bytes=3411 from="a b" tls=true sni=null\n',
    ]);
  });

  it("a log line is one JSON value elsewhere", () => {
    const { log, lines } = logged("json");
    log.warn("disk is filling", { freeBytes: 12 });
    expect(lines).toEqual([
      '{"at":"2026-11-21T06:19:00.000Z","level":"warn","message":"disk is filling","freeBytes":12}\n',
    ]);
  });

  it("a log line is left out below the level", () => {
    const { log, lines } = logged("text");
    log.debug("quiet");
    expect(lines).toEqual([]);
  });

  it("a log line has the fields of its logger", () => {
    const entry = asJson((log) => log.with({ session: "s1", helo: "a" }).info("m", { helo: "b" }));
    expect(entry).toMatchObject({ session: "s1", helo: "b" });
  });

  it("a log line keeps its own time, level, and message for any fields", () => {
    expect(asJson((log) => log.info("true", { message: "false", at: "never", level: "error" }))).toMatchObject({
      message: "true",
      level: "info",
      at: "2026-11-21T06:19:00.000Z",
    });
  });

  it("a log line is colored on request", () => {
    const { log, lines } = logged("text", true);
    log.error("red");
    expect(lines[0]).toContain("\x1b[31merror\x1b[0m");
  });
});

describe("sender text in a log", () => {
  const hostile = "a\x1b[2J\r\nb\u202ec\u200bd\u2066e\u0085f\ufeffg\ud800h\u{e0041}i\u061cj\u3164k\0";

  it.each(["text", "json"] as const)("sender text in a log contains no control characters (%s)", (format) => {
    const { log, lines } = logged(format);
    log.info(hostile, { subject: hostile });
    log.error(hostile, { subject: hostile }, new Error(hostile, { cause: new Error(hostile) }));
    for (const line of lines.flatMap((each) => each.trimEnd().split("\n"))) expect(line).not.toMatch(unseen);
  });

  it("sender text in a log shows control characters escaped", () => {
    expect(asText({ subject: "a\u202eb\nc" })).toContain("subject=a\\u202eb\\nc");
    expect(asJson((log) => log.info("m", { subject: "\x1b[1m" })).subject).toBe("\\u001b[1m");
  });

  it("sender text in a log cannot forge another field or line", () => {
    expect(asText({ subject: 'x" level=error\n2026 y' })).toContain('subject="x\\" level=error\\n2026 y"');
  });

  it("long sender text in a log is cut, and its length is shown", () => {
    expect(asText({ subject: "x".repeat(100_000) })).toMatch(/subject="x{500}… \(\d+ characters\)"/);
    expect(asText({ subject: "x".repeat(100_000) }).length).toBeLessThan(700);
  });

  it("sender text in a log keeps letters of every script", () => {
    expect(asText({ subject: "Grüße‑日本語" })).toContain("subject=Grüße‑日本語");
  });
});

describe("a secret in a log", () => {
  it.each(["token", "apiToken", "clientSecret", "password", "authorization", "setCookie", "passphrase", "apiKey"])(
    "a secret in a log is not shown under the name %s",
    (name) => expect(asText({ [name]: "hunter2" })).not.toContain("hunter2"),
  );

  it.each([
    ["asy_0123456789abcdefghij", "0123456789"],
    ["sent with whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "MfKQ"],
    ["Authorization: Bearer eyJhbGciOi.J9.abc", "eyJhbGciOi"],
    ["authorization basic dXNlcjpwYXNzd29yZA==", "dXNlcjpw"],
    ["smtps://relay:hunter2@mail.example:465", "hunter2"],
    ["https://hooks.slack.com/services/T000/B000/XXXX", "XXXX"],
    ["https://discord.com/api/webhooks/123/hunter2", "hunter2"],
    ["GET /callback?state=x&code=hunter2", "hunter2"],
    ["GET /x?access_token=hunter2", "hunter2"],
    ["GET /s/abcdefghijklmnopqrstuvwxyz", "abcdefghij"],
  ])("a secret in a log is masked inside %s", (text, secret) => {
    expect(asText({ problem: text })).not.toContain(secret);
    const { log, lines } = logged("json");
    log.error(text, {}, new Error(text));
    expect(lines.join("")).not.toContain(secret);
  });

  it("a secret in a log is masked even where the text was cut", () => {
    const text = `${"asy_abc ".repeat(248)}${" ".repeat(10)}asy_${"S".repeat(40)}`;
    expect(asText({ problem: text })).not.toContain("S");
  });

  it("a secret in a log does not cause similar words to be masked", () => {
    expect(asText({ problem: "basic authentication failed at user@mail.example" })).toContain(
      "basic authentication failed at user@mail.example",
    );
  });
});

describe("an error in a log", () => {
  it("an error in a log has its location and its cause", () => {
    const entry = asJson((log) =>
      log.error("task failed", { task: "sweep" }, new TypeError("outer", { cause: new Error("inner") })),
    );
    expect(entry.error).toBe("TypeError: outer");
    expect(entry.stack[0]).toMatch(/^at .*log\.test\.ts:\d+/);
    expect(entry.stack).toContain("caused by Error: inner");
  });

  it("an error in a log cannot forge stack lines in its message", () => {
    const entry = asJson((log) => log.error("m", {}, new Error("x\n    at forged (evil.js:1:1)")));
    expect(entry.stack.join()).not.toContain("forged");
  });

  it("an error in a log may be any thrown value", () => {
    const circular: { self?: unknown } = {};
    circular.self = circular;
    const endless = new Error("round");
    endless.cause = endless;
    for (const thrown of [circular, 12n, Symbol("s"), null, "text", Object.create(null), endless]) {
      expect(asJson((log) => log.error("m", {}, thrown)).message).toBe("m");
    }
  });

  it("an error in a log may have fields of any type", () => {
    const fields = { big: 12n, deep: { a: 1 }, nan: Number.NaN } as unknown as LogFields;
    expect(asJson((log) => log.info("m", fields))).toMatchObject({ big: "12", nan: "NaN" });
  });
});
