import { defineCheck, passed } from "../check.ts";
import { toClient } from "./client.ts";

export const sourceAddress = defineCheck({
  id: "source-address",
  area: "infrastructure",
  label: "Sending address",
  owner: "mail-server",
  asks: "whether the test came from a real sending address",
  why: "A message handed over from a private network says nothing about the public sending host.",
  refs: ["RFC 1918", "RFC 6598"],
  needs: ["session"],
  kinds: "all",
  domain: "no",
  passes: "The message came from {ip}, a public address.",
  findings: {
    looped: {
      severity: "info",
      cost: 0,
      title: "Test message looped back",
      says: "Looped back, not sent over the internet: this server handed the sample to itself, and what a sending address tells was not judged.",
      fix: "Set ASSAY_SEND_SMTP_URL, and send-test goes the way your real mail leaves.",
    },
    private: {
      severity: "info",
      cost: 0,
      title: "Sent from a private address",
      says: "The message came from {ip}, a private address; SPF, reverse name and blocklists were not judged.",
      fix: "Send the test the way your real mail leaves.",
    },
    ipv6: {
      severity: "info",
      cost: 0,
      title: "Sent over IPv6",
      says: "The message came over IPv6 ({ip}); Gmail and Outlook accept that only with a reverse name and SPF or DKIM.",
      fix: null,
    },
  },
  run({ session }) {
    const { clientAddress, isPublic, isLooped } = session;
    if (isLooped) return [{ finding: "looped" }];
    if (clientAddress !== null && !isPublic) return [{ finding: "private", data: { ip: clientAddress } }];
    const client = toClient(session);
    if ("notApplicable" in client) return client;
    return client.ip.includes(":") ? [{ finding: "ipv6", data: client }] : passed(client);
  },
});
