export default function Page() { return <p>Pricing</p>; }
