export default function Page() { return <p>Private</p>; }
