const { writeFileSync } = require("node:fs");
const path = require("node:path");
const { createFilePath } = require("gatsby-source-filesystem");

exports.onCreateNode = ({ node, actions, getNode }) => {
  if (node.internal.type === "MarkdownRemark") {
    actions.createNodeField({ node, name: "slug", value: createFilePath({ node, getNode }) });
  }
};

const QUERY = `{ allMarkdownRemark { nodes { id fileAbsolutePath fields { slug } frontmatter { path } } } }`;
const address = (node) =>
  node.frontmatter.path || (node.fileAbsolutePath.includes("/content/blog/") ? `/blog${node.fields.slug}` : node.fields.slug);

exports.createPages = async ({ graphql, actions }) => {
  const { data } = await graphql(QUERY);
  for (const node of data.allMarkdownRemark.nodes) {
    actions.createPage({ path: address(node), component: path.resolve("src/templates/post.js"), context: { id: node.id } });
  }
};

// The manifest: each page and its file, as the documentation shows it.
exports.onPostBuild = async ({ graphql }) => {
  const { data } = await graphql(QUERY);
  const rows = data.allMarkdownRemark.nodes.map((node) => `${address(node)},${path.relative(__dirname, node.fileAbsolutePath)}`);
  writeFileSync("sources.csv", ["url,path", ...rows, ""].join("\n"));
};
