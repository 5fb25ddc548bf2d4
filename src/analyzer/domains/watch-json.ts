// Reads a stored Watch. Other formats count as unknown, so that the next check is a first one.

import { isJsonObject, parseJson } from "../json.ts";
import { mechanisms } from "../reports/domain-report.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Watch } from "./watch.ts";

/** A domain with eighty long keys needs a tenth of this. */
const maxLength = 2_000_000;

export function readWatch(text: string, format: Watch["format"]): Watch | null {
  if (text.length > maxLength) return null;
  const stored = parseJson(text);
  if (!isJsonObject(stored) || stored.format !== format) return null;
  const { baseline, known, suspects, moves, unsteady } = stored;
  const isWhole =
    isSnapshot(baseline) &&
    isRecordOf(known, isKnown) &&
    isRecordOf(suspects, isSuspect) &&
    isRecordOf(moves, (each) => Array.isArray(each) && each.every(isMove)) &&
    isRecordOf(unsteady, (each) => isJsonObject(each) && isTrace(each.trace) && isTime(each.movedAt));
  // All fields were checked above; TypeScript cannot infer that.
  return isWhole ? (stored as unknown as Watch) : null;
}

function isRecordOf(value: unknown, isEntry: (entry: unknown) => boolean): boolean {
  return isJsonObject(value) && Object.values(value).every(isEntry);
}

function isSnapshot(value: unknown): value is Snapshot {
  return isJsonObject(value) && mechanisms.every((mechanism) => value[mechanism] === null || isState(value[mechanism]));
}

function isState(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { verdict, basis, fault, record, knownAt, isHeard, meaning } = value;
  const isFault = fault === null || (isJsonObject(fault) && isText(fault.id) && isText(fault.says));
  return (
    isVerdict(verdict) &&
    isTextOrNull(basis) &&
    isTextOrNull(record) &&
    isJsonObject(meaning) &&
    isFault &&
    isTime(knownAt) &&
    typeof isHeard === "boolean"
  );
}

function isKnown(value: unknown): boolean {
  return isJsonObject(value) && isVerdict(value.verdict) && isTime(value.at);
}

function isSuspect(value: unknown): boolean {
  return isJsonObject(value) && isTrace(value.trace) && isTime(value.since) && isTime(value.looks);
}

function isMove(value: unknown): boolean {
  return (
    isJsonObject(value) &&
    isTime(value.at) &&
    isTrace(value.from) &&
    isTrace(value.to) &&
    isOneOf(value.direction, ["worse", "better", "neutral"]) &&
    typeof value.isMended === "boolean"
  );
}

function isTrace(value: unknown): boolean {
  return isJsonObject(value) && isText(value.meaning) && isVerdict(value.verdict) && isTextOrNull(value.basis);
}

function isVerdict(value: unknown): boolean {
  return value === null || isOneOf(value, ["pass", "warn", "fail", "missing"]);
}

function isOneOf(value: unknown, words: readonly string[]): boolean {
  return words.some((word) => word === value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isTextOrNull(value: unknown): boolean {
  return value === null || isText(value);
}

function isTime(value: unknown): boolean {
  return Number.isFinite(value);
}
