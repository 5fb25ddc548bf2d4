import { arcChain } from "../../../../src/analyzer/checks/authentication/arc-chain.ts";
import { testCheck } from "../test-check.ts";
import { arcOf, forwardedBy, kindOf } from "./policy-facts.ts";

const sealers = [{ instance: 2, domain: "lists.example", selector: "s1" }];

testCheck(arcChain, [
  {
    when: "passes a message sealed by the sender's own service",
    facts: { arc: arcOf(), kind: kindOf() },
    says: "The ARC chain sealed by lists.example is valid.",
  },
  {
    when: "reports a message that a mailing list authenticates",
    facts: { arc: arcOf(), kind: forwardedBy("lists.example", "pass") },
    finds: ["forwarded"],
    says: "The message was forwarded by lists.example. Its ARC chain records the original authentication results.",
  },
  {
    when: "finds a chain that the second hop sealed and the first did not",
    facts: { arc: arcOf({ result: "fail", sealers, failure: { instance: 2, says: "arc-seal of 1 is missing" } }) },
    finds: ["broken"],
    says: "The ARC chain is broken at instance 2: arc-seal of 1 is missing.",
    fix: "The forwarder lists.example must seal the message after making its last change, and number the instances without gaps.",
  },
  {
    when: "finds a seal whose key was removed",
    facts: {
      arc: arcOf({
        result: "fail",
        sealers,
        failure: { instance: 2, says: "ARC-Seal: there is no DKIM key at s1._domainkey.lists.example." },
      }),
    },
    finds: ["broken"],
    fix: "The forwarder lists.example must keep its key in DNS while its seals are in use.",
  },
  {
    when: "finds a chain whose instance cannot be determined",
    facts: {
      arc: arcOf({ result: "fail", failure: { instance: null, says: "ARC-Seal has no i= value from 1 to 50" } }),
    },
    finds: ["broken"],
    says: "The ARC chain is broken: ARC-Seal has no i= value from 1 to 50.",
    fix: "The forwarder must seal the message after making its last change, and number the instances without gaps.",
  },
  {
    when: "is skipped while DNS does not answer for a key",
    facts: { arc: arcOf({ result: "temperror" }) },
    outcome: "skipped",
  },
  {
    when: "does not apply without a chain",
    facts: { arc: arcOf({ present: false, result: "none", sealers: [] }) },
    outcome: "not-applicable",
  },
]);
