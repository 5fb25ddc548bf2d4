// The sources of a domain's mail for the policy coach: what passes, what would be lost, and what to fix.

import type { sourceMarks } from "../contract/domain-sources.ts";
import type { PolicyCoach } from "../contract/policy-coach.ts";
import { findMark } from "./marks.ts";
import { firstOf } from "./problem.ts";
import { type FeedbackRow, findDirectSenders, isPassed, looksForwarded, ownSignatures } from "./report-rows.ts";

export type CoachSource = PolicyCoach["sources"][number];
type CoachFix = CoachSource["fixes"][number];

/** What members said, by the key of the source. */
export type Marks = ReadonlyMap<string, { readonly mark: (typeof sourceMarks)[number] | null }>;

type SourcesInput = {
  readonly domain: string;
  readonly marks: Marks;
  readonly rows: readonly FeedbackRow[];
  readonly isProven: (proof: { readonly address: string | null; readonly selectors: readonly string[] }) => boolean;
};

/** A source with at least this share of passing mail has been set up, whatever else it sends. */
const knownShare = 0.1;
const fullShare = 0.98;

export function toCoachSources({ domain, rows, isProven, marks }: SourcesInput): CoachSource[] {
  const direct = findDirectSenders(rows, domain);
  const marked = rows.flatMap((row) => {
    const { source } = row;
    return source === null ? [] : [{ row, source, forwarded: looksForwarded(row, domain, direct) }];
  });
  const bySource = Map.groupBy(marked, ({ source }) => source.key);
  return [...bySource]
    .map(([key, some]): CoachSource => {
      const sum = (isCounted: (each: (typeof some)[number]) => boolean) =>
        some.reduce((total, each) => total + (isCounted(each) ? each.row.messages : 0), 0);
      const signed = some.flatMap(({ row }) => ownSignatures(row, domain));
      const counts = {
        messages: sum(() => true),
        passed: sum(({ row }) => isPassed(row)),
        dkimAligned: sum(({ row }) => row.dkimAligned),
        spfAligned: sum(({ row }) => row.spfAligned),
        failed: sum(({ row, forwarded }) => !forwarded && !isPassed(row)),
        forwarded: sum(({ forwarded }) => forwarded),
        forwardedFailed: sum(({ row, forwarded }) => forwarded && !isPassed(row)),
      };
      const own = counts.messages - counts.forwarded;
      const passedHere = some.some(({ row }) =>
        isProven({
          address: row.sourceIp,
          selectors: ownSignatures(row, domain).flatMap(({ selector, domain: name, result }) =>
            result === "pass" ? [`${selector} ${name}`] : [],
          ),
        }),
      );
      const { mark = null } =
        findMark(
          marks,
          key,
          some.map(({ row }) => row),
        ) ?? {};
      const isKnown = own > 0 && (mark === "approved" || passedHere || own - counts.failed >= own * knownShare);
      const isNotMine = !isKnown && mark === "ignored";
      const state = toState({ ...counts, own, isKnown });
      const {
        name = "",
        kind = "unknown",
        by = "nothing",
        evidence = null,
        page = null,
      } = (some.find(({ source }) => source.by !== "nothing") ?? some[0])?.source ?? {};
      const named = { name, kind, by, evidence, page };
      const bySize = some.toSorted((one, other) => other.row.messages - one.row.messages);
      return {
        key,
        ...named,
        ...counts,
        isKnown,
        isNotMine,
        state,
        addresses: firstOf(bySize.flatMap(({ row }) => row.sourceIp ?? [])),
        selectors: firstOf(signed.map(({ selector }) => selector)),
        fixes:
          counts.failed > 0
            ? toFixes(
                bySize.map(({ row }) => row),
                { name, kind },
                { domain, isKnown, isNotMine },
              )
            : [],
      };
    })
    .sort((one, other) => other.messages - one.messages || (one.name < other.name ? -1 : 1));
}

type Stated = { readonly own: number; readonly failed: number; readonly isKnown: boolean };

function toState({ own, failed, isKnown }: Stated): CoachSource["state"] {
  if (own === 0) return "forwarding";
  if (own - failed >= own * fullShare) return "authenticated";
  if (own > failed) return isKnown ? "partly" : "unknown";
  return isKnown ? "not-authenticated" : "unknown";
}

type FixTerms = { readonly domain: string } & Pick<CoachSource, "isKnown" | "isNotMine">;

/** Only what the reports show. `rows`: largest first. */
function toFixes(
  rows: readonly FeedbackRow[],
  { name, kind }: Pick<CoachSource, "name" | "kind">,
  { domain, isKnown, isNotMine }: FixTerms,
): CoachFix[] {
  if (isNotMine) return [{ what: "none", says: "You said that it isn’t yours. The policy is there to stop it." }];
  const failing = rows.filter((row) => !isPassed(row));
  const fixes: CoachFix[] = [];
  if (!isKnown)
    fixes.push({
      what: "find-out",
      says: `Find out whether ${name} sends for you. If it doesn’t, there is nothing to fix: the policy is there to stop it.`,
    });
  const broken = firstOf(
    failing.flatMap((row) =>
      ownSignatures(row, domain).flatMap(({ selector, domain: signer, result }) =>
        result === "pass" ? [] : [`${selector}._domainkey.${signer}`],
      ),
    ),
  );
  for (const key of broken.slice(0, mostKeys))
    fixes.push({
      what: "key",
      says: `DKIM signatures with the key at ${key} fail. Check the key, and what changes messages after signing.`,
    });
  if (broken.length === 0)
    fixes.push({
      what: "dkim",
      says:
        kind === "service" || kind === "mailbox" || kind === "gateway"
          ? `Turn on domain authentication (DKIM) for ${domain} at ${name}, and publish the records that it shows you.`
          : `Sign its mail with DKIM for ${domain}.`,
    });
  const spf = failing.flatMap((row) => row.spf).find(({ result }) => result === "pass");
  const [address] = firstOf(failing.flatMap(({ sourceIp }) => sourceIp ?? []));
  if (spf !== undefined)
    fixes.push({
      what: "return-path",
      says: `Or set a return path at a subdomain of ${domain} there. SPF passes for ${spf.domain}, which isn’t aligned.`,
    });
  else if (address !== undefined && isKnown)
    fixes.push({
      what: "spf",
      says: `If the server at ${address} is yours, add it to the SPF record of the return path’s domain.`,
    });
  return fixes;
}

const mostKeys = 3;
