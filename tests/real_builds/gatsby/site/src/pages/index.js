import React from "react";

export default function Page() {
  return <main>Home</main>;
}
