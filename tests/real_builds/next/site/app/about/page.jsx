export default function Page() { return <p>About</p>; }
