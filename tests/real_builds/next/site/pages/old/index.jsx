export default function Page() { return <p>Old</p>; }
