// One entry with everything that is known about it.

const dialog = get("details");
// Where the entry stands in the table as it is filtered and sorted; -1 when it was opened from the chart.
let standing = -1;
const open = (index, position = -1) => {
  standing = position;
  get("before").disabled = position < 1;
  get("after").disabled = position < 0 || position >= shown.length - 1;
  get("details-title").textContent = shownLoc(index);
  const list = make("dl"), inside = get("details-body");
  const add = (name, ...values) => {
    if (!values.some(Boolean)) return;
    const value = make("dd");
    value.append(...values.filter(Boolean));
    list.append(make("dt", "", name), value);
  };
  const letter = data.verdict[index], commit = data.commits[data.witness[index]], off = offBy(index);
  const address = wholeAddress(index);
  const verdict = make("span", `${letter}-word`, WORDS[letter]);
  add("verdict", ...(apart.has(index) ? [wrongBy(index)] : [verdict, off === null ? "" : `, ${wrongBy(index)}`]));
  if (/^https?:\/\//.test(address)) {
    const link = make("a", "", address);
    link.href = address;
    link.rel = "noopener noreferrer";
    link.target = "_blank";
    add("page", link);
  }
  else add("loc", data.loc[index]);
  add("sitemap", make("code", "", `${data.sitemaps[data.sitemap[index]]}:${data.line[index]}`));
  add("claims", data.said[index] ?? "");
  add("source", data.source[index] ? make("code", "", data.source[index]) : "");
  if (apart.has(index)) add("changed", truth(index));
  if (commit) add(apart.has(index) ? "commit" : "changed", `${commit[1]} (${commit[0]}${commit[2] ? ` “${commit[2]}”` : ""})`);
  add("because", data.texts[data.why[index]]);
  inside.replaceChildren(list);
  // Only an address without a character that a shell would act on is offered to be copied.
  if (/^[\w./:%@,+=~?&#-]+$/.test(address)) add("more", make("code", "", `sitemap-guard why '${address}'`));
  if (letter === "f") {
    const diff = make("pre", "diff");
    const line = (look, sign, text) => {
      const span = make("span", look, `${sign} `);
      span.append(make("i", "", "<lastmod>"), text, make("i", "", "</lastmod>"));
      diff.append(span);
    };
    line("minus", "-", data.said[index] ?? "");
    if (data.expected[index] !== null) line("plus", "+", data.expected[index]);
    inside.append(diff);
  }
  for (const [, rule, level, , message, cure] of found(index)) {
    const card = make("div", `card ${level}`), head = make("div", "head-line");
    head.append(make("span", "level", level), make("code", "", data.rules[rule]));
    card.append(head, make("p", "headline", message));
    if (data.texts[cure]) { const said = make("p", "cure"); said.append(make("b", "", "Cure"), ` ${data.texts[cure]}`); card.append(said); }
    inside.append(card);
  }
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
};
const step = (by) => { move(standing + by); open(shown[active], active); };
get("before").addEventListener("click", () => step(-1));
get("after").addEventListener("click", () => step(1));
dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
