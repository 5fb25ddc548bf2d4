// The list of routes, and the h3 application that they make. Every error of every path, method and body leaves through
// the one `onError`, every answer through the one `onResponse`.

import type { IncomingMessage } from "node:http";
import { H3, type H3Event, type HTTPError } from "h3";
import { Refusal } from "../errors.ts";
import { admitTo, answerCall } from "./answer-call.ts";
import { type Admit, createAdmission } from "./auth.ts";
import { type Client, createClientReader } from "./client-address.ts";
import type { Dependencies } from "./dependencies.ts";
import { documentRoutes } from "./documents.ts";
import { internalRefusal, pathNotFound, toErrorAnswer } from "./errors.ts";
import { securityHeaders } from "./headers.ts";
import { healthRoutes } from "./health.ts";
import { meRoutes } from "./me.ts";
import type { Route } from "./route.ts";
import { parseTarget, type Target } from "./target.ts";
import { tokenRoutes } from "./tokens.ts";
import { workspaceRoutes } from "./workspaces.ts";

export const routes: readonly Route[] = [
  ...healthRoutes,
  ...documentRoutes(() => routes.map(({ endpoint }) => endpoint)),
  ...meRoutes,
  ...workspaceRoutes,
  ...tokenRoutes,
];
