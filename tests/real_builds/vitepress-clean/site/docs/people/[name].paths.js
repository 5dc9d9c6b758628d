export default { paths: () => [{ params: { name: "ada" } }, { params: { name: "grace" } }] };
