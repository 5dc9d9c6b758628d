// What all parts of the page share: the data, and how values are shown. The parts are joined into one script.

const data = JSON.parse(document.getElementById("data").textContent);
const get = (id) => document.getElementById(id);
const total = data.loc.length;
const WORDS = { t: "true", f: "false", c: "cannot tell", a: "no date" };
const RANK = { f: 0, c: 1, t: 2, a: 3 };
const DAY = 86400;

const make = (tag, className, text) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
};
const number = (count) => count.toLocaleString("en-GB");
const iso = (seconds) => new Date(seconds * 1000).toISOString();
const day = (seconds) => iso(seconds).slice(0, 10);
const minute = (seconds) => iso(seconds).slice(0, 16).replace("T", " ") + " UTC";
// True claims that stand on something else than the last change: a merge, a twin, a stale field.
const apart = new Set(data.apart);
const offBy = (index) => {
  const claimed = data.claimed[index], known = data.true[index];
  return claimed === null || known === null || (data.verdict[index] === "t" && !apart.has(index)) ? null : claimed - known;
};
const span = (seconds) => {
  const size = Math.abs(seconds), sign = seconds < 0 ? "−" : "+";
  const years = size / DAY / 365.25;
  if (years >= 3) return `${sign}${years < 20 ? years.toFixed(1) : number(Math.round(years))} y`;
  if (size >= 2 * DAY) return `${sign}${number(Math.round(size / DAY))} d`;
  if (size >= 2 * 3600) return `${sign}${Math.round(size / 3600)} h`;
  return `${sign}${Math.max(1, Math.round(size / 60))} min`;
};

// How an address is shown: letters that are percent-encoded as letters.
const shownLoc = (index) => data.read[index] ?? (data.loc[index] || "(no address)");
const wholeAddress = (index) => data.link[index] || (data.base && data.loc[index].startsWith("/") ? data.base + data.loc[index].slice(1) : "");

const LEVELS = ["error", "warning", "info"];
// The same for a sentence.
const wrongBy = (index) => {
  const off = offBy(index), size = span(off).slice(1);
  return apart.has(index) ? `true, but ${size} ${off < 0 ? "before" : "after"} the last change` : `${size} too ${off < 0 ? "old" : "new"}`;
};

const findingsOf = new Map();
const rulesOf = new Map();
const groupsOf = new Map();
for (const finding of data.findings) {
  const [entry, rule, , group] = finding;
  if (!findingsOf.has(entry)) findingsOf.set(entry, []);
  findingsOf.get(entry).push(finding);
  if (!rulesOf.has(rule)) rulesOf.set(rule, new Set());
  rulesOf.get(rule).add(entry);
  if (!groupsOf.has(group)) groupsOf.set(group, new Set());
  groupsOf.get(group).add(entry);
}
// The most severe of an entry's findings first.
const found = (index) => [...(findingsOf.get(index) ?? [])].sort((a, b) => LEVELS.indexOf(a[2]) - LEVELS.indexOf(b[2]));
