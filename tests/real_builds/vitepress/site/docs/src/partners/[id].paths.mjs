export default { paths: () => [{ params: { id: 'ann' } }, { params: { id: 'bob' } }] }
