export function getStaticPaths() {
  return { paths: [{ params: { id: "1" } }, { params: { id: "2" } }], fallback: false };
}

export function getStaticProps({ params }) {
  return { props: params };
}

export default function Item({ id }) {
  return <p>{id}</p>;
}
