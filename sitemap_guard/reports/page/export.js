// The entries as the table shows them, as a file for a spreadsheet.

// A spreadsheet would take these for a formula.
const ACTS = /^[=+\-@\t\r]/;
const field = (value) => {
  const text = String(value ?? "");
  return `"${(ACTS.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
};
const csv = () => {
  const lines = [["loc", "verdict", "lastmod", "expected", "changed", "commit", "source", "sitemap", "line", "findings"]];
  for (const index of shown) {
    const commit = data.commits[data.witness[index]];
    lines.push([
      wholeAddress(index) || data.loc[index], WORDS[data.verdict[index]], data.said[index], data.expected[index],
      data.true[index] === null ? "" : iso(data.true[index]), commit ? commit[0] : "", data.source[index],
      data.sitemaps[data.sitemap[index]], data.line[index], found(index).map(([, rule]) => data.rules[rule]).join(" "),
    ]);
  }
  return lines.map((line) => line.map(field).join(",")).join("\r\n") + "\r\n";
};
get("save").addEventListener("click", () => {
  // The mark tells spreadsheets that the text is UTF-8.
  const address = URL.createObjectURL(new Blob(["\ufeff", csv()], { type: "text/csv" })), link = make("a");
  link.href = address;
  link.download = "sitemap-guard-entries.csv";
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
});
