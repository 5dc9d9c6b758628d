module.exports = {
  siteMetadata: { siteUrl: "https://gatsby.example.org" },
  plugins: [
    { resolve: "gatsby-source-filesystem", options: { name: "blog", path: `${__dirname}/content/blog` } },
    { resolve: "gatsby-source-filesystem", options: { name: "pages", path: "./content/pages/" } },
    "gatsby-transformer-remark",
  ],
};
