import people from "../../../content/people.json";

export function generateStaticParams() {
  return people.map((name) => ({ name }));
}

export default async function Person({ params }) {
  return <p>{(await params).name}</p>;
}
