import { slugs } from "../../lib/posts";

export default function Blog() {
  return <ul>{slugs().map((slug) => <li key={slug}><a href={`/blog/${slug}/`}>{slug}</a></li>)}</ul>;
}
