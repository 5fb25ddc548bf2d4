// Which part of what a signature covers is different after a transit, and whether another canonicalization would have
// ignored the difference.

import type { HeaderField, HeaderSection } from "../headers/fields.ts";
import { type BodyCanonicalization, canonicalBody, hashBody } from "../signing/body-hash.ts";
import { canonicalField, groupFields, type HeaderCanonicalization, selectFields } from "../signing/sign-message.ts";

export type Coverage = {
  /** h=, lower case. */
  readonly headers: readonly string[];
  readonly canon: { readonly header: HeaderCanonicalization; readonly body: BodyCanonicalization };
  /** l=. */
  readonly bodyLength: number | null;
  /** The place of the signature among those of the message. */
  readonly index: number;
};

export type Change =
  | {
      readonly part: "header";
      readonly name: string;
      /** spacing: c=relaxed would have ignored it. */
      readonly how: "changed" | "added" | "removed" | "spacing";
    }
  | {
      readonly part: "body";
      /** appended: everything that was signed is still there, with more below it. */
      readonly how: "changed" | "appended" | "spacing";
    };

export type Version = { readonly section: HeaderSection; readonly body: Uint8Array };

export function findChanges(before: Version, after: Version, coverage: Coverage): Change[] {
  return [
    ...findHeaderChanges(before.section, after.section, coverage),
    ...findBodyChange(before.body, after.body, coverage),
  ];
}

function findHeaderChanges(before: HeaderSection, after: HeaderSection, coverage: Coverage): Change[] {
  const { headers, canon, index } = coverage;
  const [was, is] = [before, after].map((section) => {
    const fields = groupFields(section);
    const own = fields.get("dkim-signature")?.[index];
    const selected = own === undefined ? [] : selectFields(fields, headers, own);
    return { own, selected: Map.groupBy(selected, ({ key }) => key) };
  });
  if (!was?.own || !is?.own) return [];
  const names = [...new Set(headers)];
  const changes = names.flatMap((name): Change[] => {
    const how = compareFields(was.selected.get(name) ?? [], is.selected.get(name) ?? [], canon.header);
    return how === null ? [] : [{ part: "header", name, how }];
  });
  const ownChange = compareFields([was.own], [is.own], canon.header);
  return ownChange === null ? changes : [...changes, { part: "header", name: "dkim-signature", how: ownChange }];
}

type HeaderChange = Extract<Change, { part: "header" }>["how"];

function compareFields(
  was: readonly HeaderField[],
  is: readonly HeaderField[],
  form: HeaderCanonicalization,
): HeaderChange | null {
  if (was.length < is.length) return "added";
  if (was.length > is.length) return "removed";
  const isSame = (by: HeaderCanonicalization) =>
    was.every((field, at) => canonicalField(field, by) === canonicalField(is[at] as HeaderField, by));
  if (isSame(form)) return null;
  return isSame("relaxed") ? "spacing" : "changed";
}

function findBodyChange(was: Uint8Array, is: Uint8Array, { canon, bodyLength }: Coverage): Change[] {
  const isSame = (form: BodyCanonicalization) => digest(was, form, bodyLength).equals(digest(is, form, bodyLength));
  if (isSame(canon.body)) return [];
  if (isSame("relaxed")) return [{ part: "body", how: "spacing" }];
  const [shorter, longer] = [was, is].map((body) => Buffer.concat([...canonicalBody(body, canon.body)]));
  const isAppended = shorter !== undefined && longer?.subarray(0, shorter.length).equals(shorter) === true;
  return [{ part: "body", how: isAppended ? "appended" : "changed" }];
}

/** Covers the whole body if it is shorter than l=, which no signature survives. */
function digest(body: Uint8Array, form: BodyCanonicalization, length: number | null): Buffer {
  const hash = hashBody(body, form, length === null ? [] : [length]);
  return (length === null ? undefined : hash.upTo(length)) ?? hash.whole;
}
