// One line per event: key=value on a terminal, JSON everywhere else. Written here instead of using a logging package, because
// the important part is ours in any case: no secrets, and no control characters from messages.

import { toVisible, toVisibleCut } from "../../analyzer/visible-text.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";
type LogValue = string | number | boolean | null | undefined;
export type LogFields = Readonly<Record<string, LogValue>>;

export type Log = {
  readonly debug: (message: string, fields?: LogFields) => void;
  readonly info: (message: string, fields?: LogFields) => void;
  readonly warn: (message: string, fields?: LogFields) => void;
  readonly error: (message: string, fields?: LogFields, cause?: unknown) => void;
  readonly with: (fields: LogFields) => Log;
};

export type LogFormat = "text" | "json";

export type LogOptions = {
  readonly level: LogLevel;
  readonly format: LogFormat;
  readonly colour?: boolean;
  /** Writes one line, including its line break. */
  readonly write: (line: string) => void;
  readonly now: () => number;
};

type Entry = {
  readonly at: string;
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: Readonly<Record<string, string | number | boolean | null>>;
  readonly stack: readonly string[];
};

const levels: readonly LogLevel[] = ["debug", "info", "warn", "error"];
const maxValueLength = 500;
const maxStackLines = 40;
const maxCauses = 4;

export function createLog(options: LogOptions, always: LogFields = {}): Log {
  const render = options.format === "json" ? toJsonLine : toTextLine(options.colour ?? false);
  const put = (level: LogLevel, message: string, fields: LogFields = {}, cause?: unknown) => {
    if (levels.indexOf(level) < levels.indexOf(options.level)) return;
    const { problem, stack } = describeCause(cause);
    options.write(
      `${render({
        at: new Date(options.now()).toISOString(),
        level,
        message: toSafeText(message),
        fields: toSafeFields({ ...always, ...fields, ...problem }),
        stack,
      })}\n`,
    );
  };
  return {
    debug: (message, fields) => put("debug", message, fields),
    info: (message, fields) => put("info", message, fields),
    warn: (message, fields) => put("warn", message, fields),
    error: (message, fields, cause) => put("error", message, fields, cause),
    with: (fields) => createLog(options, { ...always, ...fields }),
  };
}

function toJsonLine({ at, level, message, fields, stack }: Entry): string {
  const own = { at, level, message };
  return JSON.stringify({ ...own, ...fields, ...own, ...(stack.length > 0 && { stack }) });
}

const colours: Readonly<Record<LogLevel, number>> = { debug: 90, info: 36, warn: 33, error: 31 };

function toTextLine(colour: boolean): (entry: Entry) => string {
  const paint = (code: number, text: string) => (colour ? `\x1b[${code}m${text}\x1b[0m` : text);
  return ({ at, level, message, fields, stack }) => {
    const pairs = Object.entries(fields).map(([name, value]) => `${paint(90, `${name}=`)}${quoted(value)}`);
    const line = [paint(90, at), paint(colours[level], level.padEnd(5)), message, ...pairs].join(" ");
    return [line, ...stack.map((frame) => paint(90, `    ${frame}`))].join("\n");
  };
}

function quoted(value: string | number | boolean | null): string {
  const text = String(value);
  return /^[^\s"=]+$/.test(text) ? text : `"${text.replaceAll('"', '\\"')}"`;
}

function toSafeFields(fields: LogFields): Entry["fields"] {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    present.map(([name, value]) => [name, isSecretName(name) ? "(hidden)" : toSafeValue(value)]),
  );
}

function toSafeValue(value: LogValue): string | number | boolean | null {
  if (value === null || typeof value === "boolean" || Number.isFinite(value)) return value as number;
  return toSafeText(toText(value));
}

/** Cut twice: searching a huge text stays cheap, and a secret that the first cut halved is still masked. */
function toSafeText(text: string): string {
  const masked = maskSecrets(text.slice(0, 4 * maxValueLength));
  return masked.length > maxValueLength || text.length <= 4 * maxValueLength
    ? toVisibleCut(masked, maxValueLength)
    : `${toVisible(masked)}… (${text.length} characters)`;
}

/** Any value may be thrown, and converting it to text may throw. */
function toText(value: unknown): string {
  try {
    return String(value);
  } catch {
    return "(unprintable)";
  }
}

function describeCause(cause: unknown): { problem: LogFields; stack: readonly string[] } {
  if (cause === undefined) return { problem: {}, stack: [] };
  const stack = [...framesOf(cause)];
  for (let deeper = causeOf(cause), depth = 1; deeper !== undefined && depth < maxCauses; depth++) {
    stack.push(`caused by ${toSafeText(toText(deeper))}`, ...framesOf(deeper));
    deeper = causeOf(deeper);
  }
  return { problem: { error: toText(cause) }, stack: stack.slice(0, maxStackLines) };
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}

/** A stack begins with the message, which may be untrusted. The frames come after it. */
function framesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error) || typeof error.stack !== "string") return [];
  const start = error.stack.indexOf(error.message) + error.message.length;
  const lines = error.stack.slice(start).split("\n");
  return lines
    .map((line) => line.trim())
    .filter((line) => line.startsWith("at "))
    .map(toSafeText);
}

// What must not be logged: fields with secret names, and secrets that are recognized by their form anywhere. Names catch what
// has no form (a password). Forms catch what is part of other text (a URL, an error of a library). Each row has a sample in
// the test.

const secretNames = /token|secret|passw|passphrase|authorization|cookie|credential|api_?key|private_?key/i;

type Mask = { readonly what: string; readonly form: RegExp; readonly shown: string };

const masks: readonly Mask[] = [
  { what: "our API token", form: /\basy_[\w-]+/g, shown: "asy_…" },
  { what: "a webhook's signing secret", form: /\bwhsec_[\w+/=-]+/g, shown: "whsec_…" },
  { what: "a bearer token", form: /\b(bearer)\s+[\w.~+/=-]+/gi, shown: "$1 …" },
  { what: "basic credentials", form: /\b(basic)\s+[\w+/]{16,}=*/gi, shown: "$1 …" },
  { what: "a password in a URL", form: /(:\/\/)[^\s/?#@]*@/g, shown: "$1…@" },
  { what: "a Slack webhook", form: /(hooks\.slack\.com\/)[\w/-]+/gi, shown: "$1…" },
  { what: "a Discord webhook", form: /(discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/)[\w/-]+/gi, shown: "$1…" },
  {
    what: "a secret in a query",
    form: /([?&#](?:\w*token|code|\w*secret|password|state|signature)=)[^&#\s]+/gi,
    shown: "$1…",
  },
  { what: "a share link", form: /(\/s\/)[\w-]{20,}/g, shown: "$1…" },
];

function isSecretName(name: string): boolean {
  return secretNames.test(name);
}

export function maskSecrets(text: string): string {
  return masks.reduce((masked, { form, shown }) => masked.replace(form, shown), text);
}
