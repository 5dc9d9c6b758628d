import { slugs } from "../../../lib/posts";

export function generateStaticParams() {
  return slugs().map((slug) => ({ slug }));
}

export default async function Post({ params }) {
  return <p>{(await params).slug}</p>;
}
