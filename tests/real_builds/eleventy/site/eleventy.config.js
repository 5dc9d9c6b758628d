import { writeFileSync } from "node:fs";

export default function (config) {
  config.addPassthroughCopy("src/static");
  config.addFilter("year", (date) => date.getUTCFullYear());
  // The manifest: each page's address and input file, as the documentation shows it.
  config.on("eleventy.after", ({ results }) => {
    const pages = results.map(({ url, inputPath }) => ({ url, path: inputPath }));
    writeFileSync("sources.json", JSON.stringify(pages));
  });
  return { dir: { input: "src", output: "_site" }, markdownTemplateEngine: "njk", htmlTemplateEngine: "njk" };
}
