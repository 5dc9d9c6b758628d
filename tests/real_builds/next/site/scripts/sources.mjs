// The manifest: each page and its file, as the documentation shows it.
import { readdirSync, writeFileSync } from "node:fs";

const rows = [["url", "path"]];
for (const name of readdirSync("content/posts")) {
  rows.push([`/blog/${name.replace(/^\d{4}-\d\d-\d\d-|\.md$/g, "")}/`, `content/posts/${name}`]);
}
for (const name of readdirSync("content/docs", { recursive: true }).filter((name) => name.endsWith(".md"))) {
  rows.push([`/docs/${name.replace(/(^|\/)index\.md$|\.md$/, "")}/`.replace("//", "/"), `content/docs/${name}`]);
}
writeFileSync("sources.csv", rows.map((row) => row.join(",")).join("\n") + "\n");
