import { hostOfListAddress, type ListAddresses, readListAddresses } from "../../mail/headers/list-header.ts";
import { defineCheck, findOpen, passed, type Raised } from "../check.ts";
import type { Facts, KnownFacts } from "../facts.ts";
import { hasAddress, takesMail, valuesOf } from "../mail-domain.ts";
import { domainToPaste, listDomainToPaste, quoted } from "../party.ts";

export const listUnsubscribe = defineCheck({
  id: "list-unsubscribe",
  helpPage: "fix-list-unsubscribe",
  label: "List-Unsubscribe",
  owner: "email-service",
  asks: "whether bulk mail has a List-Unsubscribe header",
  why: "People who cannot unsubscribe mark the mail as spam.",
  refs: ["RFC 2369 §2, §3.2", "RFC 8058 §3–5", "Gmail, Yahoo, Apple sender rules"],
  needs: ["message"],
  wants: ["mx", "kind"],
  kinds: ["bulk"],
  sender: "bulk",
  passes: "List-Unsubscribe offers {uris}.",
  findings: {
    missing: {
      severity: "major",
      title: "No List-Unsubscribe header",
      says: "{what} has no List-Unsubscribe header.",
      fix: "{how}.",
      gates: [
        { provider: "gmail", sender: "bulk", reply: "no mitigation (no refusal)" },
        { provider: "yahoo", sender: "bulk", reply: "spam folder" },
      ],
    },
    unusable: {
      severity: "major",
      title: "Unusable List-Unsubscribe header",
      says: "List-Unsubscribe is unusable: {problem}.",
      fix: "Send one header with URLs in angle brackets: `List-Unsubscribe: <https://{fromDomain}/u/TOKEN>, <mailto:unsubscribe@{fromDomain}>`.[[ For one-click unsubscribe, also add `{remedy}`.]]",
      gates: [
        { provider: "gmail", sender: "bulk", reply: "no mitigation (no refusal)" },
        { provider: "yahoo", sender: "bulk", reply: "spam folder" },
      ],
    },
    insecure: {
      severity: "minor",
      cost: 8,
      title: "Unsubscribe URL uses HTTP",
      says: "The unsubscribe URL uses HTTP: {uri}.",
      fix: "Use HTTPS.",
    },
    "dead-host": {
      severity: "minor",
      cost: 8,
      title: "Unsubscribe host does not resolve",
      says: "The host {host} in List-Unsubscribe does not resolve.",
      fix: "Correct the hostname, or publish it in DNS.",
    },
  },
  run({ message, mx, kind }) {
    const values = valuesOf(message, "list-unsubscribe");
    const fromDomain = domainToPaste(message);
    const [value] = values;
    const isPost = kind.known && kind.value.mailingList;
    if (value === undefined)
      return [{ finding: "missing", data: isPost ? addedByList(message) : addedBySender(message) }];
    const addresses = readListAddresses(value);
    const problem = problemOf(values, addresses);
    if (problem !== null) {
      const remedy = isPost ? null : missingPost(message);
      return [{ finding: "unusable", data: { problem, fromDomain, remedy }, evidence: { values: shown(values) } }];
    }
    const raised: Raised<"insecure" | "dead-host">[] = deadHosts(addresses, mx).map((host) => ({
      finding: "dead-host",
      subject: host,
      data: { host },
    }));
    const [insecure] = addresses.https.length === 0 ? addresses.http : [];
    if (insecure !== undefined) raised.unshift({ finding: "insecure", data: { uri: quoted(insecure) } });
    return raised.length > 0 ? raised : passed({ uris: shown(addresses.uris) });
  },
  open: ({ message, mx }) => {
    const [value = ""] = valuesOf(message, "list-unsubscribe");
    const hosts = mx.known ? hostsIn(readListAddresses(value), mx.value) : [];
    return findOpen(
      "mx",
      hosts.map(({ isAlive }) => isAlive),
    );
  },
});

/** The one-click header, if the message doesn't have it. */
function missingPost(message: Facts["message"]): string | null {
  const isThere = valuesOf(message, "list-unsubscribe-post").length > 0;
  return isThere ? null : "List-Unsubscribe-Post: List-Unsubscribe=One-Click";
}

function addedBySender(message: Facts["message"]) {
  const post = missingPost(message);
  const header = `\`List-Unsubscribe: <https://${domainToPaste(message)}/u/TOKEN>\``;
  return {
    what: "This bulk message",
    how: `Add ${post === null ? "it" : "both headers"}, signed with DKIM, with a token for each recipient and list: ${header}${post === null ? "" : ` and \`${post}\``}`,
  };
}

function addedByList(message: Facts["message"]) {
  const address = `leave@${listDomainToPaste(message)}`;
  return {
    what: "This mailing list post",
    how: `Only the list's operator can fix this. Configure the list software to add \`List-Unsubscribe: <mailto:${address}>\`, with its unsubscribe address`,
  };
}

const maxShown = 5;

function shown(texts: readonly string[]): string[] {
  return texts.slice(0, maxShown).map(quoted);
}

function problemOf(values: readonly string[], { https, http, mailto }: ListAddresses): string | null {
  if (values.length > 1) return `it appears ${values.length} times, and email clients may use any of them or none`;
  if (https.length + http.length + mailto.length > 0) return null;
  return `it has no https, http, or mailto URL in angle brackets ("${quoted(values[0] ?? "")}")`;
}

/** The hosts of the first https and the first mailto URL, which email clients use. */
function hostsIn({ https, mailto }: ListAddresses, mx: Facts["mx"]) {
  const read = (uri: string | undefined, answer: typeof hasAddress) => {
    const host = uri === undefined ? null : hostOfListAddress(uri);
    return host === null ? [] : [{ host, isAlive: answer(mx, host) }];
  };
  return [...read(https[0], hasAddress), ...read(mailto[0], takesMail)];
}

function deadHosts(addresses: ListAddresses, mx: KnownFacts["mx"]): string[] {
  if (!mx.known) return [];
  const dead = hostsIn(addresses, mx.value).filter(({ isAlive }) => isAlive.known && !isAlive.value);
  return [...new Set(dead.map(({ host }) => host))];
}
