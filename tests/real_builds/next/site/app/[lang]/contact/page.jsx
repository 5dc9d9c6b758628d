export function generateStaticParams() {
  return [{ lang: "en" }, { lang: "fr" }];
}

export default async function Contact({ params }) {
  return <p>{(await params).lang}</p>;
}
