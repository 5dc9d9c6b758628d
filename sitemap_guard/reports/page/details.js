// One entry with everything that is known about it.

const dialog = get("details");
const open = (index) => {
  get("details-title").textContent = data.loc[index] || "(no address)";
  const list = make("dl"), inside = get("details-body");
  const add = (name, ...values) => {
    if (!values.some(Boolean)) return;
    const value = make("dd");
    value.append(...values.filter(Boolean));
    list.append(make("dt", "", name), value);
  };
  const letter = data.verdict[index], commit = data.commits[data.witness[index]], off = offBy(index);
  const address = data.link[index] || (data.base && data.loc[index].startsWith("/") ? data.base + data.loc[index].slice(1) : "");
  const verdict = make("span", `${letter}-word`, WORDS[letter]);
  add("verdict", verdict, off === null ? "" : ` (${span(off)})`);
  if (/^https?:\/\//.test(address)) {
    const link = make("a", "", address);
    link.href = address;
    link.rel = "noopener noreferrer";
    link.target = "_blank";
    add("page", link);
  }
  add("sitemap", make("code", "", `${data.sitemaps[data.sitemap[index]]}:${data.line[index]}`));
  add("claims", data.said[index] ?? "");
  add("source", data.source[index] ? make("code", "", data.source[index]) : "");
  if (commit) add("changed", `${commit[1]} (${commit[0]}${commit[2] ? ` “${commit[2]}”` : ""})`);
  add("because", data.texts[data.why[index]]);
  inside.replaceChildren(list);
  if (letter === "f") {
    const diff = make("pre", "diff");
    diff.tabIndex = 0;
    diff.append(make("span", "minus", `- <lastmod>${data.said[index] ?? ""}</lastmod>`));
    if (data.expected[index] !== null) diff.append(make("span", "plus", `+ <lastmod>${data.expected[index]}</lastmod>`));
    inside.append(diff);
  }
  for (const [, rule, level, , message, evidence, cure] of findingsOf.get(index) ?? []) {
    const card = make("div", `card ${level}`), head = make("header");
    head.append(make("span", "level", level), make("code", "", data.rules[rule]));
    card.append(head, make("p", "headline", message));
    if (evidence) card.append(make("p", "quiet", evidence));
    if (cure) { const said = make("p", "cure"); said.append(make("b", "", "Cure"), ` ${cure}`); card.append(said); }
    inside.append(card);
  }
  dialog.showModal();
};
dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
