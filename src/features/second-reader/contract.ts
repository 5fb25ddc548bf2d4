// What a second, independent reader makes of a test's message.

import { defineEndpoint } from "../../platform/contract/endpoint.ts";
import { secondReaderResult } from "../tests/contract/second-reading.ts";

export const readSecondReader = defineEndpoint({
  method: "GET",
  path: "/api/tests/:id/second-reader",
  token: "read",
  labelToken: "path",
  summary:
    "Returns what mailparser and mailauth make of the message, compared with the report. It is worked out when first asked for; while `state` is `waiting`, a `test.examined` event follows.",
  answer: secondReaderResult,
});
