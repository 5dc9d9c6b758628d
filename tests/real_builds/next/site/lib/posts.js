import fs from "node:fs";
import path from "node:path";

const postsDirectory = path.join(process.cwd(), "content", "posts");

export function slugs() {
  return fs.readdirSync(postsDirectory).map((name) => name.replace(/^\d{4}-\d\d-\d\d-/, "").replace(/\.md$/, ""));
}
