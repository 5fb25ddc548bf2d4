import { render } from "preact";
import { App } from "./app.tsx";
import { noteLeads } from "./client/keys.ts";
import { applyTheme, readTheme } from "./client/theme.ts";

applyTheme(readTheme());
noteLeads();
const root = document.getElementById("app");
if (root) render(<App />, root);
