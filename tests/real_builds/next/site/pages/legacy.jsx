export default function Page() { return <p>Legacy</p>; }
