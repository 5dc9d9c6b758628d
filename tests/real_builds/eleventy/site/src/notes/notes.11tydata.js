export default {
  tags: "note",
  permalink: (data) => `/n/${data.page.fileSlug}/`,
};
