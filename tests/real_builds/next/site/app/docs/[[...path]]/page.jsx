import fs from "node:fs";
import path from "node:path";

const folder = path.join(process.cwd(), "content/docs");

export function generateStaticParams() {
  const files = fs.readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".md"));
  return files.map((name) => ({ path: name.replace(/(^|\/)index\.md$|\.md$/, "").split("/").filter(Boolean) }));
}

export default async function Doc({ params }) {
  return <p>{((await params).path ?? []).join("/")}</p>;
}
