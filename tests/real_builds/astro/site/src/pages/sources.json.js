// The manifest: each page of a collection and its file, as the documentation shows it.
import { getCollection } from "astro:content";

export async function GET() {
  const docs = (await getCollection("docs")).map((entry) => ({
    url: `/${entry.id.replace(/(^|\/)index$/, "")}/`.replace("//", "/"),
    path: entry.filePath,
  }));
  const posts = (await getCollection("blog")).map((entry) => ({ url: `/blog/${entry.id}/`, path: entry.filePath }));
  const notes = (await getCollection("notes")).map((note) => ({ url: `/notes/${note.data.handle}/`, path: note.filePath }));
  return new Response(JSON.stringify([...docs, ...posts, ...notes]));
}
