// What of a test's authentication would survive forwarding.

import { defineEndpoint } from "../../platform/contract/endpoint.ts";
import { forwardingResult } from "../tests/contract/forwarding.ts";

export const readForwarding = defineEndpoint({
  method: "GET",
  path: "/api/tests/:id/forwarding",
  token: "read",
  labelToken: "path",
  summary:
    "Returns what of the authentication would survive forwarding, predicted from the message's bytes. It is worked out when first asked for; while `state` is `waiting`, a `test.examined` event follows.",
  answer: forwardingResult,
  errors: ["rate_limited"],
});
