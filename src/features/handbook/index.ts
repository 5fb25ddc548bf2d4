// The handbook, the API reference, and the OpenAPI document.

import { defineFeature } from "../../platform/server.ts";
import { createDocuments } from "./routes/docs.ts";

const documents = createDocuments();

export const handbook = defineFeature({
  name: "handbook",
  says: "Explains everything.",
  routes: documents.interface,
  pages: documents.pages,
});
