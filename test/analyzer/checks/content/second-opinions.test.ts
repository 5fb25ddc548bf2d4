import { secondOpinions } from "../../../../src/analyzer/checks/content/second-opinions.ts";
import { known, unknown } from "../../../../src/analyzer/checks/fact.ts";
import type { ScannerResult } from "../../../../src/analyzer/checks/infrastructure-facts.ts";
import { testCheck } from "../test-check.ts";
import { givenText } from "./given.ts";

const { message } = givenText("Hello");
const rspamd: ScannerResult = {
  engine: "rspamd",
  version: "3.13",
  score: 3.1,
  threshold: 15,
  action: "no action",
  symbols: [
    { name: "URL_NUMERIC_IP", points: 1.5, text: null },
    { name: "R_SPF_ALLOW", points: -0.2, text: null },
    { name: "RCVD_COUNT_ONE", points: 0, text: null },
  ],
};
const gtube = "XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X";

testCheck(secondOpinions, [
  {
    when: "reports the score of a spam filter with its heaviest rules",
    facts: { message, scanner: [{ of: "rspamd", fact: known(rspamd) }] },
    finds: ["score"],
    says: "rspamd scores the message 3.1 (threshold 15): URL_NUMERIC_IP +1.5 and R_SPF_ALLOW -0.2.",
  },
  {
    when: "reports the filter that answered",
    facts: {
      message,
      scanner: [
        { of: "rspamd", fact: unknown("timeout") },
        { of: "spamassassin", fact: known({ ...rspamd, engine: "spamassassin", symbols: [] }) },
      ],
    },
    finds: ["score"],
    says: "SpamAssassin scores the message 3.1 (threshold 15).",
  },
  {
    when: "finds the spam test string without any filter",
    facts: { message: givenText(`Hello\n${gtube}`).message, scanner: [] },
    finds: ["test-string"],
  },
  { when: "is skipped without a filter", facts: { message, scanner: [] }, outcome: "skipped" },
  {
    when: "is skipped while no filter answers",
    facts: { message, scanner: [{ of: "rspamd", fact: unknown("timeout") }] },
    outcome: "skipped",
  },
]);
