import { defineCheck, passed } from "../check.ts";
import { toClient } from "./client.ts";

export const sourceAddress = defineCheck({
  id: "source-address",
  helpPage: "fix-delivery-path",
  label: "Sending address",
  owner: "mail-server",
  asks: "whether the test came from a public IP",
  why: "A message from a private network says nothing about your public sending server.",
  refs: ["RFC 1918", "RFC 6598"],
  needs: ["session"],
  passes: "The message came from {ip}, a public IP address.",
  findings: {
    looped: {
      severity: "info",
      title: "Test message looped back",
      says: "This server sent the sample to itself, not over the internet, so the sending IP was not checked.",
      fix: "Set ASSAY_SEND_SMTP_URL to send samples the same way as your real mail.",
    },
    private: {
      severity: "info",
      title: "Sent from a private address",
      says: "The message came from {ip}, a private IP address, so SPF, reverse DNS, and blocklists were not checked.",
      fix: "Send the test the same way as your real mail.",
    },
    assumed: {
      severity: "info",
      title: "Outgoing server assumed",
      says: "The message came from {client}. It is judged as if it came from {ip}, your workspace’s outgoing server.",
      fix: null,
    },
    ipv6: {
      severity: "info",
      title: "Sent over IPv6",
      says: "The message came over IPv6 ({ip}). Gmail and Outlook accept that only with reverse DNS and SPF or DKIM.",
      fix: null,
    },
  },
  run({ session }) {
    const { clientAddress, isPublic, isLooped } = session;
    if (isLooped) return [{ finding: "looped" }];
    if (clientAddress !== null && !isPublic) return [{ finding: "private", data: { ip: clientAddress } }];
    if (session.connectedFrom !== undefined)
      return [{ finding: "assumed", data: { client: session.connectedFrom, ip: clientAddress } }];
    const client = toClient(session);
    if ("skipped" in client) return client;
    return client.ip.includes(":") ? [{ finding: "ipv6", data: client }] : passed(client);
  },
});
