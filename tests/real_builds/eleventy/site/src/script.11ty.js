export const data = { title: "Script" };
export default function () { return "<p>Made by a script.</p>"; }
